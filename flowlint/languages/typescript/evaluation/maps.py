"""Methods of maps, and those that all objects have."""

from __future__ import annotations

from flowlint.languages.typescript.evaluation.array_callbacks import callback_call
from flowlint.languages.typescript.evaluation.containers import latest, pair_of, property_of, remove
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.operators import js_text
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.values.model import (
    Arguments,
    Const,
    Entry,
    External,
    Item,
    Mapped,
    Origin,
    Sequence,
    Unknown,
    Value,
)


def call_map(
    machine: Machine, owner: Mapped, name: str, arguments: Arguments, scope: Scope
) -> Value | None:
    """The result of a method of a map or an object, None for one that is not followed."""
    origin = arguments.origin
    first, second = arguments.get("", 0), arguments.get("", 1)
    if name == "set" and first is not None and second is not None:
        owner.entries.append(Entry(first, second, machine.present, origin))
        return owner
    if name == "get" and isinstance(first, Const):
        found = property_of(machine, owner, js_text(first.value))
        return found or Unknown("a value out of sight", origin, f"#{owner.serial}.{first.value!r}")
    if name == "delete" and first is not None:
        remove(machine, owner, first)
        return Unknown("whether it was there", origin)
    if name == "clear" and not machine.present:
        owner.entries.clear()
        owner.rest = None
        return External("undefined", origin)
    if name in ("has", "hasOwnProperty") and isinstance(first, Const):
        return _has(owner, js_text(first.value), origin)
    if name in ("keys", "values", "entries"):
        return listed(owner, name, origin)
    if name == "forEach" and first is not None and owner.rest is None:
        for entry in latest(owner):
            mark = machine.mark()
            machine.add(entry.presence)
            callback_call(machine, first, [entry.value, entry.key, owner], scope, origin)
            machine.restore(mark)
        return External("undefined", origin)
    return None


def _has(owner: Mapped, name: str, origin: Origin) -> Value:
    known = [entry for entry in owner.entries if isinstance(entry.key, Const)]
    same = [e for e in known if isinstance(e.key, Const) and js_text(e.key.value) == name]
    if any(not entry.presence for entry in same):
        return Const(True, origin)
    if not same and owner.rest is None and len(known) == len(owner.entries):
        return Const(False, origin)
    return Unknown("whether it is there", origin, f"#{owner.serial}.has({name})")


def listed(owner: Mapped, what: str, origin: Origin) -> Sequence:
    """The keys, values or entries of an object, in order."""
    items: list[Item] = []
    for entry in latest(owner):
        value: Value
        if what == "keys":
            value = entry.key
        elif what == "values":
            value = entry.value
        else:
            value = pair_of(entry, origin)
        items.append(Item(value, entry.presence, entry.place))
    return Sequence("list", items, origin, owner.rest)
