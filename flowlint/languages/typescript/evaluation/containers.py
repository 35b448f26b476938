"""What is in objects, arrays, maps and texts."""

from __future__ import annotations

from flowlint.graph.model import Presence
from flowlint.languages.typescript.evaluation.machine import Machine, value_key
from flowlint.languages.typescript.evaluation.operators import is_falsy, js_text
from flowlint.languages.typescript.evaluation.scopes import ModuleScope
from flowlint.values.conditions import alternatives
from flowlint.values.model import (
    Built,
    Choice,
    Class,
    Const,
    Entry,
    External,
    Function,
    Instance,
    Item,
    Mapped,
    Module,
    Origin,
    Sequence,
    Unknown,
    Value,
)

MAX_ELEMENTS = 1_000
"""Characters of a text that are counted out."""


def is_undefined(value: Value) -> bool:
    """Whether a value is `undefined`."""
    return isinstance(value, External) and value.qualified == "undefined"


def is_nothing(value: Value) -> bool:
    """Whether a value is `null` or `undefined`."""
    return is_undefined(value) or (isinstance(value, Const) and value.value is None)


def content(value: Value) -> Value:
    """What a value is that is followed only as it was declared to be of some type."""
    while isinstance(value, Built) and is_declared(value):
        value = value.arguments.items[0].value
    return value


def is_declared(built: Built) -> bool:
    """Whether something is followed since it was declared so, not since it was called."""
    return built.attributes.get(DECLARED) is not None


INHERITED = frozenset(
    {
        "__proto__", "clear", "constructor", "delete", "entries", "forEach", "get", "has",
        "hasOwnProperty", "isPrototypeOf", "keys", "propertyIsEnumerable", "set", "size",
        "toLocaleString", "toString", "valueOf", "values",
    }
)  # fmt: skip
"""Properties that objects and maps have without anybody writing them."""

DECLARED = "[[declared]]"
"""An attribute of what is followed by its declared type; no program can write it."""


def elements(machine: Machine, value: Value, origin: Origin) -> tuple[list[Item], Unknown | None]:
    """What a value gives when it is iterated, and whether there may be more."""
    value = content(value)
    if isinstance(value, Sequence):
        machine.take(len(value.items))
        return list(value.items), value.rest
    if isinstance(value, Mapped):
        machine.take(len(value.entries))
        if any(isinstance(entry.key, External) for entry in value.entries):
            return [], Unknown("what an object gives that says how it is gone through", origin)
        pairs = [
            Item(pair_of(entry, origin), entry.presence, entry.place) for entry in latest(value)
        ]
        return pairs, value.rest
    if isinstance(value, Const) and isinstance(value.value, str):
        if len(value.value) <= MAX_ELEMENTS:
            return [Item(Const(character, origin)) for character in value.value], None
    if isinstance(value, Choice):
        found: list[Item] = []
        rest: Unknown | None = None
        for presence, single in alternatives(value, machine.known):
            items, more = elements(machine, single, origin)
            found += [Item(i.value, i.presence | presence, i.place) for i in items]
            rest = rest or more
        return found, rest
    if is_nothing(value) or is_falsy(value):
        return [], None
    reason = value.reason if isinstance(value, Unknown) else "what is iterated is not known"
    return [], Unknown(reason, origin, value_key(value))


def pair_of(entry: Entry, origin: Origin) -> Sequence:
    """A property as an array of key and value."""
    return Sequence("list", [Item(entry.key), Item(entry.value)], entry.place or origin)


def latest(value: Mapped) -> list[Entry]:
    """The properties of an object as they are in the end: of equal keys the last one counts.

    A later one keeps the place in the order of the first.
    """
    found: dict[object, list[Entry]] = {}
    for entry in value.entries:
        key = entry.key.value if isinstance(entry.key, Const) else object()
        held = found.setdefault(key, [])
        if not entry.presence:
            held.clear()
        held.append(entry)
    return [entry for held in found.values() for entry in held]


def definition_of(value: Built) -> Mapped | None:
    """The object that something is built of as it stands: its properties are those of the object.

    None where methods add to what is built, so that it is more than what it was given.
    """
    model, items = value.model, value.arguments.items
    if model.fluent or model.products or model.containers or len(items) != 1:
        return None
    given = content(items[0].value)
    return given if isinstance(given, Mapped) and not items[0].spread else None


