"""Tests in a body: which values of a name lead which way."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import sought
from flowlint.languages.bodies.names import Names, meet
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.languages.typescript.bodies.truth import truth
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Given, Givens, Made, Opaque, Parameter, Plain

if TYPE_CHECKING:
    from tree_sitter import Node

COMPARISONS = frozenset(
    {"==", "!=", "===", "!==", "<", "<=", ">", ">=", "in", "instanceof"}
)  # fmt: skip

EQUALITIES = {"==": True, "===": True, "!=": False, "!==": False}

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
    return _whole(found, names)


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
    name, other = _named(frame, left, names), second
    if name is None:
        name, other = _named(frame, right, names), first
    values = other
    if name is None:
        values, other = (first, second) if len(second) == 1 else (second, first)
    if len(other) != 1 or not isinstance(other[0], Plain):
        return dict(names), dict(names)
    decide = _decision(other[0], is_strict=len(kind) == 3, is_positive=EQUALITIES[kind])
    if name is not None:
        return _by(names, name, decide)
    answers = {decide(given) for given in values}
    return (
        dict(names) if not values or answers != {False} else None,
        dict(names) if not values or answers != {True} else None,
    )


def _named(frame: Frame, node: Node, names: Names) -> str | None:
    """The name of the body's own that a side of a comparison is."""
    is_own = node.type == "identifier" and frame.text(node) in names
    return frame.text(node) if is_own else None


def _decision(
    other: Plain, *, is_strict: bool, is_positive: bool
) -> Callable[[Given], bool | None]:
    """How one value decides a comparison with a constant; None where it cannot."""

    def decide(given: Given) -> bool | None:
        if isinstance(given, Plain):
            if given.value is None and other.value is None:
                is_same = not is_strict or given.member == other.member
            elif type(given.value) is not type(other.value) and not is_strict:
                return None
            else:
                is_same = type(given.value) is type(other.value) and given.value == other.value
            return is_same == is_positive
        if isinstance(given, Opaque | Made) or (isinstance(given, Parameter) and given.path):
            return None
        return not is_positive

    return decide


def asked(frame: Frame, key: Givens, owners: Givens, node: Node) -> None:
    """Note that somebody asks whether a key of a parameter is there: `"key" in state`."""
    name = sought(key)
    for owner in owners:
        if isinstance(owner, Parameter) and name is not None:
            frame.read_of(owner, name, node, "asked")


def _by(names: Names, name: str, decide: Callable[[Given], bool | None]) -> Ways:
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
