"""What a run waits for, and how it is answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from shlex import quote
from typing import Any

from flowrt.cli.telling import short_json
from flowrt.cli.words import ago, clean, moment
from flowrt.stores.base import Event

_ENDS = frozenset({"node_completed", "node_failed", "node_skipped", "node_blocked"})


def open_waits(events: Iterable[Event]) -> list[Event]:
    """The pauses that nobody has answered yet, as they were written down."""
    found: dict[tuple[str, str, int], Event] = {}
    for event in events:
        key = (event.scope, event.node, event.visit)
        if event.type == "node_waiting":
            found[key] = event
        elif event.type in _ENDS:
            found.pop(key, None)
        elif event.type == "signal_received":
            name = event.data.get("key")
            answered = [key for key, wait in found.items() if name in (signal_of(wait), wait.node)]
            for key in answered:
                del found[key]
    return list(found.values())


def signal_of(wait: Event) -> str:
    """What a signal has to name to answer a pause."""
    return str(wait.data.get("key") or wait.node)


def told(waits: Iterable[Event], run_id: str, more: str) -> Iterator[str]:
    """What is waited for, and the command that answers it. `more` are options it needs."""
    for wait in waits:
        name = signal_of(wait)
        reason = clean(wait.data.get("reason") or "")
        yield f"{clean(name)}: {reason}" if reason else clean(name)
        yield from (f"  {line}" for line in _details(wait))
        if _is_timer(wait):
            yield f"  then: flowrt resume {quote(run_id)}{more}"
        else:
            example = quote(_example(name, wait))
            yield f"  answer: flowrt resume {quote(run_id)} --signal {example}{more}"


def _details(wait: Event) -> Iterator[str]:
    data = _mapping(wait.data.get("data"))
    if wait.scope:
        yield f"node: {clean(wait.node)} in {clean(wait.scope)}"
    elif signal_of(wait) != wait.node:
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
