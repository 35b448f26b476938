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

_PLAIN = frozenset(
    {
        *("arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "level"),
        *("module", "simple", "type_comment"),
    }
)
"""Fields of syntax nodes that hold no nodes, or none but how a name is used."""

_parts: dict[type[ast.AST], tuple[str, ...]] = {}
"""The other fields of each kind of node."""


def children(node: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes right below this one, in order, but for what only says how a name is used."""
    state = node.__dict__
    kept: tuple[ast.AST, ...] | None = state.get(_CHILDREN)
    if kept is not None:
        return kept
    kind = type(node)
    parts = _parts.get(kind)
    if parts is None:
        parts = _parts[kind] = tuple(name for name in kind._fields if name not in _PLAIN)
    found: list[ast.AST] = []
    for name in parts:
        value = state.get(name)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    kept = state[_CHILDREN] = tuple(found)
    return kept


def walk(node: ast.AST) -> tuple[ast.AST, ...]:
    """This node and all below it, outer ones first, as `ast.walk` gives them."""
    kept: tuple[ast.AST, ...] | None = node.__dict__.get(_WALKED)
    if kept is None:
        found = [node]
        for current in found:
            below = current.__dict__.get(_CHILDREN)
            found += children(current) if below is None else below
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
