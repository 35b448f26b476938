"""`flowlint dialect`: tell what is read of a system."""

from __future__ import annotations

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


@click.command()
@click.argument("dialect_name", metavar="[NAME]", required=False)
@click.option("--all", "everything", is_flag=True, help="Tell it of every system.")
@format_option
def dialect(dialect_name: str | None, everything: bool, output_format: Format) -> int:
    """Tell what is resolved of the flows of a system, and what is not; without NAME list all.

    Dialects of plugins are named with what they came with. Ends with 2 when there is no such
    dialect, or a plugin cannot be used.
    """
    from flowlint.dialects.registry import all_dialects, find_dialect
    from flowlint.report import dialect_docs

    if dialect_name is not None and everything:
        raise click.UsageError("name a dialect or ask for --all", click.get_current_context())
    code = FAILURE if tell_refused() else OK
    if dialect_name is not None:
        found = find_dialect(dialect_name)
        if found is None:
            fail(f"unknown dialect `{dialect_name}`{_meant(dialect_name)}")
            return FAILURE
        if output_format == "json":
            show_json(dialect_docs.data(found))
        else:
            show_pages([dialect_docs.markdown(found)], output_format)
    elif output_format == "json":
        show_json([dialect_docs.data(entry) for entry in all_dialects()])
    elif everything:
        show_pages(map(dialect_docs.markdown, all_dialects()), output_format)
    else:
        for entry in all_dialects():
            origin = f"  ({entry.origin})" if entry.origin else ""
            click.echo(f"{entry.name}{origin}")
    return code


def _meant(word: str) -> str:
    from flowlint.dialects.registry import all_dialects
    from flowlint.project.selection import nearest

    names = [entry.name for entry in all_dialects()]
    near = nearest(word, names)
    return f"; did you mean `{near}`?" if near else f"; there are {', '.join(names)}"
