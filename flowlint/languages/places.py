"""Places in files of data, and what reading such a file gives."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

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
class Documents:
    """The values in a file of data, as far as they could be read.

    Without values `says_flow` tells whether the part before the fault shows that it was to be a
    flow.
    """

    values: tuple[Value, ...] = ()
    faults: tuple[Fault, ...] = ()
    says_flow: bool = False


class Text:
    """The text of a file, with a line and column for every offset."""

    __slots__ = ("_starts", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._starts: list[int] | None = None

    def span(self, start: int, end: int) -> Span:
        """The stretch between two offsets, counted in characters."""
        if self._starts is None:
            self._starts = [0, *(found.end() for found in _LINE_END.finditer(self.text))]
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end) - 1
        return Span(
            self.path,
            first + 1,
            start - self._starts[first] + 1,
            last + 1,
            end - self._starts[last] + 1,
        )

    def fault(self, start: int, end: int, message: str) -> Fault:
        """A fault between two offsets; one of no width gets the character there."""
        return Fault(self.span(start, max(end, min(start + 1, len(self.text)))), message)


@dataclass(slots=True)
class Place:
    """Where a value stands; `end` is set when it has been read."""

    text: Text
    start: int
    end: int

    def span(self) -> Span:
        """The place as a span."""
        return self.text.span(self.start, self.end)


def text_of_bytes(path: str, data: bytes) -> Text | Fault:
    """The text of a file in UTF-8, or the fault that it is none."""
    try:
        return Text(path, data.decode("utf-8").removeprefix(_MARK))
    except UnicodeDecodeError as error:
        before = Text(path, data[: error.start].decode("utf-8").removeprefix(_MARK))
        end = len(before.text)
        return Fault(before.span(end, end), "this byte is no UTF-8")
