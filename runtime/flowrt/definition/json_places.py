"""Where in a text of JSON a fault is that Python's parser tells without its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_PART = re.compile(
    r'(?P<text>"(?:[^"\\]|\\.)*")(?P<colon>\s*:)?|(?P<sign>[{}\[\]])|(?P<word>-?\w[\w.+-]*)'
)


def key_written_twice(text: str) -> tuple[str, int] | None:
    """The first key that its mapping has already, and where it stands again."""
    open_: list[set[str]] = []
    for part in parts_of(text):
        if part["sign"] in ("{", "["):
            open_.append(set())
        elif part["sign"]:
            del open_[-1:]
        elif part["colon"] and open_:
            key = text_of(part["text"])
            if key in open_[-1]:
                return key, part.start()
            open_[-1].add(key)
    return None


def too_deep(text: str, most: int) -> int | None:
    """Where containers within containers become more than so many."""
    if text.count("{") + text.count("[") <= most:
        return None
    depth = 0
    for part in parts_of(text):
        if part["sign"] in ("{", "["):
            depth += 1
            if depth > most:
                return part.start()
        elif part["sign"]:
            depth -= 1
    return None


def word_at(text: str, word: str) -> int:
    """Where a word stands outside of texts, 0 when it does not."""
    return next((part.start() for part in parts_of(text) if part["word"] == word), 0)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """A place as people count it, from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def parts_of(text: str) -> Iterator[re.Match[str]]:
    """The texts, words and brackets of a text; a key comes with its colon."""
    return _PART.finditer(text)


def text_of(text: str) -> str:
    """What a text in quotes says."""
    try:
        return str(json.loads(text))
    except ValueError:
        return text
