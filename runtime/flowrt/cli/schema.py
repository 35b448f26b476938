"""`flowrt schema`: the JSON Schema of definitions."""

from __future__ import annotations

import json

import click

from flowrt.cli.codes import OK
from flowrt.cli.loading import import_modules
from flowrt.cli.options import module_option


@click.command()
@module_option
def schema(modules: tuple[str, ...]) -> int:
    """Print the JSON Schema of flow definitions, with the config of every node kind and action.

    Those that a --module registers are in it, too; it is looked for in the current folder first.
    """
    from flowrt.definition.schema import definition_schema

    import_modules(modules, ".")
    print(json.dumps(definition_schema(), ensure_ascii=False, indent=2))
    return OK
