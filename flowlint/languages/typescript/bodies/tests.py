"""Tests in a body: which values of a name lead which way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import sought
from flowlint.languages.bodies.names import Names, meet
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.languages.typescript.bodies.kinds import is_array, looked_at
from flowlint.languages.typescript.bodies.truth import truth
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Given, Givens, Made, Opaque, OpaqueText, Parameter, Plain, Row

if TYPE_CHECKING:
    from tree_sitter import Node

COMPARISONS = frozenset(
    {"==", "!=", "===", "!==", "<", "<=", ">", ">=", "in", "instanceof"}
)  # fmt: skip

EQUALITIES = {"==": True, "===": True, "!=": False, "!==": False}

ORDERS: dict[str, Callable[[float, float], bool]] = {
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}

Decide = Callable[["Given"], "bool | None"]
"""How one value decides a test; None where it cannot."""

Ways = tuple[Names | None, Names | None]
"""The names where a test holds, and where it does not; None where nothing gets there."""


def part(frame: Frame, test: Node, names: Names) -> Ways:
    """Evaluate a test and tell its ways apart."""
    frame.step()
    if test.type in ("parenthesized_expression", "non_null_expression", "await_expression"):
        inner = children(test)
        if inner:
            return part(frame, inner[0], names)
    operator = test.child_by_field_name("operator")
    kind = operator.type if operator is not None else ""
    if test.type == "unary_expression" and kind == "!":
        argument = test.child_by_field_name("argument")
        if argument is not None:
            holds, fails = part(frame, argument, names)
            return fails, holds
    left, right = test.child_by_field_name("left"), test.child_by_field_name("right")
    if test.type == "binary_expression" and left is not None and right is not None:
        if kind in ("&&", "||"):
            return _both(frame, left, right, names, is_and=kind == "&&")
        if kind in EQUALITIES:
            return _equality(frame, left, right, kind, names)
    if test.type == "identifier" and frame.text(test) in names:
        frame.test(frame.evaluate(test, names))
        return _by(names, frame.text(test), truth)
    found = frame.evaluate(test, names)
    frame.test(found)
    if test.type == "call_expression":
        asked = _asked_of_one(frame, test, names)
        if asked is not None:
            return _by(names, *asked)
    return _whole(found, names)


def _asked_of_one(frame: Frame, test: Node, names: Names) -> tuple[str, Decide] | None:
    """`Array.isArray(x)` and `["a", "b"].includes(x)`: x, and how its values decide."""
    callee, listed = test.child_by_field_name("function"), test.child_by_field_name("arguments")
    if callee is None or listed is None or callee.type != "member_expression":
        return None
    given = children(listed)
    found = looked_at(frame, given[0], names) if len(given) == 1 else None
    owner, method = callee.child_by_field_name("object"), callee.child_by_field_name("property")
    if found is None or owner is None or method is None:
        return None
    name, seen = found
    if frame.text(callee) == "Array.isArray":
        return name, lambda value: None if (one := seen(value)) is None else is_array(one)
    if frame.text(method) != "includes":
        return None
    rows = frame.evaluate(owner, names)
    row = rows[0] if len(rows) == 1 else None
    if not isinstance(row, Row) or row.more or row.repeated:
        return None
    items = [item[0] for item in row.items if len(item) == 1 and isinstance(item[0], Plain)]
    if len(items) != len(row.items):
        return None
    each = [_decision(item, is_strict=True, is_positive=True) for item in items]
    return name, lambda value: _any(decide(seen(value)) for decide in each)


def _any(answers: Iterable[bool | None]) -> bool | None:
    """Whether one of some questions is answered with yes; None where that is not known."""
    said = set(answers)
    return True if True in said else None if None in said else False


def _both(frame: Frame, left: Node, right: Node, names: Names, *, is_and: bool) -> Ways:
    holds, fails = part(frame, left, names)
    going, other = (holds, fails) if is_and else (fails, holds)
    if going is None:
        return (None, other) if is_and else (other, None)
    second_holds, second_fails = part(frame, right, dict(going))
    if is_and:
        return second_holds, meet([other, second_fails])
    return meet([other, second_holds]), second_fails


def _equality(frame: Frame, left: Node, right: Node, kind: str, names: Names) -> Ways:
    first, second = frame.evaluate(left, names), frame.evaluate(right, names)
    frame.test((*first, *second))
    found, other = looked_at(frame, left, names), second
    if found is None:
        found, other = looked_at(frame, right, names), first
    values = other
    if found is None:
        values, other = (first, second) if len(second) == 1 else (second, first)
    if len(other) != 1 or not isinstance(other[0], Plain):
        return dict(names), dict(names)
    decide = _decision(other[0], is_strict=len(kind) == 3, is_positive=EQUALITIES[kind])
    if found is not None:
        name, seen = found
        return _by(names, name, lambda given: decide(seen(given)))
    answers = {decide(given) for given in values}
    return (
        dict(names) if not values or answers != {False} else None,
        dict(names) if not values or answers != {True} else None,
    )


def compared(first: Givens, second: Givens, operator: str) -> bool | None:
    """What a comparison of two constants gives; None where one of them is not known."""
    if len(first) != 1 or len(second) != 1:
        return None
    left, right = first[0], second[0]
    if not isinstance(left, Plain) or not isinstance(right, Plain):
        return None
    if operator in EQUALITIES:
        is_strict = len(operator) == 3
        return _decision(right, is_strict=is_strict, is_positive=EQUALITIES[operator])(left)
    order = ORDERS.get(operator)
    if order is None or isinstance(left.value, bool) or isinstance(right.value, bool):
        return None
    if not isinstance(left.value, int | float) or not isinstance(right.value, int | float):
        return None
    return order(left.value, right.value)


def _decision(
    other: Plain, *, is_strict: bool, is_positive: bool
) -> Callable[[Given | None], bool | None]:
    """How one value decides a comparison with a constant; None where it cannot."""

    def decide(given: Given | None) -> bool | None:
        if isinstance(given, Plain):
            if given.value is None and other.value is None:
                is_same = not is_strict or given.member == other.member
            elif type(given.value) is not type(other.value) and not is_strict:
                return None
            else:
                is_same = type(given.value) is type(other.value) and given.value == other.value
            return is_same == is_positive
        if isinstance(given, OpaqueText) and type(other.value) is not str:
            return None if other.value is not None and not is_strict else not is_positive
        if (
            given is None
            or isinstance(given, Opaque | Made)
            or (isinstance(given, Parameter) and given.path)
        ):
            return None
        return not is_positive

    return decide


def asked(frame: Frame, key: Givens, owners: Givens, node: Node) -> None:
    """Note that somebody asks whether a key of a parameter is there: `"key" in state`."""
    name = sought(key)
    for owner in owners:
        if isinstance(owner, Parameter) and name is not None:
            frame.read_of(owner, name, node, "asked")


def _by(names: Names, name: str, decide: Decide) -> Ways:
    values = names[name]
    holds = tuple(given for given in values if decide(given) is not False)
    fails = tuple(given for given in values if decide(given) is not True)
    return (
        {**names, name: holds} if holds else None,
        {**names, name: fails} if fails else None,
    )


def _whole(values: Givens, names: Names) -> Ways:
    """The ways after a test that is no name."""
    answers = {truth(given) for given in values}
    holds = dict(names) if not values or answers != {False} else None
    fails = dict(names) if not values or answers != {True} else None
    return holds, fails
