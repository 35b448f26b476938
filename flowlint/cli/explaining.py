"""How commands print what is explained: Markdown as text for terminals, or as it is, or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, get_args

import click

from flowlint.cli.group import fail
from flowlint.project.plugins import load_plugins

if TYPE_CHECKING:
    from flowlint.report.places import Json

Format = Literal["text", "markdown", "json"]

format_option = click.option(
    "--format",
    "--output-format",
    "output_format",
    type=click.Choice(get_args(Format)),
    default="text",
    show_default=True,
    help="How to write the explanation.",
)


def tell_refused() -> bool:
    """Tell which plugins cannot be used, if any."""
    refused = load_plugins()
    for reason in refused:
        fail(reason)
    return bool(refused)


def show_pages(pages: Iterable[Iterable[str]], output_format: Format) -> None:
    """Print pages of Markdown."""
    shown = (_text(page) if output_format == "text" else page for page in pages)
    click.echo("\n\n".join("\n".join(lines) for lines in shown))


def show_json(data: Json | Sequence[Json]) -> None:
    """Print data."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def _text(lines: Iterable[str]) -> Iterator[str]:
    """Markdown for a terminal: headings underlined, code indented."""
    in_code = False
    for line in lines:
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif in_code:
            yield f"    {line}".rstrip()
        elif line.startswith("#"):
            heading = line.lstrip("#").strip()
            yield heading
            yield ("=" if line.startswith("# ") else "-") * len(heading)
        else:
            yield line
