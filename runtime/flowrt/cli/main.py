"""The command `flowrt`: finds the subcommand and turns every ending into an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from flowrt.cli.codes import INTERRUPTED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run flowrt and give its exit code."""
    try:
        from flowrt.cli.group import run

        return run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        return INTERRUPTED
