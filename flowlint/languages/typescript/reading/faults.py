"""What is wrong with a text: places where it is no TypeScript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.module import ParsedModule, SyntaxFault

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_FAULTS = 20
"""Faults of one file that are told."""


def with_faults(module: ParsedModule, bad: int | None) -> ParsedModule:
    """The module with its faults. `bad` is where its bytes are no UTF-8."""
    faults: list[SyntaxFault] = []
    if bad is not None:
        faults.append(SyntaxFault(module.text.span(bad, bad + 1), "this byte is no UTF-8"))
    lost: list[tuple[int, int]] = []
    if module.tree.root_node.has_error:
        for node in _broken(module.tree.root_node):
            faults.append(_fault(module, node))
            lost.append((node.start_byte, node.end_byte))
    module.faults = tuple(faults[:MAX_FAULTS])
    module.lost = tuple(lost)
    return module


def _broken(root: Node) -> list[Node]:
    """The outermost nodes that stand for text that fits nowhere, and for text that is missing."""
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_missing or node.type == "ERROR":
            found.append(node)
            continue
        if node.has_error:
            stack += reversed(node.children)
    return found


def _fault(module: ParsedModule, node: Node) -> SyntaxFault:
    text = module.text
    if node.is_missing:
        at = node.start_byte
        return SyntaxFault(text.span(at, at), f"`{node.type}` is missing here")
    start = node.start_byte
    line = text.data.find(b"\n", start, node.end_byte)
    end = node.end_byte if line < 0 else line
    return SyntaxFault(text.span(start, end), "this is no TypeScript")
