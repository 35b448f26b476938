"""What happened in a run, told line by line: for progress, `show` and `replay`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from flowrt.cli.scopes import Scopes
from flowrt.cli.words import clean, duration, moment, plural, shortened, without_node
from flowrt.nodes.sessions import told_session
from flowrt.stores.base import Event

Tone = Literal["plain", "good", "bad", "waits", "faint"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the tale, as deep as the region that it is about."""

    depth: int
    text: str
    tone: Tone = "plain"

    @property
    def indented(self) -> str:
        """The line with its indentation."""
        return "  " * self.depth + self.text


_LOST_NAMED = 3
"""Losses that are named in one line; `show` names all."""


class Teller:
    """Turns events into lines.

    What stands in a region is indented under a line that names the region; where the tale comes
    back to one, it is named again. Regions in which nothing happened are left out. With `starts`
    the beginning of a node is told, too, where it was written down, with `kept` what nodes kept
    beside the run.
    """

    def __init__(self, *, starts: bool = True, kept: bool = True) -> None:
        self._left_out = {
            name
            for name, told in (("node_started", starts), ("artifact_written", kept))
            if not told
        }
        self.scopes = Scopes()
        self._open: list[str] = []
        self._told: set[str] = set()

    def lines(self, event: Event) -> Iterator[Line]:
        """What to say about an event; nothing about those that tell nothing new."""
        if event.type == "region_started":
            self.scopes.learn(event)
            return
        if event.type == "region_ended":
            if event.scope in self._told and event.data.get("outcome") not in (None, "ok"):
                yield from self._inside(event.scope, _ended(event))
            self._leave(event.scope)
            return
        if event.type == "session_bound" and _was_begun(event):
            return
        if not event.node:
            yield Line(0, _of_run(event), _TONES.get(event.type, "plain"))
            return
        if event.type in self._left_out:
            return
        yield from self._inside(event.scope, Line(0, _of_node(event), _tone(event)))

    def _inside(self, path: str, line: Line) -> Iterator[Line]:
        """A line within a region, after the names of regions that are not on show."""
        chain = self.scopes.chain(path)
        paths = [scope.path for scope in chain]
        for number, scope in enumerate(chain):
            if self._open[: number + 1] != paths[: number + 1]:
                again = "… " if scope.path in self._told else ""
                self._told.add(scope.path)
                self._open = paths[: number + 1]
                yield Line(2 * number + 1, f"{again}{scope.told()}", "faint")
        self._open = paths
        yield Line(2 * len(chain) + line.depth, line.text, line.tone)

    def _leave(self, path: str) -> None:
        if path in self._open:
            self._open = self._open[: self._open.index(path)]


_TONES: dict[str, Tone] = {
    "node_completed": "good",
    "node_failed": "bad",
    "attempt_failed": "bad",
    "node_waiting": "waits",
    "node_skipped": "faint",
    "node_blocked": "bad",
    "node_started": "faint",
    "artifact_written": "faint",
    "run_completed": "good",
    "run_failed": "bad",
    "run_timed_out": "bad",
    "run_cancelled": "bad",
    "run_halted": "waits",
    "run_waiting": "waits",
}


_BEFORE = {
    "run_waiting": "it was waiting",
    "run_failed": "it had failed",
    "run_timed_out": "it had timed out",
    "run_halted": "it had been halted",
}


def _tone(event: Event) -> Tone:
    if event.type == "node_failed" and routes_of(event):
        return "waits"
    return _TONES.get(event.type, "plain")


def _was_begun(event: Event) -> bool:
    """Whether a session is only counted on: something was said in it."""
    session = event.data.get("session")
    return isinstance(session, Mapping) and bool(session.get("prompts"))


def _ended(event: Event) -> Line:
    return Line(0, f"ended: {clean(event.data.get('outcome'))}", "faint")


