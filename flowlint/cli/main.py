"""The command `flowlint`: finds the subcommand and turns every ending into an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

OK, FINDINGS, FAILURE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run flowlint and give its exit code."""
    try:
        from flowlint.cli.group import run

        return run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        return INTERRUPTED
