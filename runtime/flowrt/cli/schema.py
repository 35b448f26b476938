"""`flowrt schema`: the JSON Schema of definitions."""

from __future__ import annotations

import json

import click

from flowrt.cli.codes import OK


@click.command()
def schema() -> int:
    """Print the JSON Schema of flow definitions, with the config of every node kind."""
    from flowrt.definition.schema import definition_schema

    print(json.dumps(definition_schema(), ensure_ascii=False, indent=2))
    return OK
