"""Texts, places and edits: the ground floor that every other part stands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open stretch of one file.

    Lines and columns count from 1 and columns count characters, not bytes. In a notebook
    `cell` is the 0-based index over all cells and lines count within that cell.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: int | None = None

    def start(self) -> Span:
        """The empty span at the beginning of this one."""
        return Span(self.path, self.line, self.column, self.line, self.column, self.cell)

    def to(self, end: Span) -> Span:
        """From the beginning of this span to the end of `end` (same file and cell)."""
        return Span(self.path, self.line, self.column, end.end_line, end.end_column, self.cell)

    def contains(self, other: Span) -> bool:
        """Whether `other` lies inside this span, in the same file and cell."""
        if (self.path, self.cell) != (other.path, other.cell):
            return False
        starts = (self.line, self.column) <= (other.line, other.column)
        return starts and (other.end_line, other.end_column) <= (self.end_line, self.end_column)

    def __str__(self) -> str:
        where = f"{self.path}:" if self.cell is None else f"{self.path}:cell {self.cell}:"
        return f"{where}{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `new_text`."""

    span: Span
    new_text: str


class Files(Protocol):
    """Where texts come from: the disk, with unsaved buffers lying over it."""

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError when it cannot be read."""

    def is_file(self, path: str) -> bool:
        """Whether `path` is a file that can be asked for."""

    def is_dir(self, path: str) -> bool:
        """Whether `path` is a folder."""
