"""Text for terminals: colour, safe characters, columns that line up."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

Tone = Literal["error", "warning", "info", "frame", "help", "strong", "added", "removed"]

_CODES: dict[Tone, str] = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "frame": "34",
    "help": "32",
    "strong": "1",
    "added": "32",
    "removed": "31",
}
_TAB = 4


@dataclass(frozen=True, slots=True)
class Style:
    """How to dress text up: with colours, with links that can be clicked on, or plain."""

    colour: bool = False
    links: bool = False

    def paint(self, text: str, tone: Tone) -> str:
        """The text in the colour of its tone."""
        return f"\x1b[{_CODES[tone]}m{text}\x1b[0m" if self.colour and text else text

    def link(self, text: str, url: str | None) -> str:
        """The text as a link, where there is an address and the terminal is to show links."""
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\" if self.links and url else text


def plain(text: str) -> str:
    """The text with every character that would move the cursor or colour the screen escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def cells_of(line: str) -> list[str]:
    """What to print for each character of a line of source, so that columns can be counted."""
    shown: list[str] = []
    column = 0
    for char in line:
        cell = " " * (_TAB - column % _TAB) if char == "\t" else char
        if not cell.isprintable():
            cell = "\N{REPLACEMENT CHARACTER}"
        shown.append(cell)
        column += width(cell)
    return shown


def width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
