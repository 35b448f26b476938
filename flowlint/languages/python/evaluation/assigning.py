"""Writing values to targets, and taking containers apart."""

from __future__ import annotations

import ast

from flowlint.graph.model import ALWAYS
from flowlint.languages.python.evaluation import dunders
from flowlint.languages.python.evaluation.holdings import written_past
from flowlint.languages.python.evaluation.iteration import iterated
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.values.conditions import alternatives, overwrite
from flowlint.values.model import (
    Built,
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
    Product,
    Sequence,
    Unknown,
    Value,
)

MAX_ELEMENTS = 1_000
"""Elements of a range or string that are counted out."""


def assign(machine: Machine, target: ast.expr, value: Value, scope: Scope) -> None:
    """Write `value` to a name, attribute, element or pattern of these."""
    origin = machine.origin(target, scope)
    if isinstance(value, Sequence) and value.lazy and value.rest is None:
        value.rest = Unknown("a generator, which runs only later", origin, f"#{value.serial}")
    if isinstance(target, ast.Name):
        scope.bind(target.id, value, machine.present, origin)
        _name_built(machine, value, target.id)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(machine, target.elts, value, scope)
    elif isinstance(target, ast.Attribute):
        owner = machine.evaluate(target.value, scope)
        for presence, single in alternatives(owner, machine.known):
            mark = machine.mark()
            machine.add(presence)
            set_attribute(machine, single, target.attr, value, origin)
            machine.restore(mark)
    elif isinstance(target, ast.Subscript):
        owner = machine.evaluate(target.value, scope)
        key = machine.evaluate(target.slice, scope)
        for presence, single in alternatives(owner, machine.known):
            if isinstance(single, Mapped):
                single.entries.append(Entry(key, value, machine.present | presence))
            elif isinstance(single, Sequence):
                _replace(machine, single, key, value, origin)
            elif not written_past(single, origin):
                mark = machine.mark()
                machine.add(presence)
                dunders.invoke(machine, single, "__setitem__", (key, value), origin)
                machine.restore(mark)
    elif isinstance(target, ast.Starred):
        assign(machine, target.value, value, scope)


def _replace(machine: Machine, owner: Sequence, key: Value, value: Value, origin: Origin) -> None:
    """Write an element of a list."""
    known = owner.rest is None and not any(item.presence for item in owner.items)
    if known and not machine.present and isinstance(key, Const) and isinstance(key.value, int):
        if -len(owner.items) <= key.value < len(owner.items):
            owner.items[key.value] = Item(value, place=origin)
            return
    owner.rest = Unknown("an element is replaced", origin)
    for item in owner.items:
        item.presence |= {
            (machine.literal(("replaced", machine.fresh()), "it was not replaced"), True)
        }


def _name_built(machine: Machine, value: Value, name: str) -> None:
    """A built object goes by the first name it gets where it is made."""
    if isinstance(value, Built) and value.name is None:
        here = machine.frames[-1].definition.qualified if machine.frames else None
        if value.symbol == here:
            value.name = name


def set_attribute(machine: Machine, owner: Value, name: str, value: Value, origin: Origin) -> None:
    """Write an attribute of an instance, class or module; of anything else it is lost."""
    _name_built(machine, value, name)
    if isinstance(owner, Built) and name in owner.model.containers:
        owner.escapes.append((f"its `{name}` are changed directly", origin))
    elif isinstance(owner, Instance | Built):
        if dunders.set_by_class(machine, owner, name, value, origin):
            return
        store_attribute(machine, owner, name, value, origin)
    elif isinstance(owner, External) and owner.qualified in machine.models.type_of:
        machine.patched = f"`{owner.qualified.rsplit('.', 1)[-1]}.{name}` is replaced"
        for built in machine.built:
            built.escapes.append((machine.patched, origin))
    elif isinstance(owner, Class):
        body = owner.reader.scope()
        if isinstance(body, Scope):
            body.bind(name, value, machine.present, origin)
    elif isinstance(owner, Product):
        owner.operation.uses.append((name, origin))
    elif isinstance(owner, Function):
        _set_of_function(machine, owner, name, value)
    elif isinstance(owner, Module) and isinstance(owner.definition, Scope):
        owner.definition.bind(name, value, machine.present, origin)


def store_attribute(
    machine: Machine, owner: Instance | Built, name: str, value: Value, origin: Origin
) -> None:
    """Write an attribute of an object itself, past whatever its class makes of that."""
    under = machine.present - owner.presence
    owner.attributes[name] = overwrite(owner.attributes.get(name), value, under, origin)


