"""Calls that the syntax makes by itself: special methods of objects of the project."""

from __future__ import annotations

import ast
from dataclasses import replace

from flowlint.languages.python.evaluation.definitions import class_member
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import FunctionDefinition
from flowlint.languages.python.nodes import walk
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Class,
    Const,
    External,
    Function,
    Instance,
    Origin,
    Unknown,
    Value,
)

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.MatMult: "matmul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("__eq__", "__eq__"),
    ast.NotEq: ("__ne__", "__ne__"),
    ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"),
    ast.Gt: ("__gt__", "__lt__"),
    ast.GtE: ("__ge__", "__le__"),
}
"""The method of the left side, and that of the right side when the left has none."""

UNARY: dict[type[ast.unaryop], str] = {
    ast.USub: "__neg__",
    ast.UAdd: "__pos__",
    ast.Invert: "__invert__",
}


def special(machine: Machine, value: Value, name: str) -> bool:
    """Whether the class of an object, in the project, defines a special method."""
    made = value.cls if isinstance(value, Instance | Built) else None
    return made is not None and class_member(machine, made, name) is not None


def invoke(
    machine: Machine, value: Value, name: str, given: tuple[Value, ...], origin: Origin
) -> Value | None:
    """The result of a special method, None when the object has none of that name."""
    if not special(machine, value, name):
        return None
    method = machine.attribute(value, name, origin)
    if isinstance(method, Const) and method.value is None:
        return None
    arguments = Arguments(tuple(Argument(single) for single in given), origin)
    definition = method.definition if isinstance(method, Function) else None
    if isinstance(definition, FunctionDefinition):
        result = machine.call(method, arguments, definition.scope)
        return None if _is_refusal(result) else result
    machine.escape(arguments, f"passed to `{name}`, which cannot be seen")
    return Unknown(f"the result of `{name}`", origin, machine.once())


def _is_refusal(result: Value) -> bool:
    return isinstance(result, External) and result.qualified == "builtins.NotImplemented"


def binary(
    machine: Machine, op: ast.operator, left: Value, right: Value, origin: Origin
) -> Value | None:
    """The result of an operator that one side defines, None when neither does."""
    name = OPERATORS.get(type(op))
    if name is None:
        return None
    result = invoke(machine, left, f"__{name}__", (right,), origin)
    if result is None:
        result = invoke(machine, right, f"__r{name}__", (left,), origin)
    return result


def augmented(
    machine: Machine, op: ast.operator, left: Value, right: Value, origin: Origin
) -> Value | None:
    """The result of an operator that works in place, None when the object has none."""
    name = OPERATORS.get(type(op))
    return invoke(machine, left, f"__i{name}__", (right,), origin) if name else None


def unary(machine: Machine, op: ast.unaryop, value: Value, origin: Origin) -> Value | None:
    """The result of an operator on one object, None when the object has none."""
    name = UNARY.get(type(op))
    return invoke(machine, value, name, (), origin) if name else None


def comparison(
    machine: Machine, op: ast.cmpop, left: Value, right: Value, origin: Origin
) -> Value | None:
    """The result of a comparison that one side defines, None when neither does."""
    if isinstance(op, ast.In | ast.NotIn):
        found = invoke(machine, right, "__contains__", (left,), origin)
        if found is None:
            return None
        held = truth_of(machine, found, origin)
        if held is not None:
            return Const(held is not isinstance(op, ast.NotIn), origin)
        return Unknown("whether something is contained", origin, machine.once())
    names = COMPARISONS.get(type(op))
    if names is None:
        return None
    result = invoke(machine, left, names[0], (right,), origin)
    if result is None:
        result = invoke(machine, right, names[1], (left,), origin)
    if result is not None or not isinstance(op, ast.NotEq):
        return result
    equal = comparison(machine, ast.Eq(), left, right, origin)
    if equal is None:
        return None
    held = truth_of(machine, equal, origin)
    return Const(not held, origin) if held is not None else Unknown("a comparison", origin)


def set_by_class(
    machine: Machine, owner: Instance | Built, name: str, value: Value, origin: Origin
) -> bool:
    """Let the class of an object decide what writing an attribute does; False: nothing special."""
    found = class_member(machine, owner.cls, name) if owner.cls is not None else None
    member = found[0] if found is not None else None
    if isinstance(member, Function) and isinstance(member.definition, FunctionDefinition):
        setter = member.definition.setter
        if setter is not None and isinstance(setter.definition, FunctionDefinition):
            given = Arguments((Argument(value),), origin)
            machine.call(replace(setter, receiver=owner), given, setter.definition.scope)
            return True
    if isinstance(member, Instance):
        if invoke(machine, member, "__set__", (owner, value), origin) is not None:
            return True
    named = Const(name, origin)
    return invoke(machine, owner, "__setattr__", (named, value), origin) is not None


def truth_of(machine: Machine, value: Value, origin: Origin) -> bool | None:
    """Whether an object is true by its own methods, or a constant is; None when not known."""
    if isinstance(value, Const):
        return None if value.enum else bool(value.value)
    for name in ("__bool__", "__len__"):
        result = invoke(machine, value, name, (), origin)
        if result is not None:
            return bool(result.value) if isinstance(result, Const) else None
    if isinstance(value, Instance) and not _has_unseen_bases(value.cls):
        return True
    return None


def _has_unseen_bases(made: Class) -> bool:
    """Whether methods may come from classes out of sight."""
    plain = ("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol")
    return any(
        _has_unseen_bases(base)
        if isinstance(base, Class)
        else not (isinstance(base, External) and base.qualified in plain)
        for base in made.bases
    )


def swallows(machine: Machine, value: Value) -> bool:
    """Whether a context manager of the project may keep an exception from getting on."""
    if not isinstance(value, Instance):
        return False
    for name in ("__exit__", "__aexit__"):
        found = class_member(machine, value.cls, name)
        definition = found[0].definition if found and isinstance(found[0], Function) else None
        if isinstance(definition, FunctionDefinition):
            return any(_is_answer(node) for node in walk(definition.node))
    return False


def _is_answer(node: ast.AST) -> bool:
    """Whether a `return` may give something true."""
    if not isinstance(node, ast.Return) or node.value is None:
        return False
    return not isinstance(node.value, ast.Constant) or bool(node.value.value)
