"""Writing values to names, properties, elements and patterns of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation import operators
from flowlint.languages.typescript.evaluation.choosing import either
from flowlint.languages.typescript.evaluation.classes import call_setter
from flowlint.languages.typescript.evaluation.containers import (
    content,
    element,
    elements,
    index_of,
    is_undefined,
    latest,
)
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.operators import CONCRETE, js_text
from flowlint.languages.typescript.evaluation.scopes import ClassDefinition, Scope
from flowlint.languages.typescript.reading.literals import number_of, unescaped
from flowlint.languages.typescript.reading.module import children
from flowlint.values.conditions import alternatives, overwrite
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
    Product,
    Sequence,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

NAMES = frozenset(
    {"identifier", "shorthand_property_identifier_pattern", "shorthand_property_identifier"}
)


def assign(
    machine: Machine, target: Node, value: Value, scope: Scope, *, home: Scope | None = None
) -> None:
    """Write `value` to a target. `home` is where its names are declared; None: where they are."""
    stack = [(target, value)]
    while stack:
        node, given = stack.pop()
        origin = machine.origin(node, scope)
        if node.type in NAMES:
            name = scope.module.parsed.text_of(node)
            name_value(machine, given, name)
            if home is None:
                scope.assign(name, given, machine.present, origin)
            else:
                home.declare(name, given, machine.present, origin)
        elif node.type in ("object_pattern", "object"):
            stack += _of_object(machine, node, given, scope)
        elif node.type in ("array_pattern", "array"):
            stack += _of_array(machine, node, given, scope)
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None:
                stack.append((left, with_default(machine, given, right, scope)))
        elif node.type == "member_expression":
            owner, word = node.child_by_field_name("object"), node.child_by_field_name("property")
            if owner is not None and word is not None:
                key = Const(scope.module.parsed.text_of(word), machine.origin(word, scope))
                set_element(machine, machine.evaluate(owner, scope), key, given, origin)
        elif node.type == "subscript_expression":
            owner, index = node.child_by_field_name("object"), node.child_by_field_name("index")
            if owner is not None and index is not None:
                found = machine.evaluate(owner, scope)
                key_value = machine.evaluate(index, scope)
                set_element(machine, found, key_value, given, origin)
        elif node.type in ("parenthesized_expression", "non_null_expression", "as_expression"):
            inner = children(node)
            if inner:
                stack.append((inner[0], given))


def with_default(machine: Machine, value: Value, default: Node, scope: Scope) -> Value:
    """A value, or its default where it is `undefined`."""
    origin = machine.origin(default, scope)
    found: list[tuple[frozenset[tuple[str, bool]], Value]] = []
    for presence, single in alternatives(value, machine.known):
        if is_undefined(single):
            mark = machine.mark()
            machine.add(presence)
            found.append((presence, machine.evaluate(default, scope)))
            machine.restore(mark)
        elif isinstance(single, (Const, *CONCRETE)):
            found.append((presence, single))
        else:
            mark = machine.mark()
            machine.add(presence)
            found.append((presence, either(machine, "??", single, default, default, scope, origin)))
            machine.restore(mark)
    if len(found) == 1:
        return found[0][1]
    return Choice(tuple(found), origin)


def _of_object(
    machine: Machine, node: Node, value: Value, scope: Scope
) -> list[tuple[Node, Value]]:
    """What the parts of a pattern for an object get."""
    parsed = scope.module.parsed
    found: list[tuple[Node, Value]] = []
    taken: list[str] = []
    for part in children(node):
        origin = machine.origin(part, scope)
        if part.type in NAMES:
            name = parsed.text_of(part)
            found.append((part, machine.member(value, name, origin)))
            taken.append(name)
        elif part.type == "object_assignment_pattern":
            left = part.child_by_field_name("left")
            if left is not None:
                name = parsed.text_of(left)
                found.append((part, machine.member(value, name, origin)))
                taken.append(name)
        elif part.type in ("pair_pattern", "pair"):
            key, inner = part.child_by_field_name("key"), part.child_by_field_name("value")
            if key is not None and inner is not None:
                held, name = _under_key(machine, value, key, scope)
                found.append((inner, held))
                taken.append(name)
        elif part.type in ("rest_pattern", "spread_element"):
            inner_parts = children(part)
            if inner_parts:
                found.append((inner_parts[0], _rest(machine, value, taken, origin)))
    return found


def _under_key(machine: Machine, value: Value, key: Node, scope: Scope) -> tuple[Value, str]:
    parsed = scope.module.parsed
    origin = machine.origin(key, scope)
    text = parsed.text_of(key)
    if key.type == "computed_property_name":
        inner = children(key)
        held = machine.evaluate(inner[0], scope) if inner else Unknown("a key", origin)
        name = js_text(held.value) if isinstance(held, Const) else ""
        return element(machine, value, held, origin), name
    if key.type == "string":
        text = unescaped(text[1:-1])
    elif key.type == "number":
        text = js_text(number_of(text))
    return machine.member(value, text, origin), text


def _rest(machine: Machine, value: Value, taken: list[str], origin: Origin) -> Value:
    value = content(value)
    if isinstance(value, Mapped):
        kept = [
            Entry(entry.key, entry.value, entry.presence, entry.place)
            for entry in latest(value)
            if not (isinstance(entry.key, Const) and js_text(entry.key.value) in taken)
        ]
        return Mapped(kept, origin, value.rest)
    reason = value.reason if isinstance(value, Unknown) else "the rest of an object"
    return Unknown(reason, origin)


def _of_array(machine: Machine, node: Node, value: Value, scope: Scope) -> list[tuple[Node, Value]]:
    """What the parts of a pattern for an array get."""
    found: list[tuple[Node, Value]] = []
    index = 0
    for part in node.children:
        origin = machine.origin(part, scope)
        if part.type == ",":
            index += 1
        elif part.type in ("rest_pattern", "spread_element"):
            inner = children(part)
            items, rest = elements(machine, value, origin)
            if any(item.presence for item in items[:index]):
                rest = rest or Unknown("elements out of sight", origin)
            if inner:
                found.append((inner[0], Sequence("list", items[index:], origin, rest)))
        elif part.is_named and part.type != "comment":
            found.append((part, _at(machine, value, index, origin)))
    return found


def _at(machine: Machine, value: Value, index: int, origin: Origin) -> Value:
    value = content(value)
    if isinstance(value, Mapped):
        items, rest = elements(machine, value, origin)
        value = Sequence("list", items, origin, rest)
    return machine.for_each(
        value, lambda v: element(machine, v, Const(index, origin), origin), origin
    )


def augment(machine: Machine, node: Node, scope: Scope) -> Value:
    """`a += b`, `a ??= b` and the like."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    assert left is not None and right is not None and operator is not None
    origin = machine.origin(node, scope)
    before = machine.evaluate(left, scope)
    sign = operator.type[:-1]
    if sign in ("&&", "||", "??"):
        value = either(machine, sign, before, left, right, scope, origin)
    else:
        value = operators.binary(machine, sign, before, machine.evaluate(right, scope), origin)
    assign(machine, left, value, scope)
    return value


