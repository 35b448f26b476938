"""Running the program as a user does."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Run:
    """One finished run of the program."""

    code: int
    out: str
    err: str


PROGRAM = Path(sysconfig.get_path("scripts")) / "flowlint"

RunFlowlint = Callable[..., Run]


def run_flowlint(*arguments: str, cwd: Path, env: dict[str, str] | None = None) -> Run:
    """Run `flowlint` in a process of its own."""
    done = subprocess.run(
        [PROGRAM, *arguments],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **(env or {})},
        timeout=120,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr)
