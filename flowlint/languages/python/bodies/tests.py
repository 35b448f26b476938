"""Tests in a body: which values of a name lead which way."""

from __future__ import annotations

import ast
from collections.abc import Callable

from flowlint.languages.bodies.given import constants, sought, truth
from flowlint.languages.bodies.names import Names, meet
from flowlint.languages.python.bodies.frame import Frame
from flowlint.values.bodies import Given, Givens, Made, Parameter, Plain, Row, Table, Thing

Ways = tuple[Names | None, Names | None]
"""The names where a test holds, and where it does not; None where nothing gets there."""


def part(frame: Frame, test: ast.expr, names: Names) -> Ways:
    """Evaluate a test and tell its ways apart."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        holds, fails = part(frame, test.operand, names)
        return fails, holds
    if isinstance(test, ast.BoolOp):
        return _several(frame, test, names)
    if isinstance(test, ast.NamedExpr):
        frame.evaluate(test, names)
        return _by(names, test.target.id, truth)
    if isinstance(test, ast.Name) and test.id in names:
        return _by(names, test.id, truth)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _comparison(frame, test, names)
    return _whole(frame.evaluate(test, names), names)


def _several(frame: Frame, test: ast.BoolOp, names: Names) -> Ways:
    is_and = isinstance(test.op, ast.And)
    going: Names | None = names
    left: list[Names | None] = []
    for value in test.values:
        if going is None:
            break
        holds, fails = part(frame, value, dict(going))
        going, other = (holds, fails) if is_and else (fails, holds)
        left.append(other)
    return (going, meet(left)) if is_and else (meet(left), going)


def _comparison(frame: Frame, test: ast.Compare, names: Names) -> Ways:
    left, right = frame.evaluate(test.left, names), frame.evaluate(test.comparators[0], names)
    if isinstance(test.ops[0], ast.In | ast.NotIn):
        asked(frame, left, right, test)
    name = test.left.target.id if isinstance(test.left, ast.NamedExpr) else None
    if isinstance(test.left, ast.Name):
        name = test.left.id
    if name is None or name not in names:
        return dict(names), dict(names)
    decide = _decision(test.ops[0], right)
    return (dict(names), dict(names)) if decide is None else _by(names, name, decide, left)


def asked(frame: Frame, key: Givens, owners: Givens, node: ast.expr) -> None:
    """Note that somebody asks whether a key of a parameter is there."""
    name = sought(key)
    for owner in owners:
        if isinstance(owner, Parameter) and name is not None:
            frame.reads(owner.number, name, node, "asked")


def _decision(op: ast.cmpop, right: Givens) -> Callable[[Given], bool | None] | None:
    """How one value decides a comparison with the other side; None when it cannot."""
    if isinstance(op, ast.In | ast.NotIn):
        return _membership(right, isinstance(op, ast.In))
    if len(right) != 1 or not isinstance(right[0], Plain):
        return None
    other = right[0]
    if not isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
        return None
    is_positive = isinstance(op, ast.Eq | ast.Is)
    is_identity = isinstance(op, ast.Is | ast.IsNot)

    def decide(given: Given) -> bool | None:
        if isinstance(given, Plain):
            is_same = given.equals == other.equals and (given.value is None) == (
                other.value is None
            )
            return (is_same and (not is_identity or given.member == other.member)) == is_positive
        if isinstance(given, Table | Row | Made | Thing) and other.value is None:
            return not is_positive if isinstance(given, Table | Row) else None
        return None

    return decide


def _membership(right: Givens, is_in: bool) -> Callable[[Given], bool | None] | None:
    if len(right) != 1 or not isinstance(right[0], Row) or right[0].more or right[0].repeated:
        return None
    members = constants(given for item in right[0].items for given in item)
    if members is None or any(len(item) != 1 for item in right[0].items):
        return None

    def decide(given: Given) -> bool | None:
        return (given.equals in members) == is_in if isinstance(given, Plain) else None

    return decide


def _by(
    names: Names,
    name: str,
    decide: Callable[[Given], bool | None],
    givens: Givens | None = None,
) -> Ways:
    values = names[name] if givens is None else givens
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
