"""Python code that is to be changed: what stands where, and between what."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property

from flowlint.languages.python.reading.module import ParsedModule
from flowlint.source import Edit, Span

_BLANK = re.compile(r"(?:[ \t\f]|\\\n)*")
_SPACE = re.compile(r"(?:[ \t\f\n]|\\\n|#[^\n]*)*")


@dataclass
class Code:
    """A module with what its nodes stand in."""

    module: ParsedModule

    @property
    def text(self) -> str:
        """The text of the module."""
        return self.module.text

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each node stands in."""
        tree = self.module.tree
        return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def _by_span(self) -> dict[Span, list[ast.AST]]:
        found: dict[Span, list[ast.AST]] = {}
        for node in ast.walk(self.module.tree):
            if hasattr(node, "end_lineno"):
                found.setdefault(self.module.span(node), []).append(node)
        return found

    def at(self, span: Span, kind: type[ast.AST] = ast.expr) -> ast.AST | None:
        """The outermost node of a kind that stands exactly there."""
        return next((node for node in self._by_span.get(span, ()) if isinstance(node, kind)), None)

    def start(self, node: ast.AST) -> int:
        """The offset at which a node begins."""
        return self.module.offsets(node)[0]

    def end(self, node: ast.AST) -> int:
        """The offset at which a node ends."""
        return self.module.offsets(node)[1]

    def edit(self, start: int, end: int, new_text: str) -> Edit:
        """The edit that replaces what is between two offsets."""
        return Edit(self.module.stretch(start, end), new_text)

    def skip(self, offset: int) -> int:
        """The offset of the next token."""
        found = _SPACE.match(self.text, offset)
        return found.end() if found else offset

    def skip_blanks(self, offset: int) -> int:
        """The offset of what follows in the line."""
        found = _BLANK.match(self.text, offset)
        return found.end() if found else offset

    def line_start(self, offset: int) -> int:
        """The offset at which the line of an offset begins."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """The offset behind the end of the line of an offset."""
        found = self.text.find("\n", offset)
        return len(self.text) if found < 0 else found + 1

    def before(self, offset: int) -> str:
        """What stands in the line before an offset."""
        return self.text[self.line_start(offset) : offset]

    def is_alone(self, start: int, end: int) -> bool:
        """Whether nothing but a comment stands beside a stretch in its lines."""
        after = self.text[self.skip_blanks(end) : self.line_end(end)]
        return not self.before(start).strip() and (not after.strip() or after.startswith("#"))

    def ends_in_comment(self, end: int) -> bool:
        """Whether a comment follows in the line."""
        return self.text[self.skip_blanks(end) :].startswith("#")
