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
    """Whether to colour: as chosen, else as the environment says, else on terminals."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return True
    return on_terminal()


def wants_links() -> bool:
    """Whether names may be links that can be clicked on: on terminals only."""
    return on_terminal()


def on_terminal() -> bool:
    """Whether what is printed goes to a terminal that can do more than lines."""
    return os.environ.get("TERM") != "dumb" and sys.stdout.isatty()
