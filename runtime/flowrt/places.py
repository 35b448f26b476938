"""Places for the parts of flows that are objects: lines of a file that is not there."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from flowlint.source import Span


class Places:
    """Gives each part of a flow a place of its own."""

    def __init__(self, name: str) -> None:
        self._path = f"<flow {name}>"
        self._line = 0
        self._functions: dict[object, Span | None] = {}
        self._taken: set[Span] = set()

    def next(self) -> Span:
        """The place of another part; what is in it lies in columns 2 and 3."""
        self._line += 1
        return Span(self._path, self._line, 1, self._line, 9)

    def of_function(self, function: Callable[..., Any]) -> Span | None:
        """Where a function is defined; None when another one, made there too, came before."""
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        if code is None:
            return None
        # Methods are made anew at each mention, but are equal.
        if not isinstance(function, Hashable):
            return None
        if function not in self._functions:
            line = code.co_firstlineno
            span = Span(code.co_filename, line, 1, line, 1)
            self._functions[function] = None if span in self._taken else span
            self._taken.add(span)
        return self._functions[function]


def inside(span: Span, column: int) -> Span:
    """A place within that of a part."""
    return Span(span.path, span.line, column, span.line, column + 1)
