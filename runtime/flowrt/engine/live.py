"""What is going on in a run right now, and when that is written down."""

from __future__ import annotations

import asyncio
import logging
from time import time
from typing import TYPE_CHECKING

from flowrt.authoring import Node
from flowrt.engine.addresses import Key
from flowrt.engine.journal import Journal
from flowrt.engine.states import Activity
from flowrt.errors import FlowError

if TYPE_CHECKING:
    from flowrt.stores.base import RunLog

logger = logging.getLogger("flowrt.live")

LIVE_EVERY = 0.1
"""Seconds between two looks at what is going on, where it is written down."""

QUIET_KINDS = frozenset({"step", "gate", "loop", "compute", "start", "end"})
"""Kinds whose start is only written down when they take their time."""


class Live:
    """The visits under way in a run, those in flows inside it included."""

    def __init__(self, journal: Journal, log: RunLog | None) -> None:
        self.journal = journal
        self.log = log
        self.active: dict[Key, Activity] = {}
        self._quiet: dict[Key, Activity] = {}
        self._changed = False
        self._told_unwritten = False
        self._broken: Exception | None = None
        self._ticker: asyncio.TimerHandle | None = None
        if journal.observer is not None:
            journal.observer.watch(self.active)

    def begin(self, key: Key) -> Activity:
        """A visit is about to start."""
        self.check()
        activity = Activity(key[1], key[0], key[2], "ready")
        self.active[key] = activity
        return activity

    def started(self, node: Node, key: Key, activity: Activity) -> None:
        """An attempt begins. Quick kinds are only written down when they take their time."""
        if not self.journal.heard:
            return
        if node.kind in QUIET_KINDS:
            self._quiet[key] = activity
        else:
            self.journal.write("node_started", key, activity.attempt, {"kind": node.kind})
        self._changed = True
        if self._ticker is None:
            self._ticker = asyncio.get_running_loop().call_later(LIVE_EVERY, self._tick)

    def broken_off(self, key: Key) -> None:
        """The run is cancelled while a visit is under way, which is to be seen afterwards."""
        activity = self._quiet.pop(key, None)
        if activity is None or not self.journal.heard:
            return
        try:
            self.journal.write("node_started", key, activity.attempt)
        except FlowError as error:
            self._unwritten(error)

    def end(self, key: Key) -> None:
        """A visit is over."""
        self.active.pop(key, None)
        self._quiet.pop(key, None)

    def changed(self) -> None:
        """Something about the visits under way is new."""
        self._changed = True

    def check(self) -> None:
        """Raise what an observer raised while nobody could be told of it."""
        if self._broken is not None:
            raise self._broken

    def write(self, status: str) -> None:
        """Write what is going on right now."""
        if self.log is not None:
            shown = [activity.shown() for activity in self.active.values()]
            told = {"status": status, "at": time(), "events": self.journal.seq, "nodes": shown}
            self.log.set_live(told)

    def stop(self) -> None:
        """The run is over: nothing is written any more by itself."""
        if self._ticker is not None:
            self._ticker.cancel()
            self._ticker = None

    def _tick(self) -> None:
        """Write down what takes its time, and what is going on, while something is."""
        self._ticker = None
        try:
            for key, activity in self._quiet.items():
                self.journal.write("node_started", key, activity.attempt)
            self._quiet.clear()
            if self._changed:
                self._changed = False
                self.write("running")
        except FlowError as error:
            self._unwritten(error)
        except Exception as error:
            self._broken = error
            return
        if self.active:
            self._ticker = asyncio.get_running_loop().call_later(LIVE_EVERY, self._tick)

    def _unwritten(self, error: FlowError) -> None:
        """Say once that nobody can see from outside what goes on. Nodes go on: what has to be
        written down is written when they end, and that fails by itself."""
        if not self._told_unwritten:
            self._told_unwritten = True
            logger.warning("what goes on now cannot be written down: %s", error)
