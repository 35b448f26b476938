"""Which sessions a run has with agents."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any


class RecordedSessions(dict[str, Any]):
    """A session table that starts with what was recorded and records each change."""

    def __init__(
        self, known: Mapping[str, Any], record: Callable[[str, Mapping[str, Any]], None]
    ) -> None:
        super().__init__(known)
        self._record = record

    def __setitem__(self, key: str, value: Any) -> None:
        self._record(key, value)
        super().__setitem__(key, value)


def told_session(key: str) -> str:
    """What the key of a session tells: its handle, the command and the folder."""
    try:
        command, cwd, handle = json.loads(key)[:3]
    except (ValueError, TypeError):
        return key
    return f"`{handle}` with `{' '.join(map(str, command))}` in {cwd}"
