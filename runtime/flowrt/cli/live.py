"""The live view: what is done scrolls by, what is under way is redrawn below it."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic, time
from typing import TextIO, cast

from flowrt.cli.scopes import Scope, Scopes
from flowrt.cli.telling import Line, Teller, Tone
from flowrt.cli.views import Active
from flowrt.cli.words import clean, cut, duration, plural
from flowrt.engine.states import Activity
from flowrt.stores.base import Event

REDRAWN_EVERY = 0.1
"""Seconds between two looks at what is under way."""

_LONGEST_NAME = 40
_COLOURS: dict[Tone, str] = {"good": "32", "bad": "31", "waits": "33", "faint": "2"}
_ERASE = "\x1b[J"
_ENDED = frozenset({"node_completed", "node_failed"})


class LiveView:
    """Redraws a block of lines at the bottom of a terminal, from a thread of its own.

    The thread goes on while a node keeps the event loop busy, so that also a node which does
    that is seen, with its time.
    """

    def __init__(self, stream: TextIO, flow: str, *, colour: bool = True) -> None:
        self.printed = cast("TextIO", _Printed(self))
        self._stream = stream
        self._flow = flow
        self._colour = colour
        self._teller = Teller(starts=False, kept=False)
        self._active: Active = {}
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._drawn = 0
        self._ended = 0
        self._began = monotonic()
        self._thread = threading.Thread(target=self._redraw, daemon=True)

    def watch(self, active: Active) -> None:
        """Begin to draw."""
        self._active = active
        self._began = monotonic()
        self._thread.start()

    def event(self, event: Event) -> None:
        """What ended is told above the block."""
        with self._lock:
            self._ended += event.type in _ENDED
            told = [self._painted(line) for line in self._teller.lines(event)]
            if told:
                self._above(told)

    def note(self, text: str) -> None:
        """Say something about the run itself."""
        self.above([text])

    def above(self, lines: list[str]) -> None:
        """Print lines above the block."""
        with self._lock:
            self._above(lines)

    @property
    def is_over(self) -> bool:
        """Whether nothing is drawn any more."""
        return self._over.is_set()

    def close(self) -> None:
        """Stop drawing and take the block away."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self.printed.flush()
        with self._lock:
            self._write(self._erased())

    # -- drawing -------------------------------------------------------------------------

    def _redraw(self) -> None:
        while not self._over.wait(REDRAWN_EVERY):
            with self._lock:
                self._write(self._erased() + self._block())

    def _above(self, lines: list[str]) -> None:
        text = self._erased() + "".join(f"{line}\n" for line in lines)
        self._write(text + self._block() if self._thread.is_alive() else text)

    def _erased(self) -> str:
        up = f"\x1b[{self._drawn}A" if self._drawn else ""
        self._drawn = 0
        return f"\r{up}{_ERASE}" if up else ""

    def _block(self) -> str:
        size = self._size()
        room = max(3, size.lines - 2)
        active = list(self._active.values())
        lines = [Line(0, text) for text in [self._head(active)]]
        lines += under_way(active, self._teller.scopes, time())
        if len(lines) > room:
            left_out = len(lines) - room + 1
            lines = [*lines[: room - 1], Line(1, f"({left_out} more lines)", "faint")]
        self._drawn = len(lines)
        return "".join(f"{self._painted(line, size.columns - 1)}\n" for line in lines)

    def _size(self) -> os.terminal_size:
        try:
            size = os.get_terminal_size(self._stream.fileno())
        except (OSError, ValueError):
            size = os.terminal_size((0, 0))
        return os.terminal_size((size.columns or 80, size.lines or 24))

    def _head(self, active: list[Activity]) -> str:
        running = sum(activity.state == "running" for activity in active)
        spent, ended = duration(monotonic() - self._began), plural(self._ended, "node")
        return f"{clean(self._flow)}  {spent}  {ended} done, {running} running"

    def _painted(self, line: Line, columns: int | None = None) -> str:
        text = line.indented if columns is None else cut(line.indented, columns)
        code = _COLOURS.get(line.tone) if self._colour else None
        return text if code is None else f"\x1b[{code}m{text}\x1b[0m"

    def _write(self, text: str) -> None:
        # A terminal that went away must not end the run.
        with suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()


def under_way(active: list[Activity], scopes: Scopes, now: float) -> Iterator[Line]:
    """The visits under way, those inside regions under the node that runs the region."""
    inner: dict[tuple[str, str, int], dict[str, Scope]] = {}
    by_scope: dict[str, list[Activity]] = {}
    for activity in active:
        by_scope.setdefault(activity.scope, []).append(activity)
    for path in by_scope:
        for scope in scopes.chain(path):
            owner = (scope.outer, scope.parent, scope.visit)
            inner.setdefault(owner, {})[scope.path] = scope

    def told(path: str, depth: int) -> Iterator[Line]:
        for activity in by_scope.get(path, ()):
            yield Line(depth, about(activity, now))
            owner = (activity.scope, activity.node, activity.visit)
            for scope in inner.get(owner, {}).values():
                yield Line(depth + 1, scope.told(), "faint")
                yield from told(scope.path, depth + 2)

    yield from told("", 1)


def about(activity: Activity, now: float) -> str:
    """A visit under way: the node, its attempt, how long, and what it says of itself."""
    spent = duration(now - activity.since)
    name = cut(clean(activity.node), _LONGEST_NAME)
    if activity.visit > 1:
        name += f" (visit {activity.visit})"
    if activity.state == "ready":
        told = f"{name}  attempt {activity.attempt + 1} soon, waiting for {spent}"
    elif activity.state == "running":
        told = f"{name}  attempt {activity.attempt}  {spent}"
    else:
        told = f"{name}  {activity.state}  {spent}"
    if activity.heartbeat is not None:
        told += f"  heartbeat {duration(now - activity.heartbeat)} ago"
    return f"{told}  {clean(activity.detail)}" if activity.detail else told


class _Printed(io.TextIOBase):
    """What nodes print: whole lines go above the block."""

    def __init__(self, view: LiveView) -> None:
        self._view = view
        self._rest = ""
        self._guard = threading.Lock()

    def writable(self) -> bool:
        """It is there to be written to."""
        return True

    def write(self, text: str) -> int:
        """Print whole lines; keep the rest for later."""
        with self._guard:
            *lines, self._rest = (self._rest + text).split("\n")
        if lines:
            self._view.above(lines)
        return len(text)

    def flush(self) -> None:
        """A line without an end is printed when the view closes, or with its end."""
        if not self._rest or not self._view.is_over:
            return
        rest, self._rest = self._rest, ""
        self._view.above([rest])
