"""A `flowlint check --watch` that runs while a test changes files."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support import PROGRAM

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Whoever ignores interrupts hands that on to what it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)

ENDS = "Watching for changes; Ctrl-C ends this."
ONE_LINE_EACH = {"FLOWLINT_OUTPUT_FORMAT": "concise"}
PATIENCE = 60
"""Seconds after which something that has to happen is not going to."""


class Watching:
    """The process, and what it says."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def told(self) -> list[str]:
        """What the next check says, once it has said all."""
        said: list[str] = []
        while True:
            line = self._lines.get(timeout=PATIENCE)
            assert line is not None, f"it ended: {said}"
            if line == ENDS:
                return said
            said.append(line)

    def settle(self, path: Path) -> None:
        """Change a file, and so wait until the system tells of what happens from now on."""
        path.write_text(path.read_text() + "\n")
        self.told()

    def interrupted(self) -> tuple[int, list[str]]:
        """The exit code and the last words after Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=PATIENCE)
        return code, [line for line in iter(self._lines.get, None) if line]


@contextmanager
def watching(folder: Path, *arguments: str, **env: str) -> Iterator[Watching]:
    """Watch a folder; findings are told in one line each, unless `env` says otherwise."""
    process = subprocess.Popen(
        [PROGRAM, "check", "--watch", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **ONE_LINE_EACH, **env},
    )
    try:
        yield Watching(process)
    finally:
        process.kill()
        process.wait()
