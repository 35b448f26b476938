"""Declared types: what they stand for, and values that are followed because of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.scopes import ModuleScope, Scope
from flowlint.languages.typescript.reading.module import children
from flowlint.values.conditions import alternatives
from flowlint.values.following import TypeModel
from flowlint.values.model import (
    Choice,
    Entry,
    Item,
    Mapped,
    Sequence,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_ALIASES = 8
"""Names of types that are followed one to the next."""

WRAPPERS = frozenset({"Partial", "Readonly", "Required", "Promise", "Awaited", "NonNullable"})
"""Generic types whose values are, for what is followed, those of their argument."""

LISTS = frozenset({"Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable"})

TABLES = frozenset({"Record", "Map", "ReadonlyMap"})


def annotated(machine: Machine, node: Node, value: Value, scope: Scope) -> Value:
    """A value that is declared to be of a type: followed, where a dialect asks for that type."""
    if not machine.followed.declaring:
        return value
    return _declared(machine, node, value, scope, 0)


def _declared(machine: Machine, node: Node, value: Value, scope: Scope, depth: int) -> Value:
    if depth > MAX_ALIASES:
        return value
    parts = children(node)
    if node.type in ("type_annotation", "parenthesized_type", "readonly_type") and parts:
        return _declared(machine, parts[-1], value, scope, depth)
    if node.type in ("type_identifier", "nested_type_identifier", "identifier"):
        name = type_name(machine, node, scope)
        if isinstance(name, str):
            model = machine.followed.declaring.get(name)
            return _followed(machine, model, value) if model is not None else value
        if name is not None:
            home, meant = name
            return _declared(machine, meant, value, home, depth + 1)
        return value
    if node.type == "array_type" and parts:
        return _each(machine, parts[0], value, scope, depth)
    if node.type == "generic_type" and len(parts) > 1:
        arguments = children(parts[1])
        text = scope.module.parsed.text_of(parts[0])
        if text in WRAPPERS and arguments:
            return _declared(machine, arguments[0], value, scope, depth)
        if (text in LISTS or text in TABLES) and arguments:
            return _each(machine, arguments[-1], value, scope, depth)
        return _declared(machine, parts[0], value, scope, depth)
    if node.type in ("union_type", "intersection_type"):
        for part in parts:
            found = _declared(machine, part, value, scope, depth + 1)
            if found is not value:
                return found
    return value


def _each(machine: Machine, node: Node, value: Value, scope: Scope, depth: int) -> Value:
    """The elements of an array or the values of an object are declared to be of a type."""
    held: list[Item] | list[Entry] = []
    if isinstance(value, Sequence):
        held = value.items
    elif isinstance(value, Mapped):
        held = value.entries
    for one in held:
        one.value = _declared(machine, node, one.value, scope, depth + 1)
    return value


def _followed(machine: Machine, model: TypeModel, value: Value) -> Value:
    """An object literal that is of a type that is followed."""
    from flowlint.languages.typescript.evaluation.calling import declare

    if isinstance(value, Mapped):
        return declare(machine, model, value)
    if isinstance(value, Choice):
        found = tuple(
            (presence, declare(machine, model, single) if isinstance(single, Mapped) else single)
            for presence, single in alternatives(value, machine.known)
        )
        return Choice(found, value.origin)
    return value


def type_name(machine: Machine, node: Node, scope: Scope) -> str | tuple[ModuleScope, Node] | None:
    """The qualified name of a type outside the project, or what an alias inside it stands for."""
    parsed = scope.module.parsed
    if node.type == "nested_type_identifier":
        parts = parsed.text_of(node).split(".")
        owner = machine.program.outline(scope.module).imports.get(parts[0].strip())
        if owner is None:
            return None
        start = owner.specifier if owner.name in ("*", "") else f"{owner.specifier}.{owner.name}"
        return ".".join((start, *(part.strip() for part in parts[1:])))
    return _named(machine, parsed.text_of(node), scope.module, 0)


def _named(
    machine: Machine, name: str, module: ModuleScope, depth: int
) -> str | tuple[ModuleScope, Node] | None:
    if depth > MAX_ALIASES:
        return None
    outline = machine.program.outline(module)
    declared = outline.types.get(name)
    if declared is not None:
        if declared.type == "type_alias_declaration":
            value = declared.child_by_field_name("value")
            return (module, value) if value is not None else None
        return None
    imported = outline.imports.get(name)
    if imported is None:
        return None
    return _imported(machine, imported.specifier, imported.name, module, depth)


def _imported(
    machine: Machine, specifier: str, name: str, module: ModuleScope, depth: int
) -> str | tuple[ModuleScope, Node] | None:
    path = machine.program.find(specifier, module)
    if path is None:
        return None if specifier.startswith(".") else f"{specifier}.{name}"
    if depth > MAX_ALIASES or path.endswith(".json"):
        return None
    other = machine.program.load(path)
    if other is None:
        return None
    outline = machine.program.outline(other)
    if name in outline.passed_on:
        passed = outline.passed_on[name]
        return _imported(machine, passed.specifier, passed.name, other, depth + 1)
    local = outline.exports.get(name, (name, None))[0]
    found = _named(machine, local, other, depth + 1)
    if found is not None:
        return found
    for star in outline.stars:
        found = _imported(machine, star, name, other, depth + 1)
        if isinstance(found, tuple) or (found is not None and found in machine.followed.declaring):
            return found
    return None
