"""`flowrt graph`: draw a flow."""

from __future__ import annotations

import json
from typing import Literal

import click

from flowrt.cli.codes import OK
from flowrt.cli.loading import loaded
from flowrt.cli.options import file_argument, module_option


@click.command()
@file_argument
@module_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(["mermaid", "json"]),
    default="mermaid",
    show_default=True,
    help="How to draw it.",
)
def graph(file: str, modules: tuple[str, ...], format_: Literal["mermaid", "json"]) -> int:
    """Draw the flow in FILE, with the regions of its nodes."""
    from flowrt.cli import drawings

    flow = loaded(file, modules)
    if format_ == "json":
        print(json.dumps(drawings.as_json(flow), ensure_ascii=False, indent=2))
    else:
        print("\n".join(drawings.mermaid(flow)))
    return OK
