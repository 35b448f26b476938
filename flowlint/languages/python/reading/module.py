"""A file of Python that was read: its tree, and where everything in it stands."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import cast

from flowlint.source import Span

_GAP = r"(?:[ \t\f]|\\\n)+"
_DEFINITION = re.compile(rf"(?:async{_GAP})?(?:def|class){_GAP}([^\s(\[:\\]+)")


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """One place where the file is not Python, in plain words without a full stop."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class CellLines:
    """The lines that one notebook cell takes in the joined text."""

    cell: int
    first_line: int


class ParsedModule:
    """The statements of one file that could be understood, with exact places."""

    __slots__ = (
        "_ascii",
        "_cells",
        "_starts",
        "_wide",
        "faults",
        "generation",
        "lost",
        "path",
        "text",
        "touched",
        "tree",
    )

    def __init__(
        self,
        path: str,
        text: str,
        tree: ast.Module,
        faults: tuple[SyntaxFault, ...] = (),
        lost: tuple[Span, ...] = (),
        cells: tuple[CellLines, ...] = (),
    ) -> None:
        self.path = path
        self.text = text
        self.tree = tree
        self.faults = faults
        self.lost = lost
        self.generation = 0
        """How many times the file was read before."""
        self.touched: frozenset[str] | None = None
        """The names that may mean something else than when it was; None: any."""
        self._cells = cells
        self._ascii = text.isascii()
        self._wide: dict[int, bytes] = {}
        self._starts: list[int] = []

    def follows(self, former: ParsedModule, touched: frozenset[str]) -> None:
        """Tell what is not as it was in the former reading of the same file."""
        self.generation = former.generation + 1
        self.touched = touched if self.is_whole and former.is_whole else None

    @property
    def is_whole(self) -> bool:
        """Whether all of one text could be understood."""
        return not (self.faults or self.lost or self._cells)

    def span(self, node: ast.AST) -> Span:
        """Where `node` stands. A node that has no place of its own is where its parts are."""
        place = cast("ast.expr", node)
        try:
            line, column = place.lineno, place.col_offset
            end_line, end_column = place.end_lineno or line, place.end_col_offset or column
        except AttributeError:
            return self._span_of_parts(node)
        if not self._ascii:
            column, end_column = self._column(line, column), self._column(end_line, end_column)
        if self._cells:
            return self._in_cell(line, column, end_line, end_column)
        return Span(self.path, line, column + 1, end_line, end_column + 1)

    def name_span(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """Where the name that `node` defines is written."""
        start = self._offset(node.lineno, node.col_offset)
        match = _DEFINITION.match(self.text, start)
        if match is None:
            return self.span(node).start()
        line = node.lineno + self.text.count("\n", start, match.start(1))
        column = match.start(1) - self._line_starts()[line - 1]
        end_column = column + len(match.group(1))
        if self._cells:
            return self._in_cell(line, column, line, end_column)
        return Span(self.path, line, column + 1, line, end_column + 1)

    def source(self, node: ast.AST) -> str:
        """The text of `node`; empty for a node without a place of its own."""
        place = cast("ast.expr", node)
        try:
            start = self._offset(place.lineno, place.col_offset)
            return self.text[start : self._offset(place.end_lineno or 0, place.end_col_offset or 0)]
        except AttributeError:
            return ""

    def offsets(self, node: ast.AST) -> tuple[int, int]:
        """Where `node` begins and ends in the text; it has a place of its own."""
        place = cast("ast.expr", node)
        end_line, end_column = place.end_lineno or 0, place.end_col_offset or 0
        start = self._offset(place.lineno, place.col_offset)
        return start, self._offset(end_line, end_column)

    def bounds(self, offset: int) -> tuple[int, int]:
        """Where the cell of an offset begins and ends, or the file that has no cells."""
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        after = bisect_right(self._cells, line, key=lambda cell: cell.first_line)
        first = self._cells[after - 1].first_line if after else 1
        is_last = after >= len(self._cells)
        end = len(self.text) if is_last else starts[self._cells[after].first_line - 1] - 1
        return starts[first - 1], end

    def stretch(self, start: int, end: int) -> Span:
        """The place between two offsets, which ends in the cell that it begins in."""
        starts = self._line_starts()
        line = bisect_right(starts, start)
        end_line = bisect_right(starts, end)
        column, end_column = start - starts[line - 1], end - starts[end_line - 1]
        if not self._cells:
            return Span(self.path, line, column + 1, end_line, end_column + 1)
        after = bisect_right(self._cells, line, key=lambda cell: cell.first_line)
        if after < len(self._cells) and self._cells[after].first_line <= end_line:
            end_line = self._cells[after].first_line - 1
            end_column = starts[end_line] - 1 - starts[end_line - 1]
        return self._in_cell(line, column, end_line, end_column)

    def _span_of_parts(self, node: ast.AST) -> Span:
        parts = [part for part in ast.walk(node) if hasattr(part, "lineno")]
        if not parts:
            return Span(self.path, 1, 1, 1, 1)
        spans = [self.span(part) for part in parts]
        first = min(spans, key=lambda span: (span.cell or 0, span.line, span.column))
        together = [span for span in spans if span.cell == first.cell]
        return first.to(max(together, key=lambda span: (span.end_line, span.end_column)))

    def _in_cell(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        index = bisect_right(self._cells, line, key=lambda cell: cell.first_line) - 1
        above = self._cells[index].first_line - 1
        cell = self._cells[index].cell
        return Span(self.path, line - above, column + 1, end_line - above, end_column + 1, cell)

    def _column(self, line: int, byte_offset: int) -> int:
        """How many characters the first bytes of a line are."""
        if self._ascii:
            return byte_offset
        if not self._wide:
            lines = enumerate(self.text.split("\n"), 1)
            self._wide = {n: line.encode() for n, line in lines if not line.isascii()}
        wide = self._wide.get(line)
        if wide is None:
            return byte_offset
        return len(wide[:byte_offset].decode("utf-8", "replace"))

    def _offset(self, line: int, byte_offset: int) -> int:
        return self._line_starts()[line - 1] + self._column(line, byte_offset)

    def _line_starts(self) -> list[int]:
        if not self._starts:
            start = 0
            for line in self.text.split("\n"):
                self._starts.append(start)
                start += len(line) + 1
        return self._starts
