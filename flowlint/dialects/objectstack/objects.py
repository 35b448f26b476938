"""Objects of a definition: their fields with places, as far as they are known."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from flowlint.dialects.objectstack.model import EXPRESSIONS
from flowlint.dialects.reading import alternatives
from flowlint.graph.model import ALWAYS, Presence
from flowlint.source import Span
from flowlint.values.model import Call, Const, External, Mapped, Origin, Sequence, Value

_UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class Given:
    """A field that is surely written, with its value."""

    name: str
    value: Value
    written: Origin

    @property
    def key(self) -> Span:
        """Where its name is written."""
        return self.written.span()

    @property
    def span(self) -> Span:
        """Where its value is written."""
        return self.value.origin.span()


@dataclass(frozen=True, slots=True)
class Obj:
    """An object: the fields that it surely has, and whether that is all.

    `unsure` are fields that it has under some test, or with a value that depends on one.
    """

    origin: Origin
    fields: Mapping[str, Given]
    unsure: frozenset[str] = frozenset()
    is_open: bool = False
    odd: tuple[Value, ...] = field(default=())

    @property
    def span(self) -> Span:
        """Where it is written."""
        return self.origin.span()

    def get(self, name: str) -> Value | None:
        """The value of a field, None where it surely is none or where it is not known."""
        found = self.fields.get(name)
        return found.value if found is not None else None

    def text(self, name: str) -> str | None:
        """The text that a field has, None for anything else."""
        value = self.get(name)
        return value.value if isinstance(value, Const) and isinstance(value.value, str) else None

    def lacks(self, name: str) -> bool:
        """Whether it surely has no such field."""
        return not (self.is_open or name in self.fields or name in self.unsure)

    def is_true(self, name: str) -> bool:
        """Whether a field is surely `true`."""
        value = self.get(name)
        return isinstance(value, Const) and value.value is True

    def items(self, name: str) -> list[Value]:
        """The elements that a field's list surely has."""
        return elements(self.get(name))

    def object(self, name: str) -> Obj | None:
        """The object that a field has, None for anything else."""
        value = self.get(name)
        return object_of(value) if isinstance(value, Mapped) else None


EMPTY: Mapping[str, Given] = {}


def nothing(span_of: Origin) -> Obj:
    """An object without fields, for one that is left out."""
    return Obj(span_of, EMPTY)


def object_of(value: Mapped, base: Presence = ALWAYS) -> Obj:
    """The fields of an object; of a field written twice, the last one counts."""
    fields: dict[str, Given] = {}
    unsure: set[str] = set()
    is_open = value.rest is not None or value.disturbed
    for entry in value.entries:
        name = entry.key.value if isinstance(entry.key, Const) else None
        if name is None:
            is_open = True
            continue
        name = str(name)
        if entry.presence - base:
            unsure.add(name)
            fields.pop(name, None)
        elif is_absent(entry.value):
            fields.pop(name, None)
            unsure.discard(name)
        else:
            fields[name] = Given(name, entry.value, entry.key.origin)
            unsure.discard(name)
    return Obj(value.origin, fields, frozenset(unsure), is_open)


def is_absent(value: Value) -> bool:
    """Whether a value is `undefined`, which is as if nothing were written."""
    return isinstance(value, External) and value.qualified == _UNDEFINED


def elements(value: Value | None) -> list[Value]:
    """The elements that a list surely has."""
    if not isinstance(value, Sequence):
        return []
    return [item.value for item in value.items if not item.presence]


def is_whole(value: Sequence) -> bool:
    """Whether a list surely has no more elements than are known, and has all of these."""
    return value.rest is None and not value.disturbed and not any(i.presence for i in value.items)


def texts_within(value: Value, skip: frozenset[str] = frozenset()) -> Iterator[Const]:
    """The texts within a value at any depth, but for what stands under the keys in `skip`."""
    pending: list[Value] = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Const):
            if isinstance(part.value, str):
                yield part
        elif isinstance(part, Sequence):
            pending += [item.value for item in reversed(part.items)]
        elif isinstance(part, Mapped):
            pending += [
                entry.value
                for entry in reversed(part.entries)
                if not (isinstance(entry.key, Const) and entry.key.value in skip)
            ]


@dataclass(frozen=True, slots=True)
class Expression:
    """What is written where an expression may stand; `source` is None where it is not known."""

    dialect: str | None
    source: str | None
    span: Span
    bare: bool = False
    """Whether it is a plain text."""


def expression_of(value: Value) -> Expression:
    """A text, an object with `dialect` and `source`, or a call such as P`…`."""
    span = value.origin.span()
    if isinstance(value, Const) and isinstance(value.value, str):
        return Expression("cel", value.value, span, True)
    if isinstance(value, Mapped):
        obj = object_of(value)
        source = obj.get("source")
        place = source.origin.span() if source is not None else span
        return Expression(obj.text("dialect"), obj.text("source"), place)
    if isinstance(value, Call) and value.target in EXPRESSIONS:
        return _made(value)
    return Expression(None, None, span)


def _made(call: Call) -> Expression:
    """What a function makes of a text, or of a template with holes."""
    dialect: str | None = EXPRESSIONS[call.target]
    given = call.arguments.get("source", 0)
    place = (given or call).origin.span()
    parts = call.arguments.get("parts")
    if isinstance(parts, Sequence):
        texts = [_hole(item.value, dialect) for item in parts.items[1::2]]
        between = [item.value.value for item in parts.items[::2] if isinstance(item.value, Const)]
        if None in texts or len(between) != len(texts) + 1:
            return Expression(dialect, None, place)
        filled = [str(part) for pair in zip(between, [*texts, ""], strict=True) for part in pair]
        return Expression(dialect, "".join(filled), place)
    stated = call.arguments.get("dialect", 1)
    if stated is not None and not is_absent(stated):
        word = stated.value if isinstance(stated, Const) else None
        dialect = word if isinstance(word, str) else None
    text = given.value if isinstance(given, Const) and isinstance(given.value, str) else None
    return Expression(dialect, text, place)


def _hole(value: Value, dialect: str | None) -> str | None:
    """How a value is written in a hole: as a constant of CEL, or as it is in a template."""
    if is_absent(value):
        return "null"
    if not isinstance(value, Const) or isinstance(value.value, bytes | complex):
        return None
    if isinstance(value.value, str) and dialect != "cel":
        return value.value
    return json.dumps(value.value, ensure_ascii=False)


def single_alternatives(
    value: Value, under: Presence, base: Presence
) -> Iterator[tuple[Presence, Value]]:
    """What a value may be that is there under a condition, each with its own beyond `base`."""
    for presence, single in alternatives(value, base | under):
        yield presence - base, single
