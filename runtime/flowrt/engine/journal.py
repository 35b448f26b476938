"""What a run wrote down: appended as it goes, asked when it is gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from time import time
from typing import Any

from flowrt.engine.observer import Observer
from flowrt.errors import FlowError, NotStorableError
from flowrt.stores.base import Event, RunLog, Trace

Key = tuple[str, str, int]
"""A visit of a node: scope, node, visit."""

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
            self._answer(str(event.data.get("key")), event.data.get("payload"))

    def _forget_inside(self, key: Key) -> None:
        """A node is tried again from its beginning, with all that its regions did."""
        inside = f"{key[0]}/{key[1]}#{key[2]}:"
        for known in (self.ended, self.attempts, self.waiting, self.answers, self._open_failures):
            for inner in [held for held in known if held[0].startswith(inside)]:
                del known[inner]

    def _caught(self, scope: str) -> None:
        """Failures that a region kept to itself are not tried again."""
        for key in list(self._open_failures):
            if key[0] == scope or key[0].startswith(f"{scope}/"):
                self.ended[key] = self._open_failures.pop(key)

    def _answer(self, name: str, payload: Any) -> bool:
        """Give an answer to every pause of that name that has none yet."""
        open_ = [
            key
            for key, event in self.waiting.items()
            if name in (event.data.get("key"), key[1]) and key not in self.answers
        ]
        self.answers.update(dict.fromkeys(open_, payload))
        return bool(open_)

    def signal(self, name: str, payload: Any) -> None:
        """Answer what the run waits for. Raises NotResumableError when it does not."""
        if not self._answer(name, payload):
            waits = sorted({str(e.data.get("key") or key[1]) for key, e in self.waiting.items()})
            known = ", ".join(f"`{wait}`" for wait in waits) or "nothing"
            raise NotResumableError(f"the run does not wait for `{name}`; it waits for {known}")
        self.write("signal_received", data={"key": name, "payload": payload})

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
