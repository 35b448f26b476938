"""Trees of texts that do not parse as they stand: as much as possible is kept of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.changed import parse_changed
from flowlint.languages.typescript.reading.gaps import rewritten
from flowlint.languages.typescript.reading.module import ParsedModule
from flowlint.languages.typescript.reading.text import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

MAX_BROKEN = 1_000_000
"""Bytes of a text above which nothing is tried but to parse it as it stands."""

MAX_PIECES = 4_096
"""Pieces of modules of which it is remembered what is wrong with them."""

_faults: dict[tuple[int, bytes], tuple[int, int, str] | None] = {}

_BEGINS = re.compile(
    rb"(?m)^(?=(?:import|export|const|let|var|function|async function|class|abstract class|"
    rb"interface|type|enum|declare|namespace|describe|if|for|@)\b|@)"
)
"""Where a statement at the top of a module may begin."""


def recovered(
    text: SourceText, tree: Tree, parser: Parser, former: ParsedModule | None = None
) -> ParsedModule:
    """The module of a text with faults in it.

    Where the grammar is behind the language, the text is rewritten for it. Where something at the
    top of the module is broken, the pieces that do not parse alone are left out, so that they do
    not spoil the others.
    """
    data = text.data
    if len(data) > MAX_BROKEN:
        return ParsedModule(text, tree)
    known = rewritten(data)
    if known is not None:
        other = parser.parse(known)
        if len(broken(other.root_node)) < len(broken(tree.root_node)):
            data, tree = known, other
    if _is_broken_at_top(tree.root_node, data):
        lost, wrong = _broken_pieces(data, parser)
        if lost:
            left = bytearray(data)
            for start, end in lost:
                left[start:end] = re.sub(rb"[^\r\n]", b" ", data[start:end])
            rest = bytes(left)
            kept = parse_changed(parser, rest, former) or parser.parse(rest)
            if not kept.root_node.has_error:
                return ParsedModule(text, kept, (), tuple(lost), tuple(wrong), rest)
    return ParsedModule(text, tree, stood_in=data)


def broken(root: Node) -> list[Node]:
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


def _is_broken_at_top(root: Node, data: bytes) -> bool:
    """Whether something broken took statements around it with it."""
    if root.type == "ERROR":
        return True
    for child in root.children:
        if child.type == "ERROR":
            return True
        if child.has_error and _BEGINS.search(data, child.start_byte + 1, child.end_byte):
            return True
    return False


def _broken_pieces(
    data: bytes, parser: Parser
) -> tuple[list[tuple[int, int]], list[tuple[int, int, str]]]:
    """The stretches between beginnings of statements that do not parse alone, and what is wrong."""
    starts = sorted({0, *(found.start() for found in _BEGINS.finditer(data))})
    found: list[tuple[int, int]] = []
    wrong: list[tuple[int, int, str]] = []
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        fault = _fault_of(data[start:end], parser)
        if fault is not None:
            wrong.append((start + fault[0], start + fault[1], fault[2]))
            if found and found[-1][1] == start:
                found[-1] = (found[-1][0], end)
            else:
                found.append((start, end))
    return found, wrong


def _fault_of(piece: bytes, parser: Parser) -> tuple[int, int, str] | None:
    """What is wrong first with a piece of a module, remembered by its text: few of them change."""
    key = (id(parser), piece)
    if key not in _faults:
        if len(_faults) >= MAX_PIECES:
            _faults.clear()
        root = parser.parse(piece).root_node
        nodes = broken(root)[:1] if root.has_error else []
        told = [(node.start_byte, node.end_byte, missing_of(node)) for node in nodes]
        _faults[key] = told[0] if told else None
    return _faults[key]


def missing_of(node: Node) -> str:
    """What is missing at a broken node, empty where it is text that fits nowhere."""
    return node.type if node.is_missing else ""
