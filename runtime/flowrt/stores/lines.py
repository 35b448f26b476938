"""Events as lines of JSON, and traces read back from lines of which some may be damaged."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isfinite

from flowrt.errors import FlowError
from flowrt.stores.base import Event, Trace
from flowrt.stores.encoding import quote
from flowrt.stores.scrub import Scrubber

_NO_EVENT = "is not an event"


def event_line(event: Event, scrubber: Scrubber) -> str:
    """The event as one line of JSON, without its secrets; parts at their default are left out.

    Raises NotStorableError when the data is not JSON.
    """
    line = f'{{"seq":{event.seq},"at":{event.at!r},"type":{quote(event.type)}'
    if event.scope:
        line += f',"scope":{quote(event.scope)}'
    if event.node:
        line += f',"node":{quote(event.node)}'
    if event.visit:
        line += f',"visit":{event.visit}'
    if event.attempt:
        line += f',"attempt":{event.attempt}'
    if event.data:
        line += f',"data":{scrubber.encoded(event.data)}'
    return line + "}"


def read_event(line: str | bytes) -> Event:
    """The event a line holds. Raises ValueError saying what is wrong with it."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("is not JSON") from None
    if type(fields) is not dict:
        raise ValueError(_NO_EVENT)
    get = fields.get
    seq, at, type_, data = get("seq"), get("at"), get("type"), get("data")
    scope, node = get("scope", ""), get("node", "")
    visit, attempt = get("visit", 0), get("attempt", 0)
    if (
        type(seq) is not int
        or seq < 1
        or (type(at) is not float and type(at) is not int)
        or type(type_) is not str
        or type(scope) is not str
        or type(node) is not str
        or type(visit) is not int
        or type(attempt) is not int
        or (type(data) is not dict and "data" in fields)
    ):
        raise ValueError(_NO_EVENT)
    return Event(seq, at, type_, scope, node, visit, attempt, {} if data is None else data)


def read_trace(lines: Iterable[tuple[str, str | bytes]]) -> Trace:
    """The intact events among named lines, in order, and what of them is lost."""
    found: list[tuple[str, Event]] = []
    lost: list[str] = []
    for name, line in lines:
        try:
            found.append((name, read_event(line)))
        except ValueError as error:
            lost.append(f"{name} {error}")
    events: list[Event] = []
    expected = 1
    for index, (name, event) in enumerate(found):
        following = found[index + 1][1].seq if index + 1 < len(found) else None
        # A number that runs ahead of the lines after it was damaged itself.
        ahead = following is not None and expected <= following <= event.seq
        if event.seq < expected or (event.seq > expected and ahead):
            lost.append(f"{name} is out of order: event {event.seq} where {expected} was due")
            continue
        if event.seq > expected:
            lost.append(f"{_missing(expected, event.seq - 1)} missing before {name}")
        events.append(event)
        expected = event.seq + 1
    return Trace(tuple(events), tuple(lost))


def check_next(run_id: str, last: int, event: Event) -> None:
    """Refuse an event that does not follow the last one. Raises FlowError."""
    if event.seq != last + 1:
        raise FlowError(f"run `{run_id}`: event {event.seq} does not follow event {last}")
    if not isfinite(event.at):
        raise FlowError(f"run `{run_id}`: event {event.seq} has no time")


def _missing(first: int, last: int) -> str:
    return f"event {first} is" if first == last else f"events {first} to {last} are"
