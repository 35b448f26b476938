"""Where in a text of TOML something is stated: its parser tells values without their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

_PART = r"""(?:[\w-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_KEY = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE = re.compile(rf"\s*\[\[?\s*({_KEY})\s*\]")
_PAIR = re.compile(rf"\s*({_KEY})\s*=")
_PARTS = re.compile(_PART)
_INLINE = re.compile(rf"[{{,]\s*({_KEY})\s*=")


def line_of(text: str, keys: Sequence[str], word: str | None = None) -> int | None:
    """The line of a key by its path from the top, or of `word` in its value.

    The tables of a list are numbered from 0.

    The nearest table around it where the key itself cannot be found.
    """
    wanted = tuple(keys)
    for length in range(len(wanted), 0, -1):
        found = next((line for line, key in _keys(text) if key == wanted[:length]), None)
        if found is not None:
            return _line_of_word(text, found, word) if word is not None else found
    return None


def _line_of_word(text: str, begin: int, word: str) -> int:
    lines = text.splitlines()
    for number in range(begin, len(lines) + 1):
        if f'"{word}"' in lines[number - 1] or f"'{word}'" in lines[number - 1]:
            return number
    return begin


def _keys(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    table: tuple[str, ...] = ()
    last: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        header = _TABLE.match(line)
        pair = _PAIR.match(line)
        if header is not None and pair is None:
            table = _split(header[1])
            if line.lstrip().startswith("[["):
                last[table] = last.get(table, -1) + 1
                # The lists in it begin anew.
                last = {one: at for one, at in last.items() if one[: len(table)] != table} | {
                    table: last[table]
                }
            table = _numbered(table, last)
            yield number, table
        elif pair is not None:
            key = (*table, *_split(pair[1]))
            yield number, key
            for inner in _INLINE.finditer(line, pair.end()):
                yield number, (*key, *_split(inner[1]))


def _numbered(key: tuple[str, ...], last: Mapping[tuple[str, ...], int]) -> tuple[str, ...]:
    """A key with the numbers of the tables that it is in, where those are lists of tables."""
    found: list[str] = []
    for length, part in enumerate(key, start=1):
        found.append(part)
        if key[:length] in last:
            found.append(str(last[key[:length]]))
    return tuple(found)


def _split(key: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PARTS.findall(key))