def _of_run(event: Event) -> str:
    data = event.data
    match event.type:
        case "run_started":
            start = data.get("start")
            return f"started at {clean(start)}" if start else "started"
        case "run_resumed":
            lost = data.get("lost") or ()
            before = _BEFORE.get(str(data.get("after")), "it had been broken off")
            told = f"resumed: {before}"
            named = "; ".join(clean(line) for line in lost[:_LOST_NAMED])
            more = f" and {len(lost) - _LOST_NAMED} more" if len(lost) > _LOST_NAMED else ""
            return f"{told}; lost of the trace: {named}{more}" if lost else told
        case "signal_received":
            return f"signal {clean(data.get('key'))}: {short_json(data.get('payload'))}"
        case "session_bound":
            return f"began session {clean(told_session(str(data.get('key'))))}"
        case "run_completed":
            path = data.get("path") or ()
            return f"completed: {shortened(path)}" if path else "completed"
        case "run_waiting":
            return f"waits for {', '.join(clean(key) for key in data.get('waiting_on') or ())}"
        case "run_halted":
            at = data.get("halted_at")
            return f"halted before {clean(at)}" if at else "halted"
        case "run_failed" | "run_timed_out" | "run_cancelled":
            how = event.type[4:].replace("_", " ")
            error = data.get("error")
            return f"{how}: {clean(error)}" if error else how
    return clean(event.type.replace("_", " "))


def _artifact(event: Event) -> str:
    """An artifact by as much of its name as tells it from others."""
    return clean(event.data.get("artifact"))[:19]


def _of_node(event: Event) -> str:
    data = event.data
    name = clean(event.node)
    if event.visit > 1:
        name += f" (visit {event.visit})"
    tries = f" (attempt {event.attempt})" if event.attempt > 1 else ""
    routes = routes_of(event)
    leads = f" -> {', '.join(map(clean, routes))}" if routes else ""
    match event.type:
        case "node_started":
            return f"{name} runs{tries}"
        case "artifact_written":
            size = plural(data.get("size") or 0, "character")
            return f"{name} kept its {clean(data.get('label'))}: {size}, {_artifact(event)}"
        case "attempt_failed":
            how = _outcome(data)
            again = data.get("again_in")
            pause = f"; again in {duration(again)}" if isinstance(again, int | float) else ""
            return f"{name}: attempt {event.attempt} {how}: {_error(event)}{pause}"
        case "node_completed":
            return f"{name} completed{_took(data)}{tries}{leads}"
        case "node_failed":
            tries = f" after {event.attempt} attempts" if event.attempt > 1 else ""
            return f"{name} {_outcome(data)}{_took(data)}{tries}: {_error(event)}{leads}"
        case "node_skipped":
            return f"{name} skipped"
        case "node_blocked":
            return f"{name} blocked: a node before it failed"
        case "node_waiting":
            reason = clean(data.get("reason") or "")
            until = data.get("until")
            end = f", until {moment(until)}" if isinstance(until, int | float) else ""
            return f"{name} waits for {clean(data.get('key') or event.node)}: {reason}{end}"
    return f"{name}: {clean(event.type.replace('_', ' '))}"


def _error(event: Event) -> str:
    return clean(without_node(str(event.data.get("error")), event.node))


def _outcome(data: Any) -> str:
    return clean(data.get("outcome") or "failed").replace("_", " ")


def _took(data: Any) -> str:
    took = data.get("took")
    return f" in {duration(took)}" if isinstance(took, int | float) else ""


def routes_of(event: Event) -> list[str]:
    """The nodes that were handed over to: names, or pairs of edge number and name."""
    routes = event.data.get("routes")
    if not isinstance(routes, list | tuple):
        return []
    names = [route[1] if isinstance(route, list | tuple) else route for route in routes]
    return [str(name) for name in names]


def short_json(value: object, most: int = 80) -> str:
    """A value as JSON on one line, cut where it is long."""
    text = clean(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= most else f"{text[: most - 1]}…"
