"""Where a text is no YAML, and the same text without the line that is broken."""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

_LINE = re.compile(r"[^\r\n]*")
_DASHES = re.compile(r"[ ]*(?:-[ ]+)*")
_OPENED = ("quoted scalar", "simple key", "flow sequence", "flow mapping", "plain scalar")
"""What is broken where it begins, not where that is noticed."""


@dataclass(frozen=True, slots=True)
class Break:
    """Where a text cannot be read on, and what is wrong, in plain words.

    `line` is the offset of the line to leave out, `column` how far what is broken in it is
    indented; `is_final`: nothing can be read behind it, whatever is left out.
    """

    offset: int
    message: str
    line: int = 0
    column: int = 0
    is_final: bool = False


def break_of(error: yaml.YAMLError, text: str) -> Break:
    """Where the reader of YAML stopped."""
    if not isinstance(error, yaml.MarkedYAMLError):
        at = min(getattr(error, "position", 0), len(text))
        return Break(at, "this character must not be here", is_final=True)
    mark = error.problem_mark or error.context_mark
    at = min(mark.index, len(text)) if mark is not None else 0
    begun = error.context_mark
    is_opened = begun is not None and any(what in (error.context or "") for what in _OPENED)
    first = min(begun.index, len(text)) if is_opened and begun is not None else at
    if first == len(text):
        first = max(len(text.rstrip()) - 1, 0)
    line = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
    dashes = _DASHES.match(text, line)
    column = dashes.end() - line if dashes is not None else 0
    return Break(at, _in_words(error), line, column)


def without_line(text: str, stop: Break) -> str | None:
    """The text with blanks in place of the broken line, but for dashes; None where that is vain."""
    found = _LINE.match(text, stop.line)
    if stop.is_final or found is None:
        return None
    begin = stop.line + stop.column
    if not text[begin : found.end()].strip():
        return None
    return f"{text[:begin]}{' ' * (found.end() - begin)}{text[found.end() :]}"


def _in_words(error: yaml.MarkedYAMLError) -> str:
    parts = [part for part in (error.context, error.problem) if part]
    return " ".join(", ".join(parts).split()) or "this is no YAML"
