"""The lines of a text, as editors count them."""

from __future__ import annotations

import re

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def split_lines(text: str) -> list[str]:
    """The lines with their ends: `\\n`, `\\r\\n` and `\\r`, and nothing else, end one."""
    return _LINE.findall(text)


def replaced(
    lines: list[str], start: tuple[int, int], end: tuple[int, int], text: str
) -> list[str]:
    """The lines with what stands between two places replaced.

    Places are lines and characters from 0; what lies behind the end counts as the end. Only the
    lines around the change are looked at.
    """
    first, last = min(start[0], len(lines)), min(end[0], len(lines))
    before = _before(lines[first], start[1]) if first < len(lines) else ""
    behind = lines[last][len(_before(lines[last], end[1])) :] if last < len(lines) else ""
    # One more line on either side: the two halves of `\r\n` may come together.
    low, high = max(first - 1, 0), last + 2
    changed = "".join((*lines[low:first], before, text, behind, *lines[last + 1 : high]))
    return [*lines[:low], *split_lines(changed), *lines[high:]]


def _before(line: str, character: int) -> str:
    return line.rstrip("\r\n")[:character]
