"""Whom a run tells how it goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Phase = Literal["finding files", "reading", "analysing", "gathering"]


class Progress:
    """Hears of a run's phases and files; this one does not care.

    `wants_times` asks for the seconds that each rule takes.
    """

    wants_times = False

    def begin(self, phase: Phase, files: int) -> None:
        """A phase begins, in which so many files are looked at."""

    def analysed(self, times: Mapping[str, float] | None) -> None:
        """A file was analysed; `times` are the seconds that rules took, where they are wanted."""
