"""`flowrt definitions`: keep definitions in a folder or in Redis."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from flowrt.cli.codes import OK
from flowrt.cli.loading import loaded
from flowrt.cli.options import file_argument, module_option
from flowrt.errors import FlowError

if TYPE_CHECKING:
    from flowrt.stores.definitions import DefinitionStore

VARIABLE = "FLOWRT_DEFINITIONS"

place_option = click.option(
    "--in",
    "place",
    metavar="SPEC",
    envvar=VARIABLE,
    help="Where definitions are kept: folder:PATH, a path or redis://HOST:PORT/DB.  "
    f"[default: .flowrt/definitions, or ${VARIABLE}]",
)


@click.group()
def definitions() -> None:
    """Keep definitions under names: save, list, show and delete them."""


@definitions.command()
@file_argument
@click.option("--as", "name", metavar="NAME", help="Under which name.  [default: the flow's]")
@click.option(
    "--ttl", type=click.IntRange(min=1), metavar="SECONDS", help="How long to keep it, in Redis."
)
@module_option
@place_option
def save(
    file: str, *, name: str | None, ttl: int | None, modules: tuple[str, ...], place: str | None
) -> int:
    """Keep the flow in FILE, which is checked first, in place of what was there."""
    from flowrt.definition.load import load_definition
    from flowrt.stores.redis import RedisDefinitions

    flow = loaded(file, modules)
    definition = load_definition(file)
    store = _opened(place)
    kept = name or flow.name
    if ttl is None:
        store.save(kept, definition)
    elif isinstance(store, RedisDefinitions):
        store.save(kept, definition, ttl=ttl)
    else:
        raise FlowError("a definition in a folder is kept for ever: --ttl is for Redis")
    click.echo(f"kept as {kept}")
    return OK


@definitions.command(name="list")
@place_option
def list_(place: str | None) -> int:
    """List the names."""
    for name in _opened(place).list():
        click.echo(name)
    return OK


@definitions.command()
@click.argument("name")
@place_option
def show(name: str, place: str | None) -> int:
    """Print the definition of a name as JSON, which `flowrt run` takes as a file."""
    print(json.dumps(dict(_opened(place).load(name)), ensure_ascii=False, indent=2))
    return OK


@definitions.command()
@click.argument("name")
@place_option
def delete(name: str, place: str | None) -> int:
    """Forget the definition of a name."""
    from flowrt.stores.definitions import DefinitionNotFoundError

    if not _opened(place).delete(name):
        raise DefinitionNotFoundError(f"there is no definition `{name}`")
    return OK


def _opened(place: str | None) -> DefinitionStore:
    from flowrt.stores.definitions import open_definitions

    return open_definitions(place or None)
