"""Trees of Python code, walked quickly and often.

What is found out about a node by looking at nothing but its own code is kept with the node, for as
long as the tree lives: evaluating asks the same of the same functions many times over, and while a
file is edited most of its tree stays (see `reading.reuse`). Nothing that is kept may tell places,
because lines move.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

N = TypeVar("N", bound=ast.AST)
R = TypeVar("R")

_CHILDREN = "_flowlint_children"
_WALKED = "_flowlint_walked"


def children(node: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes right below this one, in order, but for what only says how a name is used."""
    kept: tuple[ast.AST, ...] | None = node.__dict__.get(_CHILDREN)
    if kept is not None:
        return kept
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
            found.append(value)
    kept = tuple(found)
    node.__dict__[_CHILDREN] = kept
    return kept


def walk(node: ast.AST) -> tuple[ast.AST, ...]:
    """This node and all below it, outer ones first, as `ast.walk` gives them."""
    kept: tuple[ast.AST, ...] | None = node.__dict__.get(_WALKED)
    if kept is None:
        found = [node]
        for current in found:
            found += children(current)
        kept = node.__dict__[_WALKED] = tuple(found)
    return kept


def kept_with_node(function: Callable[[N], R]) -> Callable[[N], R]:
    """Let a function of a node's own code, which tells no places, look at each node once."""
    name = f"_flowlint_{function.__module__}_{function.__qualname__}"

    def remembering(node: N) -> R:
        if name in node.__dict__:
            found: R = node.__dict__[name]
            return found
        found = node.__dict__[name] = function(node)
        return found

    remembering.__doc__ = function.__doc__
    return remembering
