"""Declared types as values: for those who ask what a function returns or takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation.annotations import type_name
from flowlint.languages.typescript.evaluation.containers import latest
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.languages.typescript.reading.module import children
from flowlint.values.model import (
    Const,
    Entry,
    External,
    Generic,
    Mapped,
    Sequence,
    Union,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 20
"""Types within types that are read."""


def type_value(machine: Machine, node: Node, scope: Scope, depth: int = 0) -> Value:
    """A type: literals are constants, unions `Union`, object types `Mapped` of their members.

    Names of types outside the project are External, such with arguments Generic; `keyof typeof x`
    is the union of the keys of x. Anything else is Unknown.
    """
    origin = machine.origin(node, scope)
    parts = children(node)
    if depth > MAX_DEPTH:
        return Unknown("a type that is nested too deeply", origin)
    if node.type in ("type_annotation", "parenthesized_type", "readonly_type") and parts:
        return type_value(machine, parts[-1], scope, depth + 1)
    if node.type == "literal_type" and parts:
        return machine.evaluate(parts[0], scope)
    if node.type == "template_literal_type":
        return Unknown("a type of texts", origin)
    if node.type == "predefined_type":
        return External(scope.module.parsed.text_of(node), origin)
    if node.type == "union_type":
        return Union(tuple(_members(machine, node, scope, depth)), origin)
    if node.type in ("type_identifier", "nested_type_identifier"):
        return _named(machine, node, scope, depth)
    if node.type == "generic_type" and len(parts) > 1:
        base = _named(machine, parts[0], scope, depth)
        arguments = tuple(
            type_value(machine, part, scope, depth + 1) for part in children(parts[1])
        )
        return Generic(base, arguments, origin)
    if node.type == "array_type" and parts:
        inner = type_value(machine, parts[0], scope, depth + 1)
        return Generic(External("Array", origin), (inner,), origin)
    if node.type == "object_type":
        return _object(machine, node, scope, depth)
    if node.type == "index_type_query" and parts:
        return _keys(machine, parts[0], scope)
    if node.type == "type_query" and parts:
        return machine.evaluate(parts[0], scope)
    if node.type == "lookup_type" and parts:
        return _looked_up(machine, parts, scope)
    return Unknown("a type that is not followed", origin)


def _members(machine: Machine, node: Node, scope: Scope, depth: int) -> list[Value]:
    """The members of a union; unions nest to the left, one for each sign."""
    found: list[Value] = []
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type == "union_type":
            stack += reversed(children(current))
        else:
            found.append(type_value(machine, current, scope, depth + 1))
    return found


def _named(machine: Machine, node: Node, scope: Scope, depth: int) -> Value:
    origin = machine.origin(node, scope)
    name = type_name(machine, node, scope)
    if isinstance(name, str):
        return External(name, origin)
    if name is not None:
        home, meant = name
        return type_value(machine, meant, home, depth + 1)
    text = scope.module.parsed.text_of(node)
    declared = machine.program.outline(scope.module).types.get(text)
    if declared is not None and declared.type == "interface_declaration":
        body = declared.child_by_field_name("body")
        if body is not None:
            return _object(machine, body, scope.module, depth)
    if declared is None:
        return External(text, origin)
    return Unknown(f"the type `{text}`", origin)


def _object(machine: Machine, node: Node, scope: Scope, depth: int) -> Value:
    """An object type, as an object with its members."""
    made = Mapped([], machine.origin(node, scope))
    for part in children(node):
        name, declared = part.child_by_field_name("name"), part.child_by_field_name("type")
        place = machine.origin(part, scope)
        if part.type == "property_signature" and name is not None:
            key = Const(scope.module.parsed.text_of(name).strip("\"'"), machine.origin(name, scope))
            held: Value = Unknown("a member without a type", place)
            if declared is not None:
                held = type_value(machine, declared, scope, depth + 1)
            made.entries.append(Entry(key, held, place=place))
        elif part.type != "method_signature":
            made.rest = Unknown("more members", place)
    return made


def _keys(machine: Machine, node: Node, scope: Scope) -> Value:
    """`keyof typeof x`: the keys of x."""
    value = type_value(machine, node, scope)
    origin = machine.origin(node, scope)
    if isinstance(value, Mapped) and value.rest is None:
        return Union(tuple(entry.key for entry in latest(value)), origin)
    return Unknown("keys that are not known", origin)


def _looked_up(machine: Machine, parts: list[Node], scope: Scope) -> Value:
    """`(typeof x)[number]` and `(typeof x)[keyof typeof x]`: what is in x."""
    value = type_value(machine, parts[0], scope)
    origin = machine.origin(parts[0], scope)
    if isinstance(value, Sequence) and value.rest is None:
        return Union(tuple(item.value for item in value.items), origin)
    if isinstance(value, Mapped) and value.rest is None:
        key = type_value(machine, parts[1], scope) if len(parts) > 1 else None
        if isinstance(key, Const):
            return machine.member(value, str(key.value), origin)
        return Union(tuple(entry.value for entry in latest(value)), origin)
    return Unknown("a type that is looked up", origin)
