"""Values of bodies: made from values of the evaluator, joined, and asked for their truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from flowlint.graph.model import ALWAYS
from flowlint.source import Span
from flowlint.values.bodies import (
    MEMBERS_ONLY,
    Given,
    Givens,
    Key,
    Made,
    Opaque,
    OpaqueText,
    Plain,
    Row,
    Table,
    Thing,
)
from flowlint.values.model import Call, Choice, Const, Mapped, Sequence, Unknown, UnknownText, Value

MAX_ALTERNATIVES = 24
"""Values told apart for one place; beyond, what they are is unknown."""

MAX_DEPTH = 6
"""Containers within containers that are looked into."""

Naming = Callable[[], int]


def from_value(value: Value, span: Span, number: Naming, depth: int = 0) -> Givens:
    """What the evaluator knows, as a body's value."""
    if isinstance(value, Const):
        return (_plain(value, span),)
    if isinstance(value, Choice):
        found = [from_value(single, span, number, depth) for _, single in value.alternatives]
        return joined(*found)
    if isinstance(value, Unknown):
        made = OpaqueText if isinstance(value, UnknownText) else Opaque
        return (made(value.reason, span),)
    if depth > MAX_DEPTH:
        return (Opaque("it is nested too deeply", span),)
    if isinstance(value, Mapped):
        return (_table(value, span, number, depth),)
    if isinstance(value, Sequence):
        items = tuple(from_value(item.value, span, number, depth + 1) for item in value.items)
        sure = all(item.presence == ALWAYS for item in value.items)
        more = value.rest is not None or value.disturbed or not sure
        return (Row(value.kind, items, span, more, identity=number()),)
    if isinstance(value, Call):
        named: dict[str, Givens] = {}
        for place, item in enumerate(value.arguments.items):
            name = item.name or str(place)
            named[name] = from_value(item.value, span, number, depth + 1)
        return (Made(value.target, named, span, value.arguments.spread),)
    return (Thing(value, span),)


def _plain(value: Const, span: Span) -> Plain:
    if not value.enum:
        return Plain(value.value, span)
    kind, _, qualified = value.enum.partition(":")
    member = f"{qualified.rsplit('.', 1)[-1]}.{value.member}"
    return Plain(value.value, span, member, enum=kind)


def new_key(plain: Plain, values: Givens, span: Span, certain: bool) -> Key:
    """A key of a mapping that is this constant."""
    member = plain if plain.member is not None else None
    return Key(name_of(plain), values, span, certain, member)


def name_of(plain: Plain) -> str:
    """What a constant is called as the key of a mapping."""
    own = plain.member if plain.enum in MEMBERS_ONLY else None
    return own or str(plain.value)


def sought(givens: Givens) -> str | None:
    """The key of a mapping that is looked up, None where it is not known, or is no text."""
    given = givens[0] if len(givens) == 1 else None
    if not isinstance(given, Plain) or not isinstance(given.value, str):
        return None
    return name_of(given)


def _table(value: Mapped, span: Span, number: Naming, depth: int) -> Table:
    keys: list[Key] = []
    more = value.rest is not None or value.disturbed
    for entry in value.entries:
        if not isinstance(entry.key, Const):
            more = True
            continue
        held = from_value(entry.value, span, number, depth + 1)
        plain = _plain(entry.key, span)
        keys.append(new_key(plain, held, span, entry.presence == ALWAYS))
    return Table(tuple(keys), span, more, identity=number())


def joined(*parts: Givens) -> Givens:
    """All values of several places, each once; those of the first as they are if all are there."""
    if len(parts) == 1 and len(parts[0]) < 2:
        return parts[0]
    found: dict[object, Given] = {}
    grown = False
    for part in parts:
        for given in part:
            key = _same(given)
            known = found.setdefault(key, given)
            if known is not given and isinstance(given, Table | Row):
                found[key] = merged = _merged(known, given)
                grown |= merged is not known
    if parts and len(found) == len(parts[0]) and not grown:
        return parts[0]
    values = tuple(found.values())
    if len(values) <= MAX_ALTERNATIVES:
        return values
    kept = values[: MAX_ALTERNATIVES - 1]
    return (*kept, Opaque("too many values are possible", values[-1].span))


def _merged(known: Given, given: Table | Row) -> Given:
    """One container with what may be in it on two ways; the first as it is if that is all."""
    if isinstance(known, Table) and isinstance(given, Table):
        pairs = zip(known.keys, given.keys, strict=True)
        keys = [(one, joined(one.values, other.values)) for one, other in pairs]
        if all(values is one.values for one, values in keys):
            return known
        return replace(known, keys=tuple(replace(one, values=held) for one, held in keys))
    if isinstance(known, Row) and isinstance(given, Row):
        items = [joined(*both) for both in zip(known.items, given.items, strict=True)]
        if all(item is one for item, one in zip(items, known.items, strict=True)):
            return known
        return replace(known, items=tuple(items))
    return known


def _same(given: Given) -> object:
    """What makes two values one."""
    if isinstance(given, Plain):
        return (type(given.value).__name__, given.value, given.member, given.span)
    if isinstance(given, Thing):
        return (id(given.value), given.span)
    if isinstance(given, Table):
        keys = tuple((key.name, key.certain) for key in given.keys)
        return ("table", given.identity, keys, given.more, given.whole)
    if isinstance(given, Row):
        return ("row", given.identity, len(given.items), given.more, given.repeated)
    if isinstance(given, Made):
        return (given.qualified, given.span, id(given))
    return given


def truth(given: Given) -> bool | None:
    """Whether a value counts as true; None where that is not known."""
    if isinstance(given, Plain):
        return given.enum == "Enum" or bool(given.value)
    if isinstance(given, Table):
        if any(key.certain for key in given.keys):
            return True
        return None if given.keys or given.more or given.whole else False
    if isinstance(given, Row):
        if given.repeated or given.more:
            return None
        return bool(given.items)
    return None


def constants(givens: Iterable[Given]) -> list[object] | None:
    """What constants are equal to, None when one of them is not known."""
    found: list[object] = []
    for given in givens:
        if not isinstance(given, Plain):
            return None
        found.append(given.equals)
    return found
