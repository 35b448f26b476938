"""Changing how functions are defined."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from flowlint.changes import MakePlain
from flowlint.languages.edits import Made
from flowlint.languages.python.changing.code import Code

_ASYNC = re.compile(r"async(?:[ \t\f]|\\\n)+")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def make_plain(change: MakePlain, code: Code) -> Made | None:
    """A plain function instead of an async one that awaits nothing and that nobody awaits."""
    for node in ast.walk(code.module.tree):
        if not isinstance(node, ast.AsyncFunctionDef) or node.name != change.name:
            continue
        if not code.module.span(node).contains(change.span):
            continue
        if node.decorator_list or _needs_async(node) or _is_awaited(change.name, code):
            return None
        start = code.start(node)
        found = _ASYNC.match(code.text, start)
        return Made((code.edit(start, found.end(), ""),)) if found is not None else None
    return None


def _needs_async(function: ast.AsyncFunctionDef) -> bool:
    awaiting = (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Yield, ast.YieldFrom)
    return any(
        isinstance(node, awaiting) or (isinstance(node, ast.comprehension) and node.is_async)
        for node in _own(function)
    )


def _own(function: ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """What a function does itself, not what it defines."""
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _SCOPES):
            pending += ast.iter_child_nodes(node)


def _is_awaited(name: str, code: Code) -> bool:
    """Whether the module calls a function of this name, as who calls it awaits it."""
    for node in ast.walk(code.module.tree):
        if isinstance(node, ast.Call):
            called = node.func
            known = called.attr if isinstance(called, ast.Attribute) else None
            if name in (known, called.id if isinstance(called, ast.Name) else None):
                return True
    return False