def set_element(machine: Machine, owner: Value, key: Value, value: Value, origin: Origin) -> None:
    """Write a property or element of whatever `owner` is."""
    for presence, single in alternatives(owner, machine.known):
        mark = machine.mark()
        machine.add(presence)
        _set_one(machine, content(single), key, value, origin)
        machine.restore(mark)


def _set_one(machine: Machine, owner: Value, key: Value, value: Value, origin: Origin) -> None:
    name = js_text(key.value) if isinstance(key, Const) else None
    if name is not None:
        name_value(machine, value, name)
    made = owner.cls if isinstance(owner, Instance | Built) else None
    if made is not None and name is not None:
        if call_setter(machine, made, name, owner, value, origin):
            return
    if isinstance(owner, Mapped):
        owner.entries.append(Entry(key, value, machine.present, origin))
    elif isinstance(owner, Sequence):
        _replace(machine, owner, key, value, origin)
    elif isinstance(owner, Built):
        if name is None or name in owner.model.containers:
            what = f"its `{name}`" if name else "something in it"
            owner.escapes.append((f"{what} is changed directly", origin))
        elif name is not None:
            under = machine.present - owner.presence
            owner.attributes[name] = overwrite(owner.attributes.get(name), value, under, origin)
    elif isinstance(owner, Instance):
        if name is None:
            owner.stand_in = "any"
        else:
            under = machine.present - owner.presence
            owner.attributes[name] = overwrite(owner.attributes.get(name), value, under, origin)
    elif isinstance(owner, Product) and name is not None:
        owner.operation.uses.append((name, origin))
    elif isinstance(owner, Class) and name is not None:
        if isinstance(owner.definition, ClassDefinition):
            held = owner.definition.statics
            held[name] = overwrite(held.get(name), value, machine.present, origin)
    elif isinstance(owner, Function) and name is not None:
        held = owner.attributes
        held[name] = overwrite(held.get(name), value, machine.present, origin)
    elif isinstance(owner, Module) and isinstance(owner.definition, Scope) and name is not None:
        owner.definition.declare(name, value, machine.present, origin)
    elif isinstance(owner, External) and owner.qualified in machine.models.type_of:
        short = owner.qualified.rsplit(".", 1)[-1]
        for built in machine.built:
            built.escapes.append((f"`{short}.{name}` is replaced", origin))


def _replace(machine: Machine, owner: Sequence, key: Value, value: Value, origin: Origin) -> None:
    """Write an element of an array, or its length."""
    known = owner.rest is None and not any(item.presence for item in owner.items)
    if known and not machine.present and isinstance(key, Const):
        index = index_of(key)
        if index is not None and index < len(owner.items):
            owner.items[index] = Item(value, place=origin)
            return
        if index is not None and index == len(owner.items):
            owner.items.append(Item(value, place=origin))
            return
        if key.value == "length" and isinstance(value, Const) and isinstance(value.value, int):
            if 0 <= value.value <= len(owner.items):
                del owner.items[value.value :]
                return
    owner.rest = Unknown("an element is replaced", origin)
    for item in owner.items:
        label = machine.literal(("replaced", machine.fresh()), "it was not replaced")
        item.presence |= {(label, True)}


def name_value(machine: Machine, value: Value, name: str) -> None:
    """What is built goes by the first name that it gets where it is made."""
    if isinstance(value, Built) and value.name is None:
        here = machine.frames[-1].definition.qualified if machine.frames else None
        if value.symbol == here:
            value.name = name
    elif isinstance(value, Choice):
        for _, single in value.alternatives:
            name_value(machine, single, name)
