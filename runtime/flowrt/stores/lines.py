"""Events as lines of JSON, and traces read back from lines of which some may be damaged."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from math import isfinite
from zlib import crc32

from flowrt.errors import FlowError
from flowrt.stores.base import Event, Trace
from flowrt.stores.encoding import line_bytes, quote
from flowrt.stores.markers import BEGIN
from flowrt.stores.scrub import Scrubber

_FIELDS = frozenset({*Event._fields, "crc"})
_CHECKSUM = ',"crc":'
_NO_EVENT = "is not an event"


def event_line(event: Event, scrubber: Scrubber) -> str:
    """The event as one line of JSON, without its secrets; parts at their default are left out.

    At the end stands the checksum (CRC-32) of what is before it.
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
    try:
        before = line.encode()
    except UnicodeEncodeError:
        before = line_bytes(line)
        line = before.decode()
    return f'{line},"crc":{crc32(before)}}}'


def read_event(line: str | bytes) -> Event:
    """The event a line holds. Raises ValueError saying what is wrong with it."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("is not JSON") from None
    if type(fields) is not dict:
        raise ValueError(_NO_EVENT)
    if not fields.keys() <= _FIELDS:
        raise ValueError(_NO_EVENT)
    if "crc" in fields and fields["crc"] != _checksum_of(line):
        raise ValueError("was changed: its checksum does not fit")
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
    marked: list[int] = []
    for name, line in lines:
        try:
            event = read_event(line)
        except ValueError as error:
            lost.append(f"{name} {error}")
            continue
        found.append((name, event))
        if BEGIN in line if isinstance(line, str) else BEGIN.encode() in line:
            marked.append(event.seq)
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
    return Trace(tuple(events), tuple(lost), expected - 1, frozenset(marked))


def ending(trace: Trace, told: int) -> Trace:
    """A trace of which its run told that it had so many events: what lacks at its end is lost."""
    if told <= trace.written:
        return trace
    lost = f"{_missing(trace.written + 1, told)} missing at the end"
    return replace(trace, lost=(*trace.lost, lost), written=told)


def check_next(run_id: str, last: int, event: Event) -> None:
    """Refuse an event that does not follow the last one. Raises FlowError."""
    if event.seq != last + 1:
        raise FlowError(f"run `{run_id}`: event {event.seq} does not follow event {last}")
    if not isfinite(event.at):
        raise FlowError(f"run `{run_id}`: event {event.seq} has no time")


def _checksum_of(line: str | bytes) -> int:
    text = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    return crc32(text[: text.rfind(_CHECKSUM.encode())])


def _missing(first: int, last: int) -> str:
    return f"event {first} is" if first == last else f"events {first} to {last} are"
