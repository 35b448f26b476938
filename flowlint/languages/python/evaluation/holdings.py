"""The containers of a followed object: what they hold, and writing to them past its methods."""

from __future__ import annotations

from flowlint.languages.python.evaluation.machine import Machine, negated
from flowlint.values.model import (
    Built,
    Choice,
    Const,
    Item,
    Method,
    Origin,
    Sequence,
    Unknown,
    Value,
)

READING = frozenset({"copy", "get", "items", "keys", "values", "__contains__", "__len__"})
"""Methods of containers that leave them as they are."""


def owner_of(value: Value) -> Built | None:
    """The followed object whose container a value is, None when it is none."""
    if isinstance(value, Method) and isinstance(value.receiver, Built):
        return value.receiver if value.name in value.receiver.model.containers else None
    return None


def written_past(value: Value, origin: Origin) -> bool:
    """Note that a container of a followed object is written to; False when it is none."""
    built = owner_of(value)
    if built is None or not isinstance(value, Method):
        return False
    built.escapes.append((f"its `{value.name}` are changed directly", origin))
    return True


def held(value: Value, origin: Origin) -> Value:
    """What a container of a followed object holds, or the value itself when it is none."""
    built = owner_of(value)
    if built is None or not isinstance(value, Method) or built.model.held is None:
        return value
    names = built.model.held(built, value.name)
    if names is None:
        return value
    items = [Item(Const(name, origin), presence) for presence, name in names]
    return Sequence("list", items, origin)


def membership(machine: Machine, container: Value, wanted: Value, origin: Origin) -> Value | None:
    """Whether a container of a followed object holds a name; None when it is no such container."""
    if owner_of(container) is None:
        return None
    names = held(container, origin)
    if not isinstance(names, Sequence) or not isinstance(wanted, Const):
        return Unknown("whether it holds something", origin, machine.once())
    found = [
        item.presence - machine.known
        for item in names.items
        if isinstance(item.value, Const)
        and item.value.value == wanted.value
        and machine.possible(item.presence)
    ]
    if not found or frozenset() in found:
        return Const(bool(found), origin)
    if len(set(found)) > 1:
        return Unknown("whether it holds something", origin, machine.once())
    presence = found[0]
    return Choice(
        ((presence, Const(True, origin)), (negated(presence), Const(False, origin))), origin
    )


def call_held(value: Value, name: str, origin: Origin) -> Value | None:
    """The result of a method of such a container, None when it is none."""
    if owner_of(value) is None:
        return None
    if name == "keys":
        return held(value, origin)
    if name not in READING:
        written_past(value, origin)
    return Unknown(f"the result of `{name}`", origin)
