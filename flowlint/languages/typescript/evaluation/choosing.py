"""Conditions: when is an expression true, when is it false, and which value is taken then."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.typescript.evaluation.containers import is_nothing
from flowlint.languages.typescript.evaluation.machine import Machine, value_key
from flowlint.languages.typescript.evaluation.operators import CONCRETE, FALSY, known_truth
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.languages.typescript.reading.module import children
from flowlint.values.conditions import alternatives, chosen
from flowlint.values.model import Call, Const, External, Origin, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

Outcomes = tuple[Presence | None, Presence | None]
"""The conditions under which a test is true and false; None: it never is."""

TRUE: Outcomes = (ALWAYS, None)
FALSE: Outcomes = (None, ALWAYS)

OPPOSITES = {"!==": "===", "!=": "=="}


def test(machine: Machine, node: Node, scope: Scope) -> Outcomes:
    """When `node` is true and when it is false, as far as the present conditions allow both."""
    negative = False
    while True:
        if node.type == "parenthesized_expression" and children(node):
            node = children(node)[0]
        elif node.type == "unary_expression" and node.children[0].type == "!":
            inner = node.child_by_field_name("argument")
            if inner is None:
                break
            negative, node = not negative, inner
        else:
            break
    operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    if operator is not None and operator.type in ("&&", "||"):
        outcomes = _test_all(machine, node, operator.type, scope)
    else:
        outcomes = truth(machine, machine.evaluate(node, scope), node, scope)
        outcomes = _possible(machine, outcomes)
    return (outcomes[1], outcomes[0]) if negative else outcomes


def _possible(machine: Machine, outcomes: Outcomes) -> Outcomes:
    when_true, when_false = outcomes
    if when_true is None or when_false is None:
        return outcomes
    if not machine.possible(when_true):
        return FALSE
    return outcomes if machine.possible(when_false) else TRUE


def _operands(node: Node, operator: str) -> list[Node]:
    """What stands between operators of one kind, from the left."""
    found: list[Node] = []
    current: Node | None = node
    while current is not None and current.type == "binary_expression":
        sign = current.child_by_field_name("operator")
        right = current.child_by_field_name("right")
        if sign is None or sign.type != operator or right is None:
            break
        found.append(right)
        current = current.child_by_field_name("left")
    if current is not None:
        found.append(current)
    return found[::-1]


def _test_all(machine: Machine, node: Node, operator: str, scope: Scope) -> Outcomes:
    """`&&` from the left; `||` is the same with true and false exchanged."""
    is_and = operator == "&&"
    mark = machine.mark()
    going_on: list[Presence] = []
    stopping: list[Presence] = []
    decided = False
    for operand in _operands(node, operator):
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
    identity = ("all" if is_and else "any", *(tuple(sorted(go)) for go in going_on))
    label = machine.literal(identity, machine.text(node, scope))
    all_go: Presence = frozenset().union(*going_on) | {(label, is_and)}
    some_stop: Presence = frozenset([(label, not is_and)])
    outcomes = (all_go, some_stop) if is_and else (some_stop, all_go)
    return _possible(machine, outcomes)


def truth(machine: Machine, value: Value, node: Node, scope: Scope) -> Outcomes:
    """When a value is true and when it is false."""
    return _asked(machine, value, node, scope, known_truth, "truth", "")


def _asked(
    machine: Machine,
    value: Value,
    node: Node,
    scope: Scope,
    known: Callable[[Value], bool | None],
    what: str,
    suffix: str,
) -> Outcomes:
    """When something holds of a value and when it does not."""
    found = alternatives(value, machine.known)
    if len(found) == 1:
        result = known(found[0][1])
        if result is not None:
            return TRUE if result else FALSE
        return _unknown(machine, found[0][1], node, scope, what, suffix)
    results = [(presence, known(single)) for presence, single in found]
    if all(result is True for _, result in results):
        return TRUE
    if all(result is False for _, result in results):
        return FALSE
    true = [presence for presence, result in results if result is not False]
    false = [presence for presence, result in results if result is not True]
    if len(true) == 1 and len(false) == 1 and true != false:
        return true[0], false[0]
    identity = ("choice", machine.fresh())
    label = machine.literal(identity, machine.text(node, scope) + suffix)
    return frozenset([(label, True)]), frozenset([(label, False)])


def _unknown(
    machine: Machine, value: Value, node: Node, scope: Scope, what: str, suffix: str
) -> Outcomes:
    key = value_key(value)
    negative = key is not None and key.startswith("not ")
    if key is not None and negative:
        key = key.removeprefix("not ")
    identity = (what, key) if key is not None else ("once", machine.fresh())
    text = _opposite(machine, node, scope) if negative else machine.text(node, scope)
    label = machine.literal(identity, text + suffix)
    return frozenset([(label, not negative)]), frozenset([(label, negative)])


def _opposite(machine: Machine, node: Node, scope: Scope) -> str:
    if node.type == "binary_expression":
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator is not None and left is not None and right is not None:
            sign = OPPOSITES.get(operator.type)
            if sign is not None:
                return f"{machine.text(left, scope)} {sign} {machine.text(right, scope)}"
    return f"!({machine.text(node, scope)})"


def _is_something(value: Value) -> bool | None:
    """Whether a value is neither `null` nor `undefined`, None where that is not known."""
    if is_nothing(value):
        return False
    return True if isinstance(value, (Const, *CONCRETE)) else None


def ternary(machine: Machine, node: Node, scope: Scope) -> Value:
    """`test ? this : that`."""
    condition = node.child_by_field_name("condition")
    then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    origin = machine.origin(node, scope)
    if condition is None or then is None or other is None:
        return Unknown("a choice that cannot be read", origin)
    when_true, when_false = test(machine, condition, scope)
    return _taken(
        machine,
        [
            (when_true, lambda: machine.evaluate(then, scope)),
            (when_false, lambda: machine.evaluate(other, scope)),
        ],
        origin,
    )


def either(
    machine: Machine,
    operator: str,
    value: Value,
    left: Node,
    right: Node,
    scope: Scope,
    origin: Origin,
) -> Value:
    """`a && b`, `a || b` and `a ?? b`, where `value` is a."""
    if operator == "??":
        given = _asked(machine, value, left, scope, _is_something, "given", " is given")
        given = _possible(machine, given)
    else:
        given = _possible(machine, truth(machine, value, left, scope))
    when_true, when_false = given
    keeps, goes_on = (when_false, when_true) if operator == "&&" else (when_true, when_false)

    def kept() -> Value:
        if operator != "&&" or not isinstance(value, Unknown | External | Call):
            return value
        return Unknown("a value that counts as false", value.origin, f"{FALSY}{value_key(value)}")

    return _taken(
        machine,
        [(keeps, kept), (goes_on, lambda: machine.evaluate(right, scope))],
        origin,
    )


def _taken(
    machine: Machine, ways: list[tuple[Presence | None, Callable[[], Value]]], origin: Origin
) -> Value:
    """The value of the ways that are possible, each under its condition."""
    found: list[tuple[Presence, Value]] = []
    possible = [(p, act) for p, act in ways if p is not None and machine.possible(p)]
    for presence, act in possible:
        mark = machine.mark()
        if len(possible) > 1:
            machine.add(presence)
        else:
            machine.assume(presence)
        value = act()
        machine.restore(mark)
        for inner, single in alternatives(value, machine.known | presence):
            found.append((presence | inner, single))
    if not found:
        return Unknown("no value under these conditions", origin)
    if len(possible) == 1 and len(found) == 1:
        return found[0][1]
    return chosen(found, origin)
