"""Where in a line a text could be written, also while the line is half typed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flowlint.suffixes import SCRIPT_SUFFIXES

_OPENING = re.compile(r"""([rRuUfFbB]{0,2})("{3}|'{3}|"|')""")
_SCRIPT_OPENING = re.compile("()(['\"`])")
_BEFORE = "(,=[:{"
_WORD = re.compile(r"[\w.-]")

PYTHON_ENDS = ("", ")", ",", "),", "]", "])", "}", "})", "]:", "]):", ")]", ")])")
"""What may be missing behind a text in Python; the likelier earlier."""
DATA_ENDS = ("", "}", "]", ",", "},")
SCRIPT_ENDS = ("", " }", ",", " },", ")", ");", "]", "})", " }]", " });", "])", " }])")


@dataclass(frozen=True, slots=True)
class WritingPlace:
    """The characters, from 0, that a text takes the place of.

    `quote` is what the text has to stand between, if it does not yet; `closing` what has to
    follow it alone. `ends` are what may be missing behind that.
    """

    start: int
    end: int
    quote: str
    closing: str
    ends: tuple[str, ...]


def writing_place(path: str, line: str, at: int) -> WritingPlace | None:
    """The place for a text around a character of a line; None where none can be."""
    line = line.rstrip("\r\n")
    at = min(at, len(line))
    is_yaml = path.endswith((".yaml", ".yml"))
    is_script = path.endswith(SCRIPT_SUFFIXES)
    ends = DATA_ENDS if is_yaml or path.endswith(".json") else PYTHON_ENDS
    ends = SCRIPT_ENDS if is_script else ends
    literal = _SCRIPT_OPENING if is_script else _OPENING
    index = 0
    while index < at:
        if _is_comment(line, index, path):
            return None
        opening = literal.match(line, index)
        is_text = opening is not None and not (index and _is_word(line[index - 1]))
        if opening is None or not is_text:
            index += 1
            continue
        prefix, quote = opening[1].lower(), opening[2]
        start = opening.end()
        end = _end(line, start, quote)
        if start <= at <= (end if end >= 0 else len(line)):
            if "b" in prefix or len(quote) == 3:
                return None
            if end >= 0:
                return WritingPlace(start, end, "", "", ends)
            behind = at
            while behind < len(line) and _is_word(line[behind]):
                behind += 1
            return WritingPlace(start, behind, "", quote, ends)
        if end < 0 or at < start:
            return None
        index = end + len(quote)
    return _plain(line, at, ends) if is_yaml else _bare(line, at, ends)


def _is_comment(line: str, at: int, path: str) -> bool:
    if path.endswith(SCRIPT_SUFFIXES):
        return line.startswith("//", at)
    return line[at] == "#" and not path.endswith(".json")


def _bare(line: str, at: int, ends: tuple[str, ...]) -> WritingPlace | None:
    """A place where a text may begin."""
    before, behind = line[:at].rstrip(), line[at:].lstrip()
    if not before or before[-1] not in _BEFORE or (behind and behind[0] not in ",)]};"):
        return None
    return WritingPlace(at, at, '"', "", ends)


def _plain(line: str, at: int, ends: tuple[str, ...]) -> WritingPlace | None:
    """A text of YAML without quotes."""
    start, end = at, at
    while start and _WORD.match(line[start - 1]):
        start -= 1
    while end < len(line) and _WORD.match(line[end]):
        end += 1
    before = line[:start]
    if before.endswith((": ", "- ", "[")) or (before.endswith(", ") and "[" in before):
        return WritingPlace(start, end, "", "", ends)
    return None


def _end(line: str, start: int, quote: str) -> int:
    index = start
    while index < len(line):
        if line[index] == "\\":
            index += 2
        elif line.startswith(quote, index):
            return index
        else:
            index += 1
    return -1


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
