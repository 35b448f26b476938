"""Patterns of paths, written and read as in a `.gitignore`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

_WILD = re.compile(r"[*?\[\\]")
_ENDING = re.compile(r"\*(\.[^.*?\[\\/]+)")


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One line: `text` without its marks. The place among its kind decides which one wins."""

    text: str
    negated: bool
    for_folders: bool
    anchored: bool


@dataclass(slots=True)
class _Kind:
    """The patterns that may hold for files, or those for folders."""

    of_names: bool
    plain: dict[str, int] = field(default_factory=dict)
    endings: dict[str, int] = field(default_factory=dict)
    wild: list[tuple[int, str]] = field(default_factory=list)
    _compiled: re.Pattern[str] | None = None

    def __bool__(self) -> bool:
        return bool(self.plain or self.endings or self.wild)

    def add(self, number: int, text: str) -> None:
        """Take in one pattern; later ones win."""
        ending = _ENDING.fullmatch(text) if self.of_names else None
        if ending is not None:
            self.endings[ending[1]] = number
        elif _WILD.search(text):
            self.wild.append((number, _expression(text)))
        else:
            self.plain[text] = number

    def last(self, text: str) -> int:
        """The number of the last pattern that fits, -1 for none."""
        found = self.plain.get(text, -1)
        if self.endings:
            at = text.rfind(".")
            if at >= 0:
                found = max(found, self.endings.get(text[at:], -1))
        if self.wild:
            if self._compiled is None:
                parts = "|".join(f"{expression}()" for _, expression in reversed(self.wild))
                self._compiled = re.compile(rf"(?s:{parts})")
            match = self._compiled.fullmatch(text)
            if match is not None:
                found = max(found, self.wild[-(match.lastindex or 1)][0])
        return found


class Patterns:
    """An ordered list of patterns, of which the last that fits decides.

    A pattern without a slash fits names at any depth, one with a slash paths from where the
    patterns are stated; a slash at its end lets it fit folders only; `!` takes back.
    """

    __slots__ = ("_for_files", "_for_folders", "_negated")

    def __init__(self, lines: Iterable[str]) -> None:
        read = [found for line in lines if (found := _read(line)) is not None]
        self._negated = [pattern.negated for pattern in read]
        files = _Kind(of_names=True), _Kind(of_names=False)
        folders = _Kind(of_names=True), _Kind(of_names=False)
        for number, pattern in enumerate(read):
            if not pattern.for_folders:
                files[pattern.anchored].add(number, pattern.text)
            folders[pattern.anchored].add(number, pattern.text)
        self._for_files = [kind for kind in files if kind]
        self._for_folders = [kind for kind in folders if kind]

    def __bool__(self) -> bool:
        return bool(self._negated)

    def decide(self, inner: str, name: str, *, is_folder: bool = False) -> bool | None:
        """Whether the last pattern that fits wants the path `inner + name`; None: none fits.

        `inner` is the path of its folder from where the patterns are stated, with a slash at the
        end, or empty.
        """
        found = -1
        for kind in self._for_folders if is_folder else self._for_files:
            number = kind.last(name if kind.of_names else inner + name)
            found = max(found, number)
        return None if found < 0 else not self._negated[found]

    def covers(self, path: str) -> bool:
        """Whether a file, by its path from where the patterns are stated, or a folder around it
        is wanted."""
        *folders, name = path.split("/")
        inner = ""
        for folder in folders:
            if self.decide(inner, folder, is_folder=True):
                return True
            inner += f"{folder}/"
        return self.decide(inner, name) or False


def _read(line: str) -> _Pattern | None:
    text = line.rstrip("\r\n")
    while text.endswith((" ", "\t")) and not text.endswith("\\ "):
        text = text[:-1]
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text.removeprefix("!").removeprefix("./")
    for_folders = text.endswith("/")
    text = text[:-1] if for_folders else text
    anchored = "/" in text
    text = text.removeprefix("/")
    if text.startswith("**/") and "/" not in text[3:]:
        anchored, text = False, text[3:]
    return _Pattern(text, negated, for_folders, anchored) if text else None


@lru_cache(maxsize=4096)
def _expression(text: str) -> str:
    """A pattern with wildcards as a regular expression without groups."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        if text.startswith("**/", at) and (at == 0 or text[at - 1] == "/"):
            parts.append("(?:.*/)?")
            at += 3
        elif text[at:] == "**" and at > 0 and text[at - 1] == "/":
            parts.append(".+")
            at += 2
        elif text[at] == "*":
            parts.append("[^/]*")
            at += len(text[at:]) - len(text[at:].lstrip("*"))
        elif text[at] == "?":
            parts.append("[^/]")
            at += 1
        elif text[at] == "[":
            part, at = _class(text, at)
            parts.append(part)
        else:
            at += text[at] == "\\" and at + 1 < len(text)
            parts.append(re.escape(text[at]))
            at += 1
    return "".join(parts)


def _class(text: str, at: int) -> tuple[str, int]:
    """The expression for the `[…]` at a place, and where it ends; one left open fits nothing."""
    begin = at + 1
    negated = text[begin : begin + 1] in ("!", "^")
    begin += negated
    end = text.find("]", begin + 1)
    if end < 0:
        return r"(?!)", len(text)
    inner = re.sub(r"([\\\[\]^&~|])", r"\\\1", text[begin:end].replace("\\", ""))
    sign = "^" if negated else ""
    expression = f"(?!/)[{sign}{inner}]"
    try:
        re.compile(expression)
    except re.error:
        return r"(?!)", len(text)
    return expression, end + 1
