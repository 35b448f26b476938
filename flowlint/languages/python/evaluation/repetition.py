"""Loops whose rounds are all alike: what the first few do, the others do again."""

from __future__ import annotations

import ast

from flowlint.graph.model import Presence
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.languages.python.nodes import walk
from flowlint.values.model import Built, Call, External, Item, Product, Unknown

ROUNDS = 2
"""Rounds after which one more tells nothing new: the second one shows what is done twice."""


def repeats_itself(machine: Machine, node: ast.For | ast.AsyncFor, scope: Scope) -> bool:
    """Whether no round can differ from the others.

    All of its statements call methods of flows, or of what is out of sight, with arguments that
    no round changes.
    """
    if not all(isinstance(one, ast.Expr) and _is_method_call(one.value) for one in node.body):
        return False
    own = {one.id for one in walk(node.target) if isinstance(one, ast.Name)}
    if not isinstance(node.target, ast.Name | ast.Tuple):
        return False
    owners: list[ast.expr] = []
    for statement in node.body:
        for part in walk(statement):
            if isinstance(part, ast.Name) and part.id in own:
                return False
            if isinstance(part, ast.NamedExpr | ast.Yield | ast.YieldFrom):
                return False
            if isinstance(part, ast.Call):
                if not isinstance(part.func, ast.Attribute):
                    return False
                owners.append(part.func.value)
    return all(
        isinstance(owner, ast.Name)
        and isinstance(machine.evaluate(owner, scope), Built | Call | External | Product | Unknown)
        for owner in owners
    )


def first_and_last(items: list[Item], known: Presence) -> list[Item]:
    """Enough of the rounds of such a loop: the last one leaves its element in the loop's names."""
    if any(item.presence - known for item in items):
        return items
    return [*items[: ROUNDS - 1], items[-1]]


def _is_method_call(node: ast.expr) -> bool:
    called = node.value if isinstance(node, ast.Await) else node
    return isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute)
