"""Whether a function may end the run that calls it: by raising, or by leaving the program.

Almost any Python may raise. What counts as safe is what authors do not use to end a run: reading
the state by constant keys, building values, calling what is known not to raise.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from flowlint.languages.python.evaluation.scopes import FunctionDefinition
from flowlint.languages.python.nodes import children, kept_with_node
from flowlint.values.model import Function

if TYPE_CHECKING:
    from flowlint.languages.python.evaluation.machine import Machine

MAX_DEPTH = 4

_SAFE_CALLS = frozenset(
    {
        *("abs", "all", "any", "bool", "dict", "enumerate", "frozenset", "isinstance", "len"),
        *("list", "print", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum"),
        *("tuple", "type", "zip"),
    }
)
_SAFE_METHODS = frozenset({"copy", "get", "items", "keys", "values"})
"""Methods of the arguments that only read them."""

_RISKY = (
    ast.Raise,
    ast.Assert,
    ast.With,
    ast.AsyncWith,
    ast.AsyncFor,
    ast.Import,
    ast.ImportFrom,
    ast.Delete,
    ast.Yield,
    ast.YieldFrom,
    ast.Starred,
)
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ASKED = (*_RISKY, ast.BinOp, ast.Call, ast.Subscript)


def may_raise(machine: Machine, definition: FunctionDefinition, depth: int = 0) -> bool:
    """Whether the function may end the run; true also where that cannot be told."""
    node = definition.node
    if depth > MAX_DEPTH or (not isinstance(node, ast.Lambda) and node.decorator_list):
        return True
    given = node.args
    parameters = {a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    own = _own_nodes(node)
    stored = {n.id for n in own if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    reading = _Reading(machine, definition, frozenset(parameters - stored), stored, depth)
    return any(reading.is_risky(inner) for inner in own if isinstance(inner, _ASKED))


class _Reading:
    def __init__(
        self,
        machine: Machine,
        definition: FunctionDefinition,
        parameters: frozenset[str],
        stored: set[str],
        depth: int,
    ) -> None:
        self.machine = machine
        self.definition = definition
        self.parameters = parameters
        self.local = parameters | stored
        self.depth = depth

    def is_risky(self, node: ast.AST) -> bool:
        if isinstance(node, _RISKY):
            return not (isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Load))
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            return not self._is_parameter(node.value) or not isinstance(node.slice, ast.Constant)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            return not (isinstance(node.right, ast.Constant) and node.right.value)
        if isinstance(node, ast.Call):
            return not self._is_safe(node.func)
        return False

    def _is_parameter(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in self.parameters

    def _is_safe(self, called: ast.expr) -> bool:
        if isinstance(called, ast.Attribute):
            is_text = isinstance(called.value, ast.JoinedStr | ast.Constant)
            return is_text or (called.attr in _SAFE_METHODS and self._is_parameter(called.value))
        if not isinstance(called, ast.Name) or called.id in self.local:
            return False
        callee = self.definition.scope.lookup(called.id, self.machine.known)
        if callee is None:
            return called.id in _SAFE_CALLS
        if not isinstance(callee, Function) or callee.decorators:
            return False
        inner = callee.definition
        return isinstance(inner, FunctionDefinition) and not may_raise(
            self.machine, inner, self.depth + 1
        )


@kept_with_node
def _own_nodes(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.AST]:
    """What runs when the function does: no annotations, nor the bodies of functions in it."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    while stack:
        current = stack.pop()
        found.append(current)
        if isinstance(current, ast.AnnAssign):
            stack += [current.target, *([current.value] if current.value else [])]
        elif not isinstance(current, _NESTED):
            stack.extend(children(current))
    return found
