"""What the tests of the stores share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flowrt.stores.base import Event, Manifest, RunStore
from flowrt.stores.folder import FolderStore
from flowrt.stores.memory import MemoryStore
from flowrt.stores.sqlite import SqliteStore

Make = Callable[..., RunStore]

LASTING: dict[str, Callable[[Path], RunStore]] = {
    "folder": lambda path: FolderStore(path / "runs"),
    "sqlite": lambda path: SqliteStore(path / "runs.db"),
}
"""Stores that outlive the process."""


def make_store(kind: str, path: Path, **options: Any) -> RunStore:
    """A store of a kind in a folder of its own."""
    if kind == "folder":
        return FolderStore(path / "runs", **options)
    if kind == "folder-sync":
        return FolderStore(path / "runs", sync=True, **options)
    if kind == "sqlite":
        return SqliteStore(path / "runs.db", **options)
    if kind == "sqlite-full":
        return SqliteStore(path / "runs.db", sync="full", **options)
    return MemoryStore(**options)


def manifest(run_id: str = "run-1", *, at: float = 1.0, status: Any = "running") -> Manifest:
    """A manifest of the flow `demo`."""
    return Manifest(run_id, "demo", status, at, at)


def event(seq: int, type_: str = "node_completed", **fields: Any) -> Event:
    """An event of the node `a`."""
    return Event(seq, 1000.0 + seq / 8, type_, **{"node": "a", "visit": 1, "attempt": 1, **fields})


EVENTS = (
    Event(1, 1000.125, "run_started", data={"state": {"text": "Grüße\n\u2028 \U0001f600"}}),
    event(2, "node_started"),
    event(3, data={"output": [1, 2.5, None, True, {"a": []}], "state": {}}),
    event(4, "node_started", scope="a/1/left", node="b ä", visit=3, attempt=2),
    event(5, "node_failed", scope="a/1/left", node="b ä", visit=3, attempt=2, data={"error": "x"}),
)


def start(source: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a program in a process of its own; its output is read by lines."""
    return subprocess.Popen(
        [sys.executable, "-c", source, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )


def told(process: subprocess.Popen[str]) -> str:
    """The next line a started program prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()