def entries_of(machine: Machine, value: Value) -> tuple[list[Entry], Unknown | None]:
    """The properties of a value that a spread copies, and whether there may be more."""
    value = content(value)
    if isinstance(value, Built):
        value = definition_of(value) or value
    if isinstance(value, Mapped):
        machine.take(len(value.entries))
        return list(value.entries), value.rest
    if isinstance(value, Sequence):
        known = value.rest is None and not any(item.presence for item in value.items)
        if known:
            numbered = enumerate(value.items)
            return [Entry(Const(str(n), i.value.origin), i.value) for n, i in numbered], None
    if isinstance(value, Instance):
        origin = value.origin
        rest = Unknown("an object out of sight", origin) if value.stand_in != "no" else None
        return [Entry(Const(n, v.origin), v) for n, v in value.attributes.items()], rest
    if isinstance(value, Module) and isinstance(value.definition, ModuleScope):
        from flowlint.languages.typescript.evaluation.imports import all_exported

        return all_exported(machine, value.definition, value.origin)
    if is_nothing(value) or is_falsy(value) or isinstance(value, Function | Class):
        return [], None
    if isinstance(value, Const) and not isinstance(value.value, str):
        return [], None
    reason = value.reason if isinstance(value, Unknown) else "what is spread is not known"
    return [], Unknown(reason, value.origin, value_key(value))


def property_of(machine: Machine, owner: Mapped, name: str) -> Value | None:
    """What an object holds under a name; None when that is not (surely) known."""
    pieces: list[tuple[Presence, Value]] = []
    unsure = owner.rest is not None
    for entry in reversed(owner.entries):
        if not isinstance(entry.key, Const):
            unsure = True
            break
        if js_text(entry.key.value) != name:
            continue
        presence = entry.presence - machine.known
        if not machine.possible(presence):
            continue
        pieces.append((presence, entry.value))
        if not presence:
            break
    if pieces and not pieces[-1][0]:
        return pieces[0][1] if len(pieces) == 1 else Choice(tuple(_apart(pieces)), owner.origin)
    if unsure or (not pieces and name in INHERITED):
        return None
    absent = External("undefined", owner.origin)
    if not pieces:
        return absent
    return Choice(tuple(_apart([*pieces, (frozenset(), absent)])), owner.origin)


def _apart(pieces: list[tuple[Presence, Value]]) -> list[tuple[Presence, Value]]:
    """The same with conditions that exclude each other: of two that hold, the first counts."""
    found: list[tuple[Presence, Value]] = []
    excluded: Presence = frozenset()
    for presence, value in pieces:
        merged = excluded | presence
        if not any((test, not outcome) in merged for test, outcome in merged):
            found.append((merged, value))
        if len(presence) == 1:
            ((test, outcome),) = presence
            excluded |= {(test, not outcome)}
    return found


def element(machine: Machine, owner: Value, key: Value, origin: Origin) -> Value:
    """What a value holds under a key or at an index."""
    if isinstance(owner, Sequence) and isinstance(key, Const):
        index = index_of(key)
        if index is not None and owner.rest is None:
            if not any(item.presence for item in owner.items[: index + 1]):
                if 0 <= index < len(owner.items):
                    return owner.items[index].value
                if not any(item.presence for item in owner.items):
                    return External("undefined", origin)
            return Unknown("an element out of sight", origin)
        if index is not None and 0 <= index < len(owner.items):
            if not any(item.presence for item in owner.items[: index + 1]):
                return owner.items[index].value
        if index is not None:
            return Unknown("an element out of sight", origin)
    if isinstance(owner, Const) and isinstance(owner.value, str) and isinstance(key, Const):
        index = index_of(key)
        if index is not None and 0 <= index < len(owner.value) and owner.value.isascii():
            return Const(owner.value[index], origin)
    if isinstance(key, Const):
        return machine.member(owner, js_text(key.value), origin)
    if isinstance(owner, Mapped) and owner.entries and owner.rest is None:
        known = value_key(key)
        label = known if known is not None else machine.once()
        return Unknown("an element that is chosen at run time", origin, f"#{owner.serial}[{label}]")
    inner, outer = value_key(key), value_key(owner)
    reason = owner.reason if isinstance(owner, Unknown) else "an element out of sight"
    if inner is not None and outer is not None:
        return Unknown(reason, origin, f"{outer}[{inner}]")
    return Unknown(reason, origin)


def index_of(key: Const) -> int | None:
    """The index that a constant is, None for other keys."""
    if isinstance(key.value, int) and not isinstance(key.value, bool):
        return key.value
    if isinstance(key.value, str) and key.value.isascii() and key.value.isdigit():
        return int(key.value) if len(key.value) < 10 else None
    return None


def remove(machine: Machine, owner: Mapped, key: Value) -> None:
    """Take a property out of an object, or a key out of a map: it is gone, or may be."""
    if not isinstance(key, Const):
        owner.rest = owner.rest or Unknown("something of it is deleted", key.origin)
        for entry in owner.entries:
            label = machine.literal(("deleted", machine.fresh()), "it is not deleted")
            entry.presence |= {(label, True)}
        return
    name = js_text(key.value)
    same = [
        entry
        for entry in owner.entries
        if isinstance(entry.key, Const) and js_text(entry.key.value) == name
    ]
    if not machine.present:
        owner.entries[:] = [entry for entry in owner.entries if entry not in same]
        return
    label = machine.literal(("deleted", machine.fresh()), f"`{name}` is not deleted")
    for entry in same:
        entry.presence |= {(label, True)}
