"""Where somebody asks what can be done."""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.source import Span
from flowls.session.refactoring.writing import Writing


@dataclass(frozen=True, slots=True)
class At:
    """A stretch of a text, which may be empty."""

    span: Span
    writing: Writing

    def touches(self, span: Span) -> bool:
        """Whether a part of the text lies there, or borders on it."""
        own = self.span
        if (span.path, span.cell) != (own.path, own.cell):
            return False
        starts = (span.line, span.column) <= (own.end_line, own.end_column)
        return starts and (own.line, own.column) <= (span.end_line, span.end_column)
