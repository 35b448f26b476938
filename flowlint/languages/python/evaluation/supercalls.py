"""`super()`: what the next class in line makes of a call."""

from __future__ import annotations

import ast
from dataclasses import replace

from flowlint.languages.python.evaluation.assigning import store_attribute
from flowlint.languages.python.evaluation.attributes import super_member
from flowlint.languages.python.evaluation.constructing import raw_instance
from flowlint.languages.python.evaluation.fields import bind_fields
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.values.model import (
    Arguments,
    Built,
    Class,
    Const,
    Function,
    Instance,
    Method,
    Unknown,
    Value,
)


def is_super(node: ast.expr) -> bool:
    """Whether an expression is `super()`."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def call_super(machine: Machine, name: str, arguments: Arguments, scope: Scope) -> Value:
    """The result of `super().name(…)`."""
    function = scope
    while function.receiver is None and function.parent is not None:
        function = function.parent
    receiver, owner = function.receiver, function.owner
    if name == "__new__":
        return _new(machine, owner, arguments, scope)
    if receiver is None or owner is None:
        return Unknown("`super()` out of sight", arguments.origin)
    member = super_member(machine, receiver, owner, name)
    if member is not None:
        return machine.call(member, arguments, scope)
    if isinstance(receiver, Built):
        if name == "__init__":
            receiver.arguments = arguments
            return Const(None, arguments.origin)
        plain = receiver.cls
        receiver.cls = None
        try:
            method = Method(receiver, name, arguments.origin)
            return machine.call(method, arguments, scope)
        finally:
            receiver.cls = plain
    if name == "__setattr__" and isinstance(receiver, Instance) and len(arguments.items) == 2:
        target, value = (item.value for item in arguments.items)
        if isinstance(target, Const):
            store_attribute(machine, receiver, str(target.value), value, arguments.origin)
            return Const(None, arguments.origin)
    if name == "__init__" and isinstance(receiver, Instance):
        bind_fields(machine, receiver, arguments)
    return Unknown(f"`super().{name}` out of sight", arguments.origin)


def _new(machine: Machine, owner: Class | None, arguments: Arguments, scope: Scope) -> Value:
    """What `super().__new__(cls, …)` makes."""
    first = arguments.get("", 0)
    if machine.making_classes and first is not machine.making_classes[-1]:
        return machine.making_classes[-1]
    if not isinstance(first, Class):
        return Unknown("an object of an unknown class", arguments.origin)
    member = super_member(machine, first, owner, "__new__") if owner is not None else None
    if isinstance(member, Function):
        return machine.call(replace(member, receiver=None), arguments, scope)
    return raw_instance(machine, first, arguments)
