"""Removing elements, properties, statements, and links of chains of calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flowlint.languages.edits import Made
from flowlint.languages.typescript.changing.code import Code, parts, wrapped
from flowlint.source import Span

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMA = re.compile(rb"\s*,\s*")
_ADDERS = frozenset({"add", "push", "unshift"})
_HOLDERS = frozenset({"array", "object"})
_BLOCKS = frozenset({"program", "statement_block", "switch_case", "switch_default"})
_JOINING = b"([`+-/*,.%&|<>=?:^"
"""What a line may begin with that goes on with the one above, where no semicolon parts them."""


def remove(span: Span, code: Code) -> Made | None:
    """Remove what stands at a place; None where it cannot be taken away alone."""
    found = code.call_at(span)
    if found is None:
        return None
    node = wrapped(found)
    parent = node.parent
    if parent is None:
        return None
    if parent.type == "pair" and parent.child_by_field_name("value") == node:
        node, parent = parent, parent.parent
    if parent is not None and parent.type in _HOLDERS:
        return _part(node, parent, code)
    if parent is not None and parent.type == "arguments" and _is_added(parent, code):
        if len(parts(parent)) > 1:
            return _part(node, parent, code)
        call = parent.parent
        node, parent = (call, call.parent) if call is not None else (node, None)
    if node.type != "call_expression" or parent is None:
        return None
    called = node.child_by_field_name("function")
    if called is None or called.type != "member_expression":
        return None
    receiver = called.child_by_field_name("object")
    if receiver is None:
        return None
    if receiver.type in ("call_expression", "new_expression"):
        return _link(receiver, node, code)
    if parent.type == "expression_statement":
        return _statement(parent, code)
    is_called_on = parent.type == "member_expression" and receiver.type == "identifier"
    return _link(receiver, node, code) if is_called_on else None


def _is_added(arguments: Node, code: Code) -> bool:
    """Whether a call only puts values into an array or set."""
    call = arguments.parent
    called = call.child_by_field_name("function") if call is not None else None
    name = called.child_by_field_name("property") if called is not None else None
    return name is not None and code.text(name) in _ADDERS


def _part(node: Node, holder: Node, code: Code) -> Made | None:
    siblings = parts(holder)
    if node not in siblings:
        return None
    at = siblings.index(node)
    start, end = node.start_byte, node.end_byte
    comma = node.next_sibling
    if comma is not None and comma.type == "comment":
        if _follows(comma) == ",":
            return None
        comma = None
    has_comma = comma is not None and comma.type == ","
    stop = comma.end_byte if comma is not None and has_comma else end
    if code.is_alone(start, stop):
        return _lines(start, stop, code)
    is_last = at == len(siblings) - 1
    following = code.skip_blanks(stop)
    if has_comma and (is_last or code.data[following : following + 1] in (b"\n", b"\r", b"/", b"")):
        return _trimmed(start, stop, code)
    if has_comma:
        return Made((code.edit(start, following, ""),))
    if at and _COMMA.fullmatch(code.data, siblings[at - 1].end_byte, start):
        return Made((code.edit(siblings[at - 1].end_byte, end, ""),))
    if len(siblings) == 1 and code.data[following : following + 1] in b"}])":
        blanks = len(code.before(start)) - len(code.before(start).rstrip())
        return Made((code.edit(start - blanks, following, ""),))
    return Made((code.edit(start, end, ""),))


def _follows(comment: Node) -> str | None:
    """What follows behind comments."""
    node: Node | None = comment
    while node is not None and node.type == "comment":
        node = node.next_sibling
    return node.type if node is not None else None


def _trimmed(start: int, stop: int, code: Code) -> Made:
    """Without the blanks before it, unless they indent a line."""
    before = code.before(start)
    if before.strip():
        start -= len(before) - len(before.rstrip(b" \t"))
    return Made((code.edit(start, stop, ""),))


def _lines(start: int, stop: int, code: Code) -> Made:
    """Whole lines, with the comment at their end."""
    has_comment = code.ends_in_comment(stop)
    begin, end = code.line_start(start), code.line_end(stop)
    # The last line goes with the end of the line before it.
    if code.data[end - 1 : end] not in (b"\n", b"\r") and begin > 0:
        begin -= 2 if code.data[begin - 2 : begin] == b"\r\n" else 1
    return Made((code.edit(begin, end, ""),), has_comment)


def _statement(node: Node, code: Code) -> Made | None:
    start, end = node.start_byte, node.end_byte
    if node.parent is None or node.parent.type not in _BLOCKS:
        return Made((code.edit(start, end, "{}"),))
    if not code.is_alone(start, end) or _joins(start, end, code):
        return None
    return _lines(start, end, code)


def _joins(start: int, end: int, code: Code) -> bool:
    """Whether what stands around a statement would become one without it."""
    before, after = code.data[:start].rstrip()[-1:], code.data[end:].lstrip()[:1]
    return before not in (b"", b";", b"{", b"}") and after != b"" and after in _JOINING


def _link(receiver: Node, node: Node, code: Code) -> Made | None:
    """One call of a chain goes, what it is called on and what is called on it stay."""
    called = node.child_by_field_name("function")
    dots = [child for child in called.children if child.type in (".", "?.")] if called else []
    if not dots:
        return None
    start, end, dot = receiver.end_byte, node.end_byte, dots[0].start_byte
    if code.is_alone(dot, end):
        return _lines(dot, end, code)
    between = code.data[start:dot]
    return Made((code.edit(start, end, ""),), b"//" in between or b"/*" in between)
