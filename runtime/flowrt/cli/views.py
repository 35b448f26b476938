"""How a run is shown while it goes on: as plain lines or as JSON lines."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Protocol, TextIO

from flowrt.cli.options import Format
from flowrt.cli.telling import Teller
from flowrt.cli.words import clock
from flowrt.engine.observer import Observer
from flowrt.engine.states import Activity
from flowrt.stores.base import Event

Active = Mapping[tuple[str, str, int], Activity]


class View(Observer, Protocol):
    """Shows a run. What nodes print themselves goes to `printed`."""

    printed: TextIO

    def note(self, text: str) -> None:
        """Say something about the run itself."""

    def close(self) -> None:
        """The run is over: leave the terminal in order."""


def say(text: str, stream: TextIO) -> None:
    """Write a line; a reader that has gone ends no run."""
    try:
        print(text, file=stream, flush=True)
    except BrokenPipeError:
        # What is left to flush must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class PlainView:
    """One line for each thing that happens, with the time of day."""

    def __init__(self, stream: TextIO) -> None:
        self.printed = stream
        self._stream = stream
        self._teller = Teller(kept=False)

    def watch(self, active: Active) -> None:
        """Lines need no more than the events."""

    def event(self, event: Event) -> None:
        """Tell an event."""
        for line in self._teller.lines(event):
            self._write(f"{clock(event.at)}  {line.indented}")

    def note(self, text: str) -> None:
        """Say something about the run itself."""
        self._write(text)

    def _write(self, text: str) -> None:
        say(text, self._stream)

    def close(self) -> None:
        """Nothing to put in order."""


class JsonView:
    """Each event as one line of JSON on stdout."""

    def __init__(self, stream: TextIO, printed: TextIO) -> None:
        self.printed = printed
        self._stream = stream

    def watch(self, active: Active) -> None:
        """Lines need no more than the events."""

    def event(self, event: Event) -> None:
        """Write an event."""
        say(event_json(event), self._stream)

    def note(self, text: str) -> None:
        """What is only said to people is left out."""

    def close(self) -> None:
        """Nothing to put in order."""


def event_json(event: Event) -> str:
    """An event as one line of JSON, with all of its fields."""
    fields = {
        "seq": event.seq,
        "at": event.at,
        "type": event.type,
        "scope": event.scope,
        "node": event.node,
        "visit": event.visit,
        "attempt": event.attempt,
        "data": event.data,
    }
    return json.dumps(fields, ensure_ascii=False, default=str)


def view_for(chosen: Format, flow: str, results: TextIO) -> View:
    """The view that was chosen; by itself the live one on terminals that can redraw lines."""
    if chosen == "json":
        return JsonView(results, sys.stderr)
    can_redraw = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if chosen == "live" or (chosen == "auto" and can_redraw):
        from flowrt.cli.live import LiveView

        return LiveView(sys.stderr, flow, colour=not os.environ.get("NO_COLOR"))
    return PlainView(sys.stderr)
