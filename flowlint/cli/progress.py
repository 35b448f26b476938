"""What a long run shows on a terminal, and the times that `--verbose` tells at its end."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from time import perf_counter

from flowlint.cli.group import tell
from flowlint.progress import Phase, Progress

_QUIET_SECONDS = 1.0
"""Runs that are over by then show no progress."""

_STEP_SECONDS = 0.1
_SHOWN_RULES = 12


class TerminalProgress(Progress):
    """Tells on stderr how far a run is, if that is a terminal, and remembers times."""

    def __init__(self, *, verbose: bool) -> None:
        self.wants_times = verbose
        self._shows = _is_terminal() and os.environ.get("TERM") != "dumb"
        self._started = self._phase_started = self._shown = perf_counter()
        self._phases: list[tuple[Phase, int, float]] = []
        self._rules: Counter[str] = Counter()
        self._current: tuple[Phase, int] | None = None
        self._done = 0
        self._is_dirty = False

    def begin(self, phase: Phase, files: int) -> None:
        """A phase begins."""
        self._end_phase()
        self._current = (phase, files)
        self._done = 0

    def analysed(self, times: Mapping[str, float] | None) -> None:
        """A file was analysed."""
        self._done += 1
        if times:
            self._rules.update(times)
        now = perf_counter()
        if not self._shows or now - self._started < _QUIET_SECONDS:
            return
        if now - self._shown >= _STEP_SECONDS and self._current is not None:
            self._shown, self._is_dirty = now, True
            self._write(
                f"\r\x1b[Kanalysing {self._done} of {self._current[1]} files that may hold flows"
            )

    def end(self) -> None:
        """The run is over; the terminal is as it was before."""
        self._end_phase()
        if self._is_dirty:
            self._write("\r\x1b[K")
            self._is_dirty = False

    def tell_times(self) -> None:
        """Say how long the phases and the rules took, if somebody wants to know."""
        if self.wants_times:
            for line in self._lines():
                tell(line)

    def _lines(self) -> Iterator[str]:
        yield f"{'phase':<28}{'ms':>10}  files"
        for phase, files, seconds in self._phases:
            yield f"{phase:<28}{seconds * 1000:>10.1f}  {files or ''}".rstrip()
        yield f"{'rule (over all processes)':<28}{'ms':>10}"
        for rule, seconds in self._rules.most_common(_SHOWN_RULES):
            yield f"{rule:<28}{seconds * 1000:>10.1f}"

    def _end_phase(self) -> None:
        now = perf_counter()
        if self._current is not None:
            self._phases.append((*self._current, now - self._phase_started))
        self._current = None
        self._phase_started = now

    @staticmethod
    def _write(text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:
            pass


def _is_terminal() -> bool:
    # It is None where nobody listens.
    return sys.stderr is not None and sys.stderr.isatty()