def _set_of_function(machine: Machine, owner: Function, name: str, value: Value) -> None:
    """Write an attribute of a function: its name is what systems call a node by."""
    if name in ("__name__", "__annotations__"):
        known = isinstance(value, Const) and isinstance(value.value, str) and not machine.present
        if name == "__name__" and known:
            assert isinstance(value, Const)
            owner.name = str(value.value)
        else:
            owner.decorators = (*owner.decorators, name)
    owner.attributes[name] = overwrite(
        owner.attributes.get(name), value, machine.present, value.origin
    )


def _unpack(machine: Machine, targets: list[ast.expr], value: Value, scope: Scope) -> None:
    origin = machine.origin(targets[0], scope) if targets else None
    if origin is None:
        return
    items, rest = elements(machine, value, origin)
    known = rest is None and all(not item.presence for item in items)
    starred = [i for i, target in enumerate(targets) if isinstance(target, ast.Starred)]
    if known and not starred and len(items) == len(targets):
        for target, item in zip(targets, items, strict=True):
            assign(machine, target, item.value, scope)
        return
    if known and len(starred) == 1 and len(items) >= len(targets) - 1:
        at, after = starred[0], len(targets) - starred[0] - 1
        middle = Sequence("list", items[at : len(items) - after], origin)
        values = [i.value for i in items[:at]]
        values += [middle, *(i.value for i in items[len(items) - after :])]
        for target, single in zip(targets, values, strict=True):
            assign(machine, target, single, scope)
        return
    key = value.key if isinstance(value, Unknown) else None
    for index, target in enumerate(targets):
        inner = f"{key}[{index}]" if key else None
        unknown = Unknown("taken from something unknown", machine.origin(target, scope), inner)
        assign(machine, target, unknown, scope)


def elements(machine: Machine, value: Value, origin: Origin) -> tuple[list[Item], Unknown | None]:
    """The elements of an iterable in order, and a stand-in for those that are not known."""
    found = alternatives(value, machine.known)
    if len(found) == 1:
        return _elements(iterated(machine, found[0][1], origin), origin)
    items: list[Item] = []
    rest: Unknown | None = None
    for presence, single in found:
        inner, inner_rest = _elements(iterated(machine, single, origin), origin)
        items += [Item(item.value, item.presence | presence, item.place) for item in inner]
        rest = rest or inner_rest
    return items, rest


def extend(machine: Machine, target: Sequence, more: Value, origin: Origin) -> None:
    """Append the elements of `more` to a list, under the present conditions."""
    items, rest = elements(machine, more, origin)
    target.items += [Item(i.value, i.presence | machine.present, i.place) for i in items]
    target.rest = target.rest or rest


def _elements(value: Value, origin: Origin) -> tuple[list[Item], Unknown | None]:
    if isinstance(value, Sequence):
        return list(value.items), value.rest
    if isinstance(value, Mapped):
        return [Item(key, presence) for key, presence in live_keys(value)], value.rest
    if isinstance(value, Const) and isinstance(value.value, str):
        if len(value.value) <= MAX_ELEMENTS:
            return [Item(Const(letter, origin)) for letter in value.value], None
    key = f"{value.key}[*]" if isinstance(value, Unknown) and value.key else None
    reason = value.reason if isinstance(value, Unknown) else "it cannot be iterated here"
    return [], Unknown(reason, origin, key)


def live_keys(mapping: Mapped) -> list[tuple[Value, frozenset[tuple[str, bool]]]]:
    """The keys of a mapping in order, each once."""
    keys: list[tuple[Value, frozenset[tuple[str, bool]]]] = []
    seen: dict[object, int] = {}
    for entry in mapping.entries:
        mark = key_of(entry.key)
        if mark is not None and mark in seen:
            if not entry.presence:
                keys[seen[mark]] = (keys[seen[mark]][0], ALWAYS)
            continue
        if mark is not None:
            seen[mark] = len(keys)
        keys.append((entry.key, entry.presence))
    return keys


def key_of(value: Value) -> object | None:
    """What a value is as a key of a mapping; None when that is not known."""
    if isinstance(value, Const):
        return (value.enum, value.value)
    if isinstance(value, Sequence) and value.kind == "tuple" and value.rest is None:
        parts = [key_of(item.value) for item in value.items]
        return None if None in parts else tuple(parts)
    return None if isinstance(value, Unknown) else id(value)
