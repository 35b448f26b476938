"""Conditions: when is an expression true, when is it false."""

from __future__ import annotations

import ast

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.python.evaluation.dunders import truth_of
from flowlint.languages.python.evaluation.machine import Machine, value_key
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.values.conditions import alternatives
from flowlint.values.model import (
    Built,
    Call,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapped,
    Module,
    Partial,
    Product,
    Sequence,
    Unknown,
    Value,
)

Outcomes = tuple[Presence | None, Presence | None]
"""The conditions under which a test is true and false; None: it never is."""

TRUE: Outcomes = (ALWAYS, None)
FALSE: Outcomes = (None, ALWAYS)


def test(machine: Machine, node: ast.expr, scope: Scope) -> Outcomes:
    """When `node` is true and when it is false, as far as the present conditions allow both."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        when_true, when_false = test(machine, node.operand, scope)
        return when_false, when_true
    if isinstance(node, ast.BoolOp):
        return _test_all(machine, node, scope)
    outcomes = truth(machine, machine.evaluate(node, scope), node)
    return _possible(machine, outcomes)


def _possible(machine: Machine, outcomes: Outcomes) -> Outcomes:
    when_true, when_false = outcomes
    if when_true is None or when_false is None:
        return outcomes
    if not machine.possible(when_true):
        return FALSE
    return outcomes if machine.possible(when_false) else TRUE


def _test_all(machine: Machine, node: ast.BoolOp, scope: Scope) -> Outcomes:
    """`and` from the left; `or` is the same with true and false exchanged."""
    is_and = isinstance(node.op, ast.And)
    mark = machine.mark()
    going_on: list[Presence] = []
    stopping: list[Presence] = []
    decided = False
    for operand in node.values:
        when_true, when_false = test(machine, operand, scope)
        go, stop = (when_true, when_false) if is_and else (when_false, when_true)
        if go is None:
            decided = True
            break
        if stop is None:
            continue
        going_on.append(go)
        stopping.append(stop)
        machine.assume(go)
    machine.restore(mark)
    if decided:
        return FALSE if is_and else TRUE
    if not going_on:
        return TRUE if is_and else FALSE
    if len(going_on) == 1:
        return (going_on[0], stopping[0]) if is_and else (stopping[0], going_on[0])
    identity = ("all" if is_and else "any", *map(_sorted, going_on))
    label = machine.literal(identity, machine.text(node))
    all_go = frozenset().union(*going_on) | {(label, is_and)}
    some_stop = frozenset([(label, not is_and)])
    outcomes = (all_go, some_stop) if is_and else (some_stop, all_go)
    return _possible(machine, outcomes)


def _sorted(presence: Presence) -> tuple[tuple[str, bool], ...]:
    return tuple(sorted(presence))


def truth(machine: Machine, value: Value, node: ast.expr) -> Outcomes:
    """When a value is true and when it is false."""
    found = alternatives(value, machine.known)
    if len(found) > 1:
        return _truth_of_choice(machine, found, node)
    single = found[0][1]
    known = known_truth(single)
    if isinstance(single, Instance):
        known = truth_of(machine, single, single.origin)
    if known is not None:
        return TRUE if known else FALSE
    return _unknown(machine, single, node)


def _truth_of_choice(
    machine: Machine, found: list[tuple[Presence, Value]], node: ast.expr
) -> Outcomes:
    known = [(presence, known_truth(value)) for presence, value in found]
    if all(result is True for _, result in known):
        return TRUE
    if all(result is False for _, result in known):
        return FALSE
    true = [presence for presence, result in known if result is not False]
    false = [presence for presence, result in known if result is not True]
    if len(true) == 1 and len(false) == 1 and true != false:
        return true[0], false[0]
    label = machine.literal(("choice", node, machine.fresh()), machine.text(node))
    return frozenset([(label, True)]), frozenset([(label, False)])


def _unknown(machine: Machine, value: Value, node: ast.expr) -> Outcomes:
    key = value.key if isinstance(value, Unknown) else value_key(value)
    negative = key is not None and key.startswith("not ")
    if key is not None and negative:
        key = key.removeprefix("not ")
    identity = ("truth", key) if key is not None else ("once", machine.fresh())
    label = machine.literal(identity, _opposite(machine, node) if negative else machine.text(node))
    return frozenset([(label, not negative)]), frozenset([(label, negative)])


OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.NotEq: ast.Eq,
    ast.IsNot: ast.Is,
    ast.NotIn: ast.In,
}


def _opposite(machine: Machine, node: ast.expr) -> str:
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OPPOSITES:
        flipped = OPPOSITES[type(node.ops[0])]()
        return machine.text(ast.Compare(node.left, [flipped], node.comparators))
    return f"not ({machine.text(node)})"


def known_truth(value: Value) -> bool | None:
    """Whether a value is true, None when it may be either."""
    if isinstance(value, Const):
        return True if value.enum and not value.value else bool(value.value)
    if isinstance(value, Function | Class | Module | Product | Built | Partial):
        return True
    if isinstance(value, Sequence):
        return _filled(any(not i.presence for i in value.items), bool(value.items), value.rest)
    if isinstance(value, Mapped):
        return _filled(any(not e.presence for e in value.entries), bool(value.entries), value.rest)
    if isinstance(value, External):
        return None if value.qualified.rsplit(".", 1)[-1].isupper() else True
    if isinstance(value, Instance | Call):
        return None
    return None


def _filled(surely: bool, perhaps: bool, rest: Unknown | None) -> bool | None:
    if surely:
        return True
    return None if perhaps or rest is not None else False
