"""Options that several commands share."""

from __future__ import annotations

import os
import sys

import click

paths_argument = click.argument("paths", nargs=-1, metavar="[PATH]...")

jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Work in N processes.  [default: as many as the machine lets run]",
)

color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Whether to colour the output.",
)


def wants_colour(choice: str) -> bool:
    """Whether to colour: as chosen, else on terminals unless the environment says no."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()
