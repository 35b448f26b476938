"""What a run waits for, and how it is answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from shlex import quote
from typing import Any

from flowrt.cli.telling import short_json
from flowrt.cli.words import ago, clean, moment
from flowrt.engine.addresses import Key, addresses, full_addresses
from flowrt.stores.base import Event

_ENDS = frozenset({"node_completed", "node_failed", "node_skipped", "node_blocked"})


def open_waits(events: Iterable[Event]) -> list[Event]:
    """The pauses that nobody has answered yet, as they were written down."""
    found: dict[Key, Event] = {}
    for event in events:
        key = (event.scope, event.node, event.visit)
        if event.type == "node_waiting":
            found[key] = event
        elif event.type in _ENDS:
            found.pop(key, None)
            inside = f"{event.scope}/{event.node}#{event.visit}:"
            for inner in [held for held in found if held[0].startswith(inside)]:
                del found[inner]
        elif event.type == "signal_received":
            for answer in _answered(event, found):
                found.pop(answer, None)
    return list(found.values())


def _answered(signal: Event, found: Mapping[Key, Event]) -> list[Key]:
    to, name = signal.data.get("to"), signal.data.get("key")
    if to is not None:
        return [(key[0], key[1], key[2]) for key in to]
    return [key for key, wait in found.items() if name in (wait.data.get("key"), wait.node)]


def named(waits: Iterable[Event]) -> list[tuple[str, str, Event]]:
    """Each pause with what a signal has to name to answer it, and its full address."""
    found = {(wait.scope, wait.node, wait.visit): wait for wait in waits}
    pauses = {key: wait.data for key, wait in found.items()}
    short, full = addresses(pauses), full_addresses(pauses)
    return [(short[key], full[key], wait) for key, wait in found.items()]


def told(waits: Iterable[Event], run_id: str, more: str) -> Iterator[str]:
    """What is waited for, and the command that answers it. `more` are options it needs."""
    known = named(waits)
    names = [name for name, _, _ in known]
    for name, full, wait in known:
        reason = clean(wait.data.get("reason") or "")
        yield f"{clean(name)}: {reason}" if reason else clean(name)
        yield from (f"  {line}" for line in _details(name, wait))
        if names.count(name) > 1:
            yield f"  alone: --signal {quote(clean(full))}"
        if _is_timer(wait):
            yield f"  then: flowrt resume {quote(run_id)}{more}"
        else:
            example = quote(_example(name, wait))
            yield f"  answer: flowrt resume {quote(run_id)} --signal {example}{more}"


def _details(name: str, wait: Event) -> Iterator[str]:
    data = _mapping(wait.data.get("data"))
    if wait.scope:
        yield f"node: {clean(wait.node)} in {clean(wait.scope)}"
    elif name != wait.node:
        yield f"node: {clean(wait.node)}"
    options = data.get("options")
    if isinstance(options, list) and options:
        several = " (several may be chosen)" if data.get("multiple") else ""
        yield f"options: {', '.join(clean(option) for option in options)}{several}"
    elif data.get("schema"):
        yield f"must meet: {short_json(data['schema'], 200)}"
    if data.get("data") is not None:
        yield f"about: {short_json(data['data'], 200)}"
    if data.get("problem"):
        yield f"the answer before was wrong: {clean(data['problem'])}"
    until = wait.data.get("until")
    if isinstance(until, int | float):
        yield f"until: {moment(until)} ({ago(until)})"


def _is_timer(wait: Event) -> bool:
    return _mapping(wait.data.get("data")).get("waits_for") == "timer"


def _example(name: str, wait: Event) -> str:
    """A signal that would do where that can be told, else a word for its value."""
    data = _mapping(wait.data.get("data"))
    options = data.get("options")
    if isinstance(options, list) and options:
        first = json.dumps(options[0], ensure_ascii=False)
        return f"{name}=[{first}]" if data.get("multiple") else f"{name}={first}"
    return name if "checkpoint" in data else f"{name}=JSON"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
