"""What subclasses may make of a class that somebody is meant to derive from."""

from __future__ import annotations

import ast

from flowlint.languages.python.evaluation.definitions import (
    class_body,
    class_member,
    external_bases,
)
from flowlint.languages.python.evaluation.fields import kind_of
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import ClassDefinition, FunctionDefinition
from flowlint.values.model import Class, Const, External, Function, Instance, Mapped, Sequence


def may_differ(machine: Machine, value: Instance, name: str) -> bool:
    """Whether what an instance holds under a name may be another than its class says.

    `value` stands for instances that nobody was seen to make: of the class or of a subclass.
    """
    found = class_member(machine, value.cls, name)
    if found is None:
        return False
    member, owner = found
    if any(_defines(machine, made, name) for made in machine.subclasses.get(value.cls.serial, ())):
        return True
    if isinstance(member, Function):
        return is_hook(member)
    if isinstance(member, Class | External):
        return False
    if _is_placeholder(member) or is_abstract(machine, value.cls):
        return True
    if name.isupper() and kind_of(owner) == "none":
        return False
    return value.stand_in == "any" or kind_of(owner) != "none"


def _defines(machine: Machine, made: Class, name: str) -> bool:
    """Whether the body of a class, or its methods on `self`, bind a name."""
    body = class_body(machine, made)
    return body is not None and name in body.names


def _is_placeholder(member: object) -> bool:
    """Values that are there to be replaced: None, empty texts, empty containers."""
    if isinstance(member, Const):
        return member.value is None or member.value == ""
    if isinstance(member, Sequence):
        return not member.items
    return isinstance(member, Mapped) and not member.entries


def is_hook(function: Function) -> bool:
    """Whether a method does nothing by itself, so that subclasses may fill it in."""
    definition = function.definition
    if not isinstance(definition, FunctionDefinition) or isinstance(definition.node, ast.Lambda):
        return False
    node = definition.node
    if any(_last(decorator) == "abstractmethod" for decorator in node.decorator_list):
        return True
    return all(_does_nothing(statement) for statement in node.body)


def _does_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Pass):
        return True
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise):
        return statement.exc is not None and _last(statement.exc) == "NotImplementedError"
    return False


def _last(node: ast.expr) -> str:
    bare = node.func if isinstance(node, ast.Call) else node
    return bare.attr if isinstance(bare, ast.Attribute) else getattr(bare, "id", "")


def is_abstract(machine: Machine, made: Class) -> bool:
    """Whether a class cannot or is not meant to be instantiated as it is."""
    if not isinstance(made.definition, ClassDefinition):
        return False
    body = class_body(machine, made)
    if body is None:
        return False
    if "abc.ABC" in external_bases(made) and any(
        base for base in made.bases if isinstance(base, External) and base.qualified == "abc.ABC"
    ):
        return True
    return any(isinstance(value, Function) and is_hook(value) for value in body.names.values())
