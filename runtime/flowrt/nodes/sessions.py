"""Which sessions a run has with agents."""

from __future__ import annotations

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
