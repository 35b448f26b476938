"""What an expression stands for, without running anything: for those who read functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.graph.model import ALWAYS
from flowlint.languages.typescript.evaluation.machine import MAX_STEPS, Machine, TooMuchWorkError
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.values.model import Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

CHANGING = frozenset(
    {
        "assignment_expression", "augmented_assignment_expression", "await_expression",
        "call_expression", "class", "new_expression", "update_expression", "yield_expression",
    }
)  # fmt: skip
"""Expressions that may do more than to give a value."""

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})


def resolve(machine: Machine, node: Node, scope: Scope) -> Value:
    """The value of an expression that only reads; Unknown for any other. Never raises.

    `scope` is that of the definition that holds the expression: names of its own parameters and
    variables have to be dealt with before.
    """
    if not _only_reads(node):
        return Unknown("an expression that is not run", machine.origin(node, scope))
    mark, steps = machine.mark(), machine.steps
    frames, machine.frames = machine.frames, []
    machine.present, machine.known = ALWAYS, ALWAYS
    machine.steps = MAX_STEPS
    try:
        return machine.evaluate(node, scope)
    except (TooMuchWorkError, RecursionError):
        return Unknown("too much to follow", machine.origin(node, scope))
    finally:
        machine.restore(mark)
        machine.steps = steps
        machine.frames = frames


def _only_reads(node: Node) -> bool:
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type in CHANGING:
            return False
        if current.type not in FUNCTIONS:
            stack += current.named_children
    return True
