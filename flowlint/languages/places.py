"""Places in files of data, and what reading such a file gives."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import accumulate

from flowlint.source import Span
from flowlint.values.model import Value

_LINE_END = re.compile(r"\r\n|\n|\r")
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Fault:
    """One place where a file is not what it should be, in plain words without a full stop."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """A key that is written twice in one mapping: where again, and where before."""

    span: Span
    name: str
    before: Span


@dataclass(frozen=True, slots=True)
class Documents:
    """The values in a file of data, as far as they could be read.

    Of a key that is written twice the last one counts. Without values `says_flow` tells whether
    the part before the fault shows that it was to be a flow.
    """

    values: tuple[Value, ...] = ()
    faults: tuple[Fault, ...] = ()
    says_flow: bool = False
    repeats: tuple[Repeat, ...] = ()


class Text:
    """The text of a file, with a line and column for every offset.

    `age` grows when what was worked out of its offsets holds no longer.
    """

    __slots__ = ("_starts", "age", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.age = 0
        self._starts: list[int] | None = None

    def change(self, text: str) -> None:
        """It is another text now."""
        self.text = text
        self.age += 1
        self._starts = None

    def starts(self) -> list[int]:
        """The offsets at which lines begin."""
        if self._starts is None:
            if "\r" in self.text:
                self._starts = [0, *(found.end() for found in _LINE_END.finditer(self.text))]
            else:
                lines = self.text.split("\n")
                self._starts = [0, *accumulate(len(line) + 1 for line in lines[:-1])]
        return self._starts

    def offset_of(self, line: int, column: int) -> int:
        """The offset of a line and column that count from 1."""
        starts = self.starts()
        return starts[line - 1] + column - 1 if line <= len(starts) else len(self.text)

    def span(self, start: int, end: int) -> Span:
        """The stretch between two offsets, counted in characters."""
        starts = self.starts()
        first = bisect_right(starts, start) - 1
        last = bisect_right(starts, end) - 1
        return Span(
            self.path, first + 1, start - starts[first] + 1, last + 1, end - starts[last] + 1
        )

    def fault(self, start: int, end: int, message: str) -> Fault:
        """A fault between two offsets; one of no width gets the character there."""
        return Fault(self.span(start, max(end, min(start + 1, len(self.text)))), message)


class Piece(Text):
    """A part of a text that stays as it is when others change: only where it begins does not.

    It begins at `offset` in the whole text. `memory` is for what others work out of the part,
    and is lost when the part moves.
    """

    __slots__ = ("column", "line", "memory", "offset")

    def __init__(self, path: str, text: str, offset: int, line: int, column: int) -> None:
        super().__init__(path, text)
        self.offset = offset
        self.line = line
        self.column = column
        self.memory: dict[Hashable, object] = {}

    def move(self, line: int, column: int) -> None:
        """It begins elsewhere now."""
        if (line, column) != (self.line, self.column):
            self.line, self.column = line, column
            self.age += 1
            self.memory.clear()

    def span(self, start: int, end: int) -> Span:
        """The stretch between two offsets, counted in characters."""
        starts = self.starts()
        first = bisect_right(starts, start) - 1
        last = bisect_right(starts, end) - 1
        return Span(
            self.path,
            first + self.line,
            start - starts[first] + (1 if first else self.column),
            last + self.line,
            end - starts[last] + (1 if last else self.column),
        )


@dataclass(slots=True)
class Place:
    """Where a value stands; `end` is set when it has been read."""

    text: Text
    start: int
    end: int
    _span: Span | None = field(default=None, repr=False, compare=False)
    _age: int = field(default=0, repr=False, compare=False)

    def span(self) -> Span:
        """The place as a span."""
        text = self.text
        if self._span is None or self._age != text.age:
            self._span = text.span(self.start, self.end)
            self._age = text.age
        return self._span


def text_of_bytes(path: str, data: bytes) -> Text | Fault:
    """The text of a file in UTF-8, or the fault that it is none."""
    try:
        return Text(path, data.decode("utf-8").removeprefix(_MARK))
    except UnicodeDecodeError as error:
        before = Text(path, data[: error.start].decode("utf-8").removeprefix(_MARK))
        end = len(before.text)
        return Fault(before.span(end, end), "this byte is no UTF-8")
