"""What a run wrote down: appended as it goes, asked when it is gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from time import time
from typing import Any

from flowrt.engine.addresses import Key, answered
from flowrt.engine.observer import Observer
from flowrt.errors import FlowError, NotStorableError
from flowrt.stores.base import Event, RunLog, Trace

ENDED = frozenset({"node_completed", "node_failed", "node_skipped"})
"""Ends that hold when a run is gone on with. What was blocked may run then: it is decided anew."""


class Journal:
    """Records what happened, and recalls what an interrupted run had finished.

    Without a log nothing is kept and nothing is recalled; an observer is told all the same.
    """

    def __init__(
        self, log: RunLog | None, trace: Trace | None = None, observer: Observer | None = None
    ) -> None:
        self.log = log
        self.observer = observer
        self.heard = log is not None or observer is not None
        self.seq = 0
        self.path: list[str] = []
        """The nodes that completed, in order."""
        self.ended: dict[Key, Event] = {}
        self.attempts: dict[Key, int] = {}
        self.waiting: dict[Key, Event] = {}
        self.answers: dict[Key, Any] = {}
        """What was answered to a pause, as it was written down."""
        self.sessions: dict[str, Any] = {}
        """Sessions with agents, as they were last written down."""
        self.lost = trace.lost if trace else ()
        self._refused: FlowError | None = None
        self._open_failures: dict[Key, Event] = {}
        for event in trace.events if trace else ():
            self._learn(event)
        if trace is not None:
            self.seq = max(self.seq, trace.written)

    def _learn(self, event: Event) -> None:
        self.seq = event.seq
        key = (event.scope, event.node, event.visit)
        if event.type == "node_completed":
            self.path.append(event.node)
        if event.type in ENDED:
            # A failure that ended the run is what a resumed run tries again.
            if event.type != "node_failed" or event.data.get("handled"):
                self.ended[key] = event
            else:
                self._open_failures[key] = event
                self.attempts.pop(key, None)
            self.waiting.pop(key, None)
            self.answers.pop(key, None)
            self._close_inside(key)
        elif event.type == "attempt_failed":
            self.attempts[key] = event.attempt
            self._forget_inside(key)
        elif event.type == "node_waiting":
            self.waiting[key] = event
            self.answers.pop(key, None)
        elif event.type == "region_ended" and event.data.get("caught"):
            self._caught(event.scope)
        elif event.type == "session_bound":
            self.sessions[str(event.data["key"])] = event.data.get("session")
        elif event.type == "signal_received":
            told = event.data
            self._answer(str(told.get("key")), told.get("to"), told.get("payload"))

    def _forget_inside(self, key: Key) -> None:
        """A node is tried again from its beginning, with all that its regions did."""
        inside = f"{key[0]}/{key[1]}#{key[2]}:"
        for known in (self.ended, self.attempts, self.waiting, self.answers, self._open_failures):
            for inner in [held for held in known if held[0].startswith(inside)]:
                del known[inner]

    def _close_inside(self, key: Key) -> None:
        """What waited in the regions of a node that has ended waits no more."""
        inside = f"{key[0]}/{key[1]}#{key[2]}:"
        for inner in [held for held in self.waiting if held[0].startswith(inside)]:
            del self.waiting[inner]
            self.answers.pop(inner, None)

    def _caught(self, scope: str) -> None:
        """Failures that a region kept to itself are not tried again."""
        for key in list(self._open_failures):
            if key[0] == scope or key[0].startswith(f"{scope}/"):
                self.ended[key] = self._open_failures.pop(key)

    def open_pauses(self) -> dict[Key, Mapping[str, Any]]:
        """The pauses that nobody has answered yet."""
        return {key: event.data for key, event in self.waiting.items() if key not in self.answers}

    def _answer(self, name: str, to: Any, payload: Any) -> None:
        """Give an answer to the pauses it was for; without `to`, to all of that name."""
        meant = None if to is None else [(str(key[0]), str(key[1]), key[2]) for key in to]
        for key, data in self.open_pauses().items():
            if key in meant if meant is not None else name in (data.get("key"), key[1]):
                self.answers[key] = payload

    def signal(self, answers: Mapping[str, Any]) -> None:
        """Answer what the run waits for.

        Raises NotResumableError, and then nothing is answered, when one of the names means no
        pause, or could mean several.
        """
        told = []
        for name, payload in answers.items():
            keys = answered(name, self.open_pauses())
            self.answers.update(dict.fromkeys(keys, payload))
            told.append({"key": name, "payload": payload, "to": [list(key) for key in keys]})
        for data in told:
            self.write("signal_received", data=data)

    def recall(self, key: Key) -> Event | None:
        """How this visit ended in an earlier part of the run."""
        return self.ended.get(key) if self.ended else None

    def write(
        self,
        type_: str,
        key: Key = ("", "", 0),
        attempt: int = 0,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Add an event; it is safe when this returns.

        Once the log refused one it gets no more: what comes after would stand beside a gap.
        """
        if not self.heard:
            return
        event = Event(self.seq + 1, time(), type_, key[0], key[1], key[2], attempt, data or {})
        if self.log is not None:
            if self._refused is not None:
                raise self._refused
            try:
                self.log.append(event)
            except FlowError as error:
                self._refused = None if isinstance(error, NotStorableError) else error
                raise
        self.seq = event.seq
        if self.observer is not None:
            self.observer.event(event)
