"""Changing how functions are defined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flowlint.changes import MakePlain
from flowlint.languages.edits import Made
from flowlint.languages.typescript.changing.code import Code

if TYPE_CHECKING:
    from tree_sitter import Node

_ASYNC = re.compile(rb"async\s+")
_FUNCTIONS = frozenset(
    {
        "arrow_function",
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "method_definition",
    }
)


def make_plain(change: MakePlain, code: Code) -> Made | None:
    """A plain function instead of an async one that awaits nothing and that nobody awaits."""
    for node in _walked(code.module.tree.root_node):
        if node.type not in _FUNCTIONS or _name_of(node, code) != change.name:
            continue
        named = node.parent if node.parent is not None and node.type == "arrow_function" else node
        if not code.module.place(named).span().contains(change.span):
            continue
        keywords = [child for child in node.children if child.type == "async"]
        # A type that is stated says that there is something to await.
        if not keywords or node.child_by_field_name("return_type") is not None:
            return None
        if _awaits(node) or _is_awaited(change.name, code):
            return None
        found = _ASYNC.match(code.data, keywords[0].start_byte)
        return Made((code.edit(found.start(), found.end(), ""),)) if found is not None else None
    return None


def _name_of(function: Node, code: Code) -> str | None:
    name = function.child_by_field_name("name")
    outer = function.parent
    if name is None and outer is not None and outer.type in ("variable_declarator", "pair"):
        name = outer.child_by_field_name("name") or outer.child_by_field_name("key")
    return None if name is None else code.text(name)


def _awaits(function: Node) -> bool:
    """Whether a function awaits something itself, not what it defines."""
    pending = list(function.named_children)
    while pending:
        node = pending.pop()
        if node.type == "await_expression" or any(one.type == "await" for one in node.children):
            return True
        if node.type not in _FUNCTIONS:
            pending += node.named_children
    return False


def _is_awaited(name: str, code: Code) -> bool:
    """Whether the module calls a function of this name, as who calls it awaits it."""
    for node in _walked(code.module.tree.root_node):
        called = node.child_by_field_name("function") if node.type == "call_expression" else None
        if called is not None and called.type == "member_expression":
            called = called.child_by_field_name("property")
        if called is not None and code.text(called) == name:
            return True
    return False


def _walked(root: Node) -> Iterator[Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(node.named_children)
