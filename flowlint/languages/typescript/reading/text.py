"""The text of a module, with a line and a column in characters for every byte."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from itertools import accumulate

from flowlint.source import Span


class SourceText:
    """The bytes of a module in UTF-8, without a mark at their beginning."""

    __slots__ = ("_odd", "_spans", "_starts", "data", "is_ascii", "path")

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self.is_ascii = data.isascii()
        self._starts: list[int] | None = None
        self._odd: frozenset[int] = frozenset()
        """The lines that hold more than ASCII."""
        self._spans: dict[tuple[int, int], Span] = {}

    def span(self, start: int, end: int) -> Span:
        """The stretch between two offsets in bytes; columns count characters."""
        found = self._spans.get((start, end))
        if found is None:
            found = self._spans[start, end] = self._counted(start, end)
        return found

    def _counted(self, start: int, end: int) -> Span:
        if self._starts is None:
            lines = self.data.splitlines(keepends=True)
            ends = list(accumulate(map(len, lines)))
            if lines and not lines[-1].endswith((b"\n", b"\r")):
                ends.pop()
            self._starts = [0, *ends]
            if not self.is_ascii:
                numbered = enumerate(lines, 1)
                self._odd = frozenset(number for number, line in numbered if not line.isascii())
        starts = self._starts
        first = bisect_right(starts, start)
        is_one_line = first == len(starts) or end < starts[first]
        last = first if is_one_line else bisect_right(starts, end)
        before, before_end = starts[first - 1], starts[last - 1]
        if first not in self._odd and last not in self._odd:
            return Span(self.path, first, start - before + 1, last, end - before_end + 1)
        column, end_column = self._column(before, start), self._column(before_end, end)
        return Span(self.path, first, column, last, end_column)

    def _column(self, start: int, at: int) -> int:
        before = self.data[start:at]
        return len(before if before.isascii() else before.decode("utf-8", "replace")) + 1

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets."""
        return self.data[start:end].decode("utf-8", "replace")


def decoded(data: bytes) -> tuple[bytes, int | None]:
    """The bytes as UTF-8, and where they first are none; such bytes stand as U+FFFD."""
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data[2:].decode(encoding, "replace").encode("utf-8", "replace"), None
    data = data.removeprefix(codecs.BOM_UTF8)
    if data.isascii():
        return data, None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.decode("utf-8", "replace").encode("utf-8"), error.start
    return data, None
