"""`flowlint dialect`: tell what is read of a system."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from flowlint.cli.explaining import (
    Format,
    format_option,
    show_json,
    show_pages,
    tell_refused,
)
from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK

if TYPE_CHECKING:
    from flowlint.dialects.registry import DialectEntry


@click.command()
@click.argument("dialect_name", metavar="[NAME]", required=False)
@click.option("--all", "everything", is_flag=True, help="Tell it of every system.")
@format_option
def dialect(dialect_name: str | None, everything: bool, output_format: Format) -> int:
    """Tell what is resolved of the flows of a system, and what is not; without NAME list all.

    Dialects of plugins are named with what they came with; systems that the settings of this
    folder declare are told as well. Ends with 2 when there is no such dialect, or a plugin or the
    settings cannot be used.
    """
    from flowlint.dialects.registry import dialects_with, find_dialect
    from flowlint.project.settings.files import SettingsError
    from flowlint.project.settings.finding import Configuration
    from flowlint.report import dialect_docs

    if dialect_name is not None and everything:
        raise click.UsageError("name a dialect or ask for --all", click.get_current_context())
    code = FAILURE if tell_refused() else OK
    try:
        systems = Configuration().of_folder(os.getcwd()).systems
    except SettingsError as error:
        fail(str(error))
        code, systems = FAILURE, ()
    entries = dialects_with(systems)
    if dialect_name is not None:
        found = find_dialect(dialect_name, systems)
        if found is None:
            fail(f"unknown dialect `{dialect_name}`{_meant(dialect_name, entries)}")
            return FAILURE
        if output_format == "json":
            show_json(dialect_docs.data(found))
        else:
            show_pages([dialect_docs.markdown(found)], output_format)
    elif output_format == "json":
        show_json([dialect_docs.data(entry) for entry in entries])
    elif everything:
        show_pages(map(dialect_docs.markdown, entries), output_format)
    else:
        declared = {one.name for one in systems}
        for entry in entries:
            origin = f"  ({entry.origin})" if entry.origin else ""
            note = "  (declared by settings)" if entry.name in declared else origin
            click.echo(f"{entry.name}{note}")
    return code


def _meant(word: str, entries: Iterable[DialectEntry]) -> str:
    from flowlint.project.selection import nearest

    names = [entry.name for entry in entries]
    near = nearest(word, names)
    return f"; did you mean `{near}`?" if near else f"; there are {', '.join(names)}"
