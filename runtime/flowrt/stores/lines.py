"""Events as lines of JSON, and traces read back from lines of which some may be damaged."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import isfinite
from typing import Any

from flowrt.errors import FlowError
from flowrt.stores.base import Event, Trace
from flowrt.stores.encoding import quote
from flowrt.stores.scrub import Scrubber


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
    if not isinstance(fields, dict):
        raise ValueError("is not an event")
    event = Event(
        seq=_number(fields, "seq", None),
        at=_time(fields),
        type=_text(fields, "type", None),
        scope=_text(fields, "scope", ""),
        node=_text(fields, "node", ""),
        visit=_number(fields, "visit", 0),
        attempt=_number(fields, "attempt", 0),
        data=fields.get("data", {}),
    )
    if event.seq < 1 or not event.type or not isinstance(event.data, dict):
        raise ValueError("is not an event")
    return event


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


def _number(fields: dict[str, Any], name: str, default: int | None) -> int:
    value = fields.get(name, default)
    if type(value) is not int:
        raise ValueError("is not an event")
    return value


def _text(fields: dict[str, Any], name: str, default: str | None) -> str:
    value = fields.get(name, default)
    if type(value) is not str:
        raise ValueError("is not an event")
    return value


def _time(fields: dict[str, Any]) -> float:
    value = fields.get("at")
    if type(value) is not float and type(value) is not int:
        raise ValueError("is not an event")
    return float(value)
