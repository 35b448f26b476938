"""What objects give when they are iterated: enumerations, named tuples, objects with `__iter__`."""

from __future__ import annotations

import ast

from flowlint.languages.python.evaluation.attributes import enum_members
from flowlint.languages.python.evaluation.definitions import (
    class_member,
    external_bases,
    lineage,
)
from flowlint.languages.python.evaluation.holdings import held
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import ClassDefinition
from flowlint.values.model import (
    Arguments,
    Class,
    Function,
    Instance,
    Item,
    Method,
    Origin,
    Sequence,
    Value,
)

NAMED_TUPLES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})


def iterated(machine: Machine, value: Value, origin: Origin) -> Value:
    """The container of an object's elements, or the value itself where it has none of its own."""
    if isinstance(value, Method):
        return held(value, origin)
    if isinstance(value, Class):
        members = enum_members(machine, value)
        if members is not None:
            return Sequence("list", [Item(member) for member in members], origin)
    if isinstance(value, Instance):
        if not NAMED_TUPLES.isdisjoint(external_bases(value.cls)):
            values = [value.attributes.get(name) for name in fields(value.cls)]
            known = [Item(single) for single in values if single is not None]
            if len(known) == len(values):
                return Sequence("tuple", known, origin)
        elif isinstance((class_member(machine, value.cls, "__iter__") or (None,))[0], Function):
            method = machine.attribute(value, "__iter__", origin)
            if isinstance(method, Function) and method.definition is not None:
                scope = getattr(method.definition, "scope", None)
                if scope is not None:
                    return machine.call(method, Arguments((), origin), scope)
    return value


def fields(made: Class) -> list[str]:
    """The names of the annotated fields of a class, those of its ancestors first."""
    names: dict[str, None] = {}
    for current in reversed(lineage(made)):
        if isinstance(current.definition, ClassDefinition):
            for statement in current.definition.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    names[statement.target.id] = None
    return list(names)
