"""Values of JavaScript as acpx meets them: their types, and the own properties of objects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from flowlint.dialects.acpx.model import own_name
from flowlint.dialects.reading import alternatives, live_entries
from flowlint.graph.model import ALWAYS, Presence
from flowlint.source import Span
from flowlint.values.model import (
    Built,
    Call,
    Class,
    Const,
    Entry,
    External,
    Function,
    Instance,
    Mapped,
    Module,
    Partial,
    Sequence,
    Unknown,
    Value,
)

Type = Literal[
    "undefined", "null", "boolean", "number", "string", "array", "object", "function", "unknown"
]

_LONGEST_WHOLE = 1e21
_MOST_SHOWN = 40


def type_of(value: Value) -> Type:
    """The type of a value, as far as it is known."""
    if isinstance(value, Const):
        return _type_of_constant(value.value)
    match value:
        case External() if value.qualified == "undefined":
            return "undefined"
        case External() if own_name(value.qualified):
            return "function"
        case Sequence():
            return "array"
        case Mapped() | Instance() | Built() | Module():
            return "object"
        case Function() | Class() | Partial():
            return "function"
    return "unknown"


def _type_of_constant(value: object) -> Type:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, int | float) else "string"


def types_of(value: Value) -> set[Type]:
    """The types that a value may have."""
    return {type_of(single) for _, single in alternatives(value)}


def is_undefined(value: Value) -> bool:
    """Whether a value surely is `undefined`."""
    return types_of(value) == {"undefined"}


def shown(value: Value) -> str:
    """A value in prose."""
    kind = type_of(value)
    if isinstance(value, Const) and kind == "string":
        text = " ".join(str(value.value).split())
        return f'"{text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"}"'
    if isinstance(value, Const) and kind == "number":
        return f"`{_number(value.value)}`"
    if isinstance(value, Const) and kind == "boolean":
        return f"`{str(value.value).lower()}`"
    if kind in ("undefined", "null"):
        return f"`{kind}`"
    return f"an {kind}" if kind in ("array", "object") else f"a {kind}"


def label_of(key: Value) -> str | None:
    """The text under which a value stands as the key of an object, None where it is not known."""
    if not isinstance(key, Const):
        return None
    if isinstance(key.value, str):
        return key.value
    if isinstance(key.value, bool):
        return str(key.value).lower()
    return "null" if key.value is None else _number(key.value)


def _number(value: object) -> str:
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        if value.is_integer() and abs(value) < _LONGEST_WHOLE:
            return str(int(value))
    return str(value)


@dataclass(frozen=True, slots=True)
class Property:
    """An own property of an object. `presence` is the condition under which it is there."""

    name: str
    entry: Entry
    presence: Presence = ALWAYS

    @property
    def value(self) -> Value:
        """What it holds."""
        return self.entry.value

    @property
    def key(self) -> Span:
        """Where its name stands."""
        return self.entry.key.origin.span()

    @property
    def place(self) -> Span:
        """Where all of it stands."""
        return (self.entry.place or self.entry.key.origin).span()

    @property
    def span(self) -> Span:
        """Where the value stands."""
        return self.value.origin.span()


@dataclass(frozen=True, slots=True)
class Shape:
    """The own properties of an object. `rest` tells why there may be others."""

    span: Span
    properties: tuple[Property, ...] = ()
    rest: Unknown | None = None
    repeated: tuple[tuple[Property, Property], ...] = ()
    """Properties that are written twice in one literal, of which the second one counts."""
    by_name: dict[str, list[Property]] = field(default_factory=dict)

    def own(self, name: str) -> bool | None:
        """Whether there is an own property of this name, None where that cannot be told."""
        found = self.by_name.get(name, ())
        if any(not one.presence for one in found) or _is_covered(found):
            return True
        return None if found or self.rest is not None else False

    def find(self, name: str) -> Property | None:
        """The property that surely is there under a name."""
        found = self.by_name.get(name, ())
        if len(found) == 1 and not found[0].presence and not self._is_overridden(found[0]):
            return found[0]
        return None

    def given(self, name: str) -> Property | None:
        """The same, None also where its value surely is `undefined`."""
        found = self.find(name)
        return None if found is None or is_undefined(found.value) else found

    def _is_overridden(self, one: Property) -> bool:
        """Whether something unknown that is spread in behind a property may replace it."""
        if self.rest is None:
            return False
        spread = self.rest.origin.span()
        return spread.path != one.place.path or spread > one.place


def _is_covered(found: list[Property] | tuple[Property, ...]) -> bool:
    """Whether one of two properties is there, whatever a test gives."""
    if len(found) != 2 or any(len(one.presence) != 1 for one in found):
        return False
    ((test, outcome),), ((other, opposite),) = found[0].presence, found[1].presence
    return test == other and outcome != opposite


def shape_of(value: Value | None, base: Presence, span: Span) -> Shape | None:
    """The properties of an object, None where they are not known at all."""
    if value is None:
        return Shape(span)
    if not isinstance(value, Mapped):
        return None
    properties: list[Property] = []
    for presence, entry in live_entries(value):
        name = label_of(entry.key)
        if name is not None:
            properties.append(_property(name, entry, presence - base))
    labels = [label_of(entry.key) for entry in value.entries]
    hidden = value.entries[labels.index(None)].key if None in labels else None
    rest = value.rest
    if rest is None and hidden is not None:
        rest = hidden if isinstance(hidden, Unknown) else Unknown("a key", hidden.origin)
    repeated = tuple(_repeated(value)) if len({*labels}) < len(labels) else ()
    shape = Shape(value.origin.span(), tuple(properties), rest, repeated)
    for one in properties:
        shape.by_name.setdefault(one.name, []).append(one)
    return shape


def _property(name: str, entry: Entry, presence: Presence) -> Property:
    return Property(name, entry, presence)


def _repeated(value: Mapped) -> Iterator[tuple[Property, Property]]:
    """Properties of one literal with equal names; what is spread in is meant to be replaced."""
    whole = value.origin.span()
    seen: dict[str, Property] = {}
    for entry in value.entries:
        name = label_of(entry.key)
        if name is None or entry.presence:
            continue
        one = _property(name, entry, ALWAYS)
        if not whole.contains(one.place):
            continue
        if name in seen:
            yield seen[name], one
        seen[name] = one


def call_of(value: Value) -> tuple[str, Call] | None:
    """The function of acpx that a value is the result of, with the call."""
    if not isinstance(value, Call):
        return None
    name = own_name(value.target)
    return (name, value) if name is not None else None
