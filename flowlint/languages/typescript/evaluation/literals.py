"""Literals that hold others: objects, arrays, templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation import functions
from flowlint.languages.typescript.evaluation.containers import elements, entries_of
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.operators import js_text, text_value
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.languages.typescript.reading.literals import number_of, unescaped
from flowlint.languages.typescript.reading.module import Place, children
from flowlint.values.conditions import alternatives
from flowlint.values.model import (
    Const,
    Entry,
    Item,
    Mapped,
    Origin,
    Sequence,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def mapping(machine: Machine, node: Node, scope: Scope) -> Value:
    """An object literal."""
    parsed = scope.module.parsed
    made = Mapped([], parsed.place(node))
    entries = made.entries
    for part in node.named_children:
        kind = part.type
        if kind == "pair":
            key = key_of(machine, part.child_by_field_name("key"), scope)
            value_node = part.child_by_field_name("value")
            if value_node is None:
                continue
            if value_node.type in functions.MADE_HERE:
                name = js_text(key.value) if isinstance(key, Const) else ""
                value = functions.named(machine, value_node, None, scope, name)
            else:
                value = machine.evaluate(value_node, scope)
            entries.append(Entry(key, value, place=Place(parsed, part.start_byte, part.end_byte)))
            continue
        if kind == "comment":
            continue
        place = parsed.place(part)
        if kind == "shorthand_property_identifier":
            name = parsed.text_of(part)
            made.entries.append(
                Entry(Const(name, place), machine.evaluate(part, scope), place=place)
            )
        elif kind == "method_definition":
            _add_method(machine, part, scope, made, place)
        elif kind == "spread_element":
            inner = children(part)
            if inner:
                spread_into(machine, made, machine.evaluate(inner[0], scope), place)
        elif kind == "ERROR":
            made.rest = Unknown("something here cannot be read", place)
    return made


def key_of(machine: Machine, node: Node | None, scope: Scope) -> Value:
    """The key of a property."""
    parsed = scope.module.parsed
    if node is None:
        return Unknown("a key that cannot be read", Place(parsed, 0, 0))
    kind = node.type
    origin = Place(parsed, node.start_byte, node.end_byte)
    if kind == "property_identifier":
        return Const(parsed.text_of(node), origin)
    if kind == "computed_property_name":
        inner = children(node)
        value = machine.evaluate(inner[0], scope) if inner else Unknown("a key", origin)
        if isinstance(value, Const) and not isinstance(value.value, str):
            return Const(js_text(value.value), value.origin)
        return value
    text = parsed.text_of(node)
    if kind == "string":
        return Const(unescaped(text[1:-1]), origin)
    if kind == "number":
        return Const(js_text(number_of(text)), origin)
    return Const(text, origin)


def _add_method(machine: Machine, node: Node, scope: Scope, made: Mapped, place: Origin) -> None:
    key = key_of(machine, node.child_by_field_name("name"), scope)
    words = {child.type for child in node.children if not child.is_named}
    function = functions.method(machine, node, scope, made, key)
    if "get" in words:
        if "this" in scope.module.parsed.text_of(node):
            value: Value = Unknown("what a getter gives", place)
        else:
            value = machine.call(function, functions.no_arguments(place), scope)
        made.entries.append(Entry(key, value, place=place))
    elif "set" in words:
        made.rest = made.rest or Unknown("what a setter writes", place)
        for entry in made.entries:
            label = machine.literal(("set", machine.fresh()), "a setter does not change it")
            entry.presence |= {(label, True)}
    else:
        made.entries.append(Entry(key, function, place=place))


def spread_into(machine: Machine, made: Mapped, value: Value, place: Origin) -> None:
    """Copy the properties of a value into an object."""
    found = alternatives(value, machine.known)
    for presence, single in found:
        entries, rest = entries_of(machine, single)
        for entry in entries:
            made.entries.append(
                Entry(entry.key, entry.value, entry.presence | presence, entry.place)
            )
        if rest is not None:
            made.rest = made.rest or Unknown(rest.reason, place, rest.key)
            made.spreads += single.spreads if isinstance(single, Mapped) else [single]


def array(machine: Machine, node: Node, scope: Scope) -> Value:
    """An array literal."""
    made = Sequence("list", [], machine.origin(node, scope))
    expected = True
    for part in node.children:
        if part.type == ",":
            if expected:
                made.items.append(Item(Unknown("an element left out", machine.origin(part, scope))))
            expected = True
        elif part.type == "spread_element":
            inner = children(part)
            value = machine.evaluate(inner[0], scope) if inner else made
            items, rest = elements(machine, value, machine.origin(part, scope))
            made.items += [Item(i.value, i.presence, i.place) for i in items]
            made.rest = made.rest or rest
            expected = False
        elif part.is_named and part.type != "comment":
            if part.type == "ERROR":
                made.rest = Unknown("something here cannot be read", machine.origin(part, scope))
            else:
                value = machine.evaluate(part, scope)
                made.items.append(Item(value, place=machine.origin(part, scope)))
            expected = False
    return made


def template(machine: Machine, node: Node, scope: Scope) -> Value:
    """A template: a constant where all of its holes are."""
    origin = machine.origin(node, scope)
    parts = template_parts(machine, node, scope)
    if all(isinstance(part, str) for part in parts):
        return Const("".join(str(part) for part in parts), origin)
    values: list[Value] = [Const(p, origin) if isinstance(p, str) else p for p in parts]
    return text_value(machine, values, origin)


def template_parts(machine: Machine, node: Node, scope: Scope) -> list[str | Value]:
    """The texts and the values of the holes of a template, constants among them as texts."""
    return [
        part if isinstance(part, str) else as_text(part) for part in pieces(machine, node, scope)
    ]


def pieces(machine: Machine, node: Node, scope: Scope) -> list[str | Value]:
    """The texts of a template and the values of its holes as they are."""
    parsed = scope.module.parsed
    found: list[str | Value] = []
    at = node.start_byte + 1
    for part in children(node):
        if part.type != "template_substitution":
            continue
        found.append(unescaped(parsed.text.slice(at, part.start_byte)))
        at = part.end_byte
        inner = children(part)
        if inner:
            found.append(machine.evaluate(inner[0], scope))
    found.append(unescaped(parsed.text.slice(at, node.end_byte - 1)))
    return found


def as_text(value: Value) -> str | Value:
    """A value as it becomes part of a text, where it is constant."""
    if isinstance(value, Const) and not isinstance(value.value, bytes | complex):
        return js_text(value.value)
    return value
