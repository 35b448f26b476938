"""How much room text takes, roughly: nobody's fonts are known."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from flowlint.report.style import plain

_NARROW = frozenset("iIjlt|!.,:;'`()[]{}/\\ fr")
_BROAD = frozenset("mwMW@%—→")


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a line of text in a sans-serif font of this size."""
    return sum(map(_char_width, text)) * size * (1.07 if bold else 1.0)


def shorten(text: str, limit: int) -> str:
    """The text on one line with what moves cursors shown, its middle left out if it is long."""
    shown = plain(text)
    if len(shown) <= limit:
        return shown
    tail = limit // 3
    return f"{shown[: limit - tail - 1].rstrip()}…{shown[-tail:].lstrip()}"


def wrap(text: str, size: float, width: float) -> Iterator[str]:
    """The lines of a text that is to fit into a width; words longer than that are broken."""
    line, used = "", 0.0
    for word in plain(text).split():
        for piece in _pieces(word, size, width):
            room = text_width(f" {piece}" if line else piece, size)
            if line and used + room > width:
                yield line
                line, used, room = "", 0.0, text_width(piece, size)
            line = f"{line} {piece}" if line else piece
            used += room
    if line:
        yield line


def _pieces(word: str, size: float, width: float) -> Iterator[str]:
    piece, used = "", 0.0
    for char in word:
        room = _char_width(char) * size
        if piece and used + room > width:
            yield piece
            piece, used = "", 0.0
        piece += char
        used += room
    yield piece


@cache
def _char_width(char: str) -> float:
    if char in _NARROW:
        return 0.34
    if char in _BROAD:
        return 0.9
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    return 0.7 if char.isupper() else 0.58
