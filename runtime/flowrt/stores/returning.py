"""Secrets that were hidden in a run, put back where it is gone on with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flowrt.errors import SecretsMissingError
from flowrt.stores.base import Event, Json, Trace
from flowrt.stores.codec import encode
from flowrt.stores.markers import BEGIN, MARKER, as_name, name_in

_NAMED = 8
_USED = frozenset({"node_waiting", "signal_received", "session_bound"})
"""Events beside ends of nodes whose data a resumed run works with."""


class Returned:
    """Puts the values of secrets back in place of their markers.

    `values` holds what was put back, by name; `unknown` the names that nobody gave again.
    """

    def __init__(self, secrets: Mapping[str, Any]) -> None:
        self._given = {as_name(name): value for name, value in secrets.items()}
        self.values: dict[str, Any] = {}
        self.unknown: dict[str, None] = {}

    def into(self, value: Any) -> Any:
        """A JSON value with its secrets."""
        if type(value) is str:
            return self._into_text(value) if BEGIN in value else value
        if type(value) is dict:
            return {str(self.into(key)): self.into(held) for key, held in value.items()}
        if type(value) is list:
            return [self.into(held) for held in value]
        return value

    def _into_text(self, text: str) -> Any:
        whole = MARKER.fullmatch(text)
        if whole is not None:
            return self._value(whole)
        return MARKER.sub(lambda match: str(self._value(match)), text)

    def _value(self, match: re.Match[str]) -> Any:
        name = name_in(match)
        if name not in self._given:
            self.unknown[name] = None
            return match[0]
        value = self._given[name]
        if match[2] and isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                value = encode(value)
        else:
            value = encode(value)
        self.values[name] = value
        return value


@dataclass(frozen=True, slots=True)
class Restored:
    """The input and trace of a run with their secrets, and these by name.

    `unknown` are the names of secrets that nobody gave, and nothing needs any more.
    """

    run_input: Json
    trace: Trace
    secrets: Mapping[str, Any]
    unknown: frozenset[str]


def put_back(run_id: str, run_input: Json, trace: Trace, secrets: Mapping[str, Any]) -> Restored:
    """Put secrets back where they were hidden.

    Raises SecretsMissingError naming those that the run needs and nobody gave. What only stands
    in parts of the trace that nothing needs any more may be lacking.
    """
    needed, rest = Returned(secrets), Returned(secrets)
    whole = needed.into(dict(run_input))
    used = _used(trace.events) if trace.marked else frozenset()
    events = []
    for event in trace.events:
        if event.seq not in trace.marked:
            events.append(event)
            continue
        returned = needed if event.seq in used else rest
        events.append(event._replace(data=returned.into(dict(event.data))))
    if needed.unknown:
        names = list(needed.unknown)
        raise SecretsMissingError(_told(run_id, names), names)
    known = {**rest.values, **needed.values}
    return Restored(whole, replace(trace, events=tuple(events)), known, frozenset(rest.unknown))


def _used(events: Sequence[Event]) -> frozenset[int]:
    """The events whose data a resumed run works with: of a node's ends only the last."""
    ends: dict[tuple[str, str], int] = {}
    for event in events:
        if event.type == "node_completed":
            ends[(event.scope, event.node)] = event.seq
    return frozenset(ends.values()) | {event.seq for event in events if event.type in _USED}


def _told(run_id: str, names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    options = " ".join(f"--secret {name}=…" for name in names[:_NAMED])
    return (
        f"run `{run_id}` works with secrets that were not written down: give {shown}{more} again, "
        f"as in `flowrt resume {run_id} {options}` (also --secrets-file, $FLOWRT_SECRET_{names[0]} "
        "and resume_run(secrets=…))"
    )
