"""TypeScript that is to be changed: what stands where, and between what."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.module import ParsedModule
from flowlint.source import Edit, Span

if TYPE_CHECKING:
    from tree_sitter import Node

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BLANK = re.compile(rb"[ \t\f\v]*")
_REST = re.compile(rb"[ \t\f\v]*(//[^\r\n]*|/\*[^\r\n]*?\*/[ \t\f\v]*)?(?=\r|\n|\Z)")
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_WRAPPERS = frozenset(
    {
        "as_expression",
        "non_null_expression",
        "parenthesized_expression",
        "satisfies_expression",
        "type_assertion",
    }
)
_OUTER = frozenset({"expression_statement", "program"})
_NAMES = frozenset({"property_identifier", "shorthand_property_identifier"})


class Code:
    """A module with its lines; offsets are in bytes."""

    def __init__(self, module: ParsedModule) -> None:
        self.module = module
        self.data = module.text.data

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in _LINE_END.finditer(self.data))]

    def at(self, span: Span) -> Node | None:
        """The outermost node below statements that stands exactly there."""
        start = self._offset(span.line, span.column)
        end = self._offset(span.end_line, span.end_column)
        if start is None or end is None or end <= start:
            return None
        node = self.module.tree.root_node.descendant_for_byte_range(start, end)
        while node is not None and _is_within(node, start, end):
            outer = node.parent
            if outer is None or outer.type in _OUTER or not _is_within(outer, start, end):
                return node
            node = outer
        return None

    def call_at(self, span: Span) -> Node | None:
        """The call that stands exactly there, or whose own part of a chain of calls does."""
        node = self.at(span)
        if node is not None:
            return node
        start = self._offset(span.line, span.column)
        end = self._offset(span.end_line, span.end_column)
        if start is None or end is None or end <= start:
            return None
        node = self.module.tree.root_node.descendant_for_byte_range(start, end)
        called = node.child_by_field_name("function") if node is not None else None
        name = called.child_by_field_name("property") if called is not None else None
        is_it = node is not None and name is not None and node.end_byte == end
        return node if is_it and name is not None and name.start_byte == start else None

    def _offset(self, line: int, column: int) -> int | None:
        if not 1 <= line <= len(self._starts):
            return None
        start = self._starts[line - 1]
        if self.module.text.is_ascii:
            return start + column - 1
        before = self.data[start : self.line_end(start)].decode("utf-8", "replace")[: column - 1]
        return start + len(before.encode("utf-8"))

    def text(self, node: Node) -> str:
        """The text of a node."""
        return self.module.text_of(node)

    def edit(self, start: int, end: int, new_text: str) -> Edit:
        """The edit that replaces what is between two offsets."""
        return Edit(self.module.text.span(start, end), new_text)

    def line_start(self, offset: int) -> int:
        """The offset at which the line of an offset begins."""
        return max(self.data.rfind(b"\n", 0, offset), self.data.rfind(b"\r", 0, offset)) + 1

    def line_end(self, offset: int) -> int:
        """The offset behind the end of the line of an offset."""
        found = _LINE_END.search(self.data, offset)
        return len(self.data) if found is None else found.end()

    def before(self, offset: int) -> bytes:
        """What stands in the line before an offset."""
        return self.data[self.line_start(offset) : offset]

    def skip_blanks(self, offset: int) -> int:
        """The offset of what follows in the line."""
        found = _BLANK.match(self.data, offset)
        return offset if found is None else found.end()

    def is_alone(self, start: int, end: int) -> bool:
        """Whether nothing but a comment stands beside a stretch in its lines."""
        return not self.before(start).strip() and _REST.match(self.data, end) is not None

    def ends_in_comment(self, end: int) -> bool:
        """Whether only a comment follows in the line."""
        found = _REST.match(self.data, end)
        return found is not None and found[1] is not None

    def indent(self, node: Node) -> str | None:
        """What a node's line begins with, None where the node is not the first in it."""
        before = self.before(node.start_byte)
        return None if before.strip() else before.decode("utf-8", "replace")


def _is_within(node: Node, start: int, end: int) -> bool:
    return node.start_byte == start and node.end_byte == end


def parts(holder: Node) -> list[Node]:
    """The elements of an array, the properties of an object, the arguments of a call."""
    return [child for child in holder.named_children if child.type != "comment"]


def unwrapped(node: Node) -> Node:
    """A value without what is only said of its type, and without parentheses."""
    while node.type in _WRAPPERS:
        inner = [child for child in node.named_children if child.type != "comment"]
        if not inner:
            break
        node = inner[-1] if node.type == "type_assertion" else inner[0]
    return node


def wrapped(node: Node) -> Node:
    """A value with what is said of its type around it, and with its parentheses."""
    while (outer := node.parent) is not None and outer.type in _WRAPPERS:
        if unwrapped(outer) != unwrapped(node):
            break
        node = outer
    return node


def name_of_key(key: Node | None, code: Code) -> str | None:
    """What a key says that is a name or a plain text."""
    if key is None:
        return None
    if key.type in _NAMES:
        return code.text(key)
    return said_by(key, code)


def said_by(node: Node, code: Code) -> str | None:
    """What a literal says in which no character is written in a special way."""
    if node.type == "computed_property_name":
        inner = parts(node)
        return said_by(inner[0], code) if len(inner) == 1 else None
    if node.type not in ("string", "template_string"):
        return None
    source = code.text(node)
    text = source[1:-1]
    is_plain = "\\" not in text and not (source[0] == "`" and "${" in text)
    return text if is_plain and len(source) > 1 else None


def key_of(part: Node) -> Node | None:
    """The key of a property of an object."""
    if part.type == "shorthand_property_identifier":
        return part
    return part.child_by_field_name("key") or part.child_by_field_name("name")


def is_identifier(text: str) -> bool:
    """Whether a text can be a key without quotes."""
    return _IDENTIFIER.fullmatch(text) is not None
