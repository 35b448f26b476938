"""Where comments stand in TypeScript and JavaScript, and what they stand at the ends of."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING

from flowlint.findings.layout import Comment, Layout, Stretch, nested

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query

_LINE_END = re.compile(rb"\r\n|\n|\r")
_WITHOUT_JSX = (".ts", ".mts", ".cts")

_WANTED = """
(comment) @comment
(hash_bang_line) @comment
[(arguments) (object)] @stretch
[
  (expression_statement)
  (lexical_declaration)
  (variable_declaration)
  (return_statement)
  (throw_statement)
  (public_field_definition)
  (export_statement value: (_))
] @stretch
[(template_string) (string)] @closed
"""
_WANTED_OF_JSX = "(jsx_element) @closed"


def script_layout(path: str, text: str) -> Layout:
    """The layout of a text; without the packages that it takes to read it, that of an empty one."""
    try:
        parser, query = _reader(jsx=not path.endswith(_WITHOUT_JSX))
    except ImportError:
        return Layout([], [], [], is_script=True)
    from tree_sitter import QueryCursor

    data = text.encode("utf-8", "replace")
    tree = parser.parse(data)
    found = QueryCursor(query).captures(tree.root_node)
    lines = _Lines(data)
    comments: list[Comment] = []
    for node in found.get("comment", ()):
        comments += lines.comments(node)
    comments.sort(key=lambda comment: (comment.line, comment.column))
    closed = set[int]()
    for node in (*found.get("closed", ()), *found.get("comment", ())):
        closed.update(range(lines.number(node.start_byte), lines.number(node.end_byte)))
    stretches = [lines.stretch(node) for node in found.get("stretch", ())]
    ends = frozenset(range(1, len(lines.starts) + 1)) - closed
    return Layout(comments, *nested(stretches), ends, is_script=True)


@cache
def _reader(*, jsx: bool) -> tuple[Parser, Query]:
    import tree_sitter_typescript
    from tree_sitter import Language, Parser, Query

    make = (
        tree_sitter_typescript.language_tsx if jsx else tree_sitter_typescript.language_typescript
    )
    language = Language(make())
    return Parser(language), Query(language, _WANTED + _WANTED_OF_JSX if jsx else _WANTED)


class _Lines:
    """A text in UTF-8, by lines from 1."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.starts = [0, *(found.end() for found in _LINE_END.finditer(data))]

    def number(self, offset: int) -> int:
        """The line of an offset."""
        return bisect_right(self.starts, offset)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column from 1 of an offset."""
        line = self.number(offset)
        before = self.data[self.starts[line - 1] : offset]
        return line, len(before.decode("utf-8", "replace")) + 1

    def stretch(self, node: Node) -> Stretch:
        """From the first to the last character of a node."""
        line, column = self.place(node.end_byte)
        return Stretch(self.place(node.start_byte), (line, column - 1))

    def comments(self, node: Node) -> list[Comment]:
        """A comment, or the lines of one that goes over several."""
        line, column = self.place(node.start_byte)
        text = self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        first, *rest = re.split(r"\r\n|\n|\r", text)
        found = [Comment(line, column - 1, first)]
        return found + [Comment(line + 1 + number, 0, one) for number, one in enumerate(rest)]
