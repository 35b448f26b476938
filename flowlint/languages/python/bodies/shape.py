"""What the syntax of a function tells before it is read: whether it yields, which names matter."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from flowlint.languages.python.evaluation.scopes import FunctionNode
from flowlint.languages.python.nodes import children, kept_with_node, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Shape:
    """`relevant` are the names that what the function returns may be made of."""

    yields: bool
    relevant: frozenset[str]


@kept_with_node
def shape_of(node: FunctionNode) -> Shape:
    """Look at all of a function's own syntax once."""
    if isinstance(node, ast.Lambda):
        return Shape(False, frozenset())
    wanted: set[str] = set()
    made_of: dict[str, set[str]] = {}
    yields = False
    stack: list[ast.AST] = list(node.body)
    while stack:
        current = stack.pop()
        if isinstance(current, ast.Yield | ast.YieldFrom):
            yields = True
        elif isinstance(current, ast.Return) and current.value is not None:
            wanted |= _names(current.value)
        elif isinstance(current, ast.Assign):
            for target in current.targets:
                _made(made_of, target, current.value)
        elif isinstance(current, ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
            if current.value is not None:
                _made(made_of, current.target, current.value)
        elif isinstance(current, ast.For | ast.AsyncFor):
            _made(made_of, current.target, current.iter)
        elif isinstance(current, ast.withitem) and current.optional_vars is not None:
            _made(made_of, current.optional_vars, current.context_expr)
        elif isinstance(current, ast.Call) and isinstance(current.func, ast.Attribute):
            _made(made_of, current.func.value, current)
        if not isinstance(current, _FUNCTIONS):
            stack.extend(children(current))
    return Shape(yields, frozenset(_closed(wanted, made_of)))


def _made(made_of: dict[str, set[str]], target: ast.expr, value: ast.expr) -> None:
    names = _names(value)
    for name in _names(target):
        made_of.setdefault(name, set()).update(names)


def _closed(wanted: set[str], made_of: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += made_of.get(name, ())
    return found


@kept_with_node
def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(inner.id for inner in walk(node) if isinstance(inner, ast.Name))
