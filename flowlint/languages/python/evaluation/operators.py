"""Operators and comparisons on values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from flowlint.languages.python.evaluation import dunders
from flowlint.languages.python.evaluation.assigning import key_of
from flowlint.languages.python.evaluation.holdings import membership
from flowlint.languages.python.evaluation.iteration import iterated
from flowlint.languages.python.evaluation.machine import Machine, value_key
from flowlint.languages.python.evaluation.testing import known_truth
from flowlint.values.model import (
    Class,
    Const,
    External,
    Function,
    Generic,
    Instance,
    Mapped,
    Origin,
    Sequence,
    Union,
    Unknown,
    Value,
)

MAX_TEXT = 20_000
"""Characters and elements that an operation on constants may make."""

OPERATORS: dict[type[ast.operator], Callable[[Any, Any], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
}

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.eq,
    ast.IsNot: operator.ne,
}


def operated(
    machine: Machine, op: ast.operator, left: Value, right: Value, origin: Origin
) -> Value:
    """The result of a binary operator, by a method of the project where one is defined."""
    result = dunders.binary(machine, op, left, right, origin)
    return operate(op, left, right) if result is None else result


def compare(machine: Machine, op: ast.cmpop, left: Value, right: Value, origin: Origin) -> Value:
    """The result of one comparison, by a method of the project where one is defined."""
    result = dunders.comparison(machine, op, left, right, origin)
    if result is not None:
        return result
    if isinstance(op, ast.In | ast.NotIn):
        inside = membership(machine, right, left, origin)
        if inside is not None:
            if isinstance(op, ast.In):
                return inside
            return machine.for_each(inside, lambda v: _opposite(v, origin), origin)
        right = iterated(machine, right, origin)
    return compared(op, left, right)


def _opposite(value: Value, origin: Origin) -> Value:
    if isinstance(value, Const):
        return Const(not value.value, origin)
    key = value.key if isinstance(value, Unknown) else None
    return Unknown("whether it lacks something", origin, f"not {key}" if key else None)


def operate(op: ast.operator, left: Value, right: Value) -> Value:
    """The result of a binary operator."""
    place = left.origin
    if isinstance(op, ast.BitOr):
        if isinstance(left, Mapped) and isinstance(right, Mapped):
            return Mapped([*left.entries, *right.entries], place, left.rest or right.rest)
        types = Class | External | Generic | Union
        if isinstance(left, types) or isinstance(right, types):
            members = (
                *(left.members if isinstance(left, Union) else (left,)),
                *(right.members if isinstance(right, Union) else (right,)),
            )
            return Union(members, place)
    if isinstance(left, Sequence) and isinstance(right, Sequence) and isinstance(op, ast.Add):
        return Sequence(left.kind, [*left.items, *right.items], place, left.rest or right.rest)
    if isinstance(left, Sequence) and isinstance(op, ast.Add) and isinstance(right, Unknown):
        return Sequence(left.kind, list(left.items), place, right)
    if isinstance(left, Const) and isinstance(right, Const):
        return _operate_constants(op, left, right)
    if isinstance(left, Const) and isinstance(op, ast.Mod) and isinstance(right, Sequence):
        values = [i.value.value for i in right.items if isinstance(i.value, Const)]
        if isinstance(left.value, str) and len(values) == len(right.items) and not right.rest:
            try:
                return Const(left.value % tuple(values), place)
            except (TypeError, ValueError):
                pass
    keys = (value_key(left), value_key(right))
    key = None if None in keys else f"({keys[0]} {type(op).__name__} {keys[1]})"
    return Unknown("the result of an operation", place, key)


def _operate_constants(op: ast.operator, left: Const, right: Const) -> Value:
    function = OPERATORS.get(type(op))
    unknown = Unknown("the result of an operation", left.origin)
    if function is None:
        return unknown
    sizes = [len(v) for v in (left.value, right.value) if isinstance(v, str | bytes)]
    numbers = [abs(v) for v in (left.value, right.value) if isinstance(v, int | float)]
    if sizes and numbers and max(sizes) * max(numbers, default=0) > MAX_TEXT:
        return unknown
    if any(n > 10**12 for n in numbers) or (sizes and sum(sizes) > MAX_TEXT):
        return unknown
    try:
        result = function(left.value, right.value)
    except (TypeError, ValueError, ArithmeticError, KeyError):
        return unknown
    if isinstance(result, str | int | float | bool | bytes):
        return Const(result, left.origin)
    return unknown


def compared(op: ast.cmpop, left: Value, right: Value) -> Value:
    """The result of one comparison."""
    origin = left.origin
    negative = isinstance(op, ast.NotEq | ast.IsNot | ast.NotIn)
    if isinstance(op, ast.In | ast.NotIn):
        found = _contains(right, left)
        if found is not None:
            return Const(found is not negative, origin)
    elif isinstance(left, Const) and isinstance(right, Const):
        if not left.enum and not right.enum:
            try:
                return Const(bool(COMPARISONS[type(op)](left.value, right.value)), origin)
            except TypeError:
                return Unknown("a comparison that raises", origin)
        if left.enum and right.enum and isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            equal = left.enum == right.enum and left.member == right.member
            return Const(equal is not negative, origin)
    elif isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
        concrete = (Function, Class, Sequence, Mapped)
        for one, other in ((left, right), (right, left)):
            is_none = isinstance(other, Const) and other.value is None
            if is_none and not isinstance(one, External) and known_truth(one) is not None:
                return Const(negative, origin)
            if is_none and isinstance(one, Instance) and isinstance(op, ast.Is | ast.IsNot):
                return Const(negative, origin)
            if isinstance(other, Const) and isinstance(one, concrete):
                return Const(negative, origin)
    if isinstance(left, External) and left.qualified == "sys.version_info":
        if _is_past(right) and isinstance(op, ast.Lt | ast.GtE):
            return Const(isinstance(op, ast.GtE), origin)
    keys = (value_key(left), value_key(right))
    if None in keys:
        return Unknown("a comparison", origin)
    symbol = {"NotEq": "Eq", "IsNot": "Is", "NotIn": "In"}.get(type(op).__name__)
    key = f"({keys[0]} {symbol or type(op).__name__} {keys[1]})"
    return Unknown("a comparison", origin, f"not {key}" if symbol else key)


OLDEST_PYTHON = (3, 10)
"""The oldest version of Python that a program is taken to run on."""


def _is_past(version: Value) -> bool:
    if not isinstance(version, Sequence) or version.rest is not None:
        return False
    numbers = [i.value.value for i in version.items if isinstance(i.value, Const)]
    whole = [number for number in numbers if isinstance(number, int)]
    return len(whole) == len(version.items) and tuple(whole) <= OLDEST_PYTHON


def _contains(container: Value, value: Value) -> bool | None:
    key = key_of(value)
    if key is None or not isinstance(value, Const):
        return None
    if isinstance(container, Sequence):
        members = [(key_of(i.value), i.presence) for i in container.items]
        rest = container.rest
    elif isinstance(container, Mapped):
        members = [(key_of(e.key), e.presence) for e in container.entries]
        rest = container.rest
    elif isinstance(container, Const) and isinstance(container.value, str):
        return value.value in container.value if isinstance(value.value, str) else None
    else:
        return None
    if any(member == key and not presence for member, presence in members):
        return True
    uncertain = rest is not None or any(m is None or m == key for m, _ in members)
    return None if uncertain else False
