"""Flows written as data inside of code: `FlowDefinition(…)`, `from_dict({…})`."""

from __future__ import annotations

from flowlint.dialects.flowrt.model import DEFINITION, FROM_DATA
from flowlint.graph.model import ALWAYS
from flowlint.values.model import Built, Const, Entry, Mapped, Sequence, Unknown, Value


def data_of(built: Built) -> Mapped | None:
    """The data that a call makes a flow of; None for calls that take none, or an object."""
    if built.model is DEFINITION:
        return _of_arguments(built)
    if built.model is not FROM_DATA:
        return None
    given = built.arguments.find("data", 0) or built.arguments.find("definition", 0)
    if given is None or isinstance(given.value, Built):
        return None
    if isinstance(given.value, Mapped):
        return given.value
    origin = given.value.origin
    return Mapped([], origin, Unknown("the definition is not known", origin))


def _of_arguments(built: Built) -> Mapped:
    origin = built.origin
    rest = Unknown("more arguments", origin) if built.arguments.spread else None
    named = [item for item in built.arguments.items if item.name is not None]
    entries = [
        Entry(Const(item.name, item.place or item.value.origin), item.value, place=item.place)
        for item in named
    ]
    return Mapped(entries, origin, rest)


def first_unknown(value: Value) -> Value | None:
    """The first part of data that is not known in full, None where all of it is."""
    if isinstance(value, Const):
        return None
    if isinstance(value, Mapped):
        if value.rest is not None or value.disturbed:
            return value.rest or value
        parts = [part for entry in value.entries for part in (entry.key, entry.value)]
        presences = [entry.presence for entry in value.entries]
    elif isinstance(value, Sequence):
        if value.rest is not None or value.disturbed:
            return value.rest or value
        parts = [item.value for item in value.items]
        presences = [item.presence for item in value.items]
    else:
        return value
    if any(presence != ALWAYS for presence in presences):
        return value
    return next((found for part in parts if (found := first_unknown(part)) is not None), None)
