"""Where comments stand in code, and which statements and calls they stand at the ends of."""

from __future__ import annotations

import keyword
import sys
import tokenize
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.source import Span

_OPENING, _CLOSING = "([{", ")]}"
_SILENT = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)

_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its line, from 1, and its column, from 0."""

    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """What a comment may stand at the ends of, both ends included, in lines and columns from 1."""

    start: _Place
    end: _Place


@dataclass(frozen=True, slots=True)
class Layout:
    """The comments of a text, and the statements and arguments at whose ends they may stand.

    A comment of several lines is there line by line.

    `_stretches` are ordered by their starts; `_outer` gives the one around each, or -1. `open`
    are the lines at whose ends a comment may be added: those that end in no string and are not
    continued by a backslash. `is_script` tells that comments are those of TypeScript.
    """

    comments: list[Comment]
    _stretches: list[Stretch]
    _outer: list[int]
    open: frozenset[int] = frozenset()
    is_script: bool = False

    def without_comments(self, line: int, text: str) -> str:
        """A line of a script as it would be without its comments."""
        first = bisect_left(self.comments, line, key=lambda comment: comment.line)
        for comment in reversed(self.comments[first:]):
            if comment.line == line:
                end = comment.column + len(comment.text)
                text = text[: comment.column] + text[end:]
        return text

    def ends_around(self, span: Span) -> tuple[int, ...]:
        """The first and last line of the innermost statement or arguments that `span` ends in."""
        place = _last_place(span)
        at = bisect_right(self._stretches, place, key=lambda stretch: stretch.start) - 1
        while at >= 0:
            stretch = self._stretches[at]
            if place <= stretch.end:
                return stretch.start[0], stretch.end[0]
            at = self._outer[at]
        return ()


def layout_of(lines: list[str]) -> Layout:
    """The layout of Python code; goes on after a line that is no Python."""
    comments: list[Comment] = []
    stretches: list[Stretch] = []
    ends: set[int] = set()
    for tokens in _runs(lines, 0):
        _read(tokens, comments, stretches, ends)
    return Layout(comments, *nested(stretches), frozenset(ends))


def nested(stretches: list[Stretch]) -> tuple[list[Stretch], list[int]]:
    """The stretches by their starts, outer ones first, and which one is around each, or -1."""
    stretches.sort(key=lambda stretch: (stretch.start, -stretch.end[0], -stretch.end[1]))
    outer: list[int] = []
    around: list[int] = []
    for at, stretch in enumerate(stretches):
        while around and stretches[around[-1]].end < stretch.start:
            around.pop()
        outer.append(around[-1] if around else -1)
        around.append(at)
    return stretches, outer


def last_line(span: Span) -> int:
    """The line that the last character of a span stands on."""
    return _last_place(span)[0]


def _last_place(span: Span) -> _Place:
    if span.end_column == 1 and span.end_line > span.line:
        return span.end_line - 1, sys.maxsize
    if (span.end_line, span.end_column) == (span.line, span.column):
        return span.line, span.column
    return span.end_line, span.end_column - 1


_Token = tuple[int, str, _Place, _Place]


def _runs(lines: list[str], begin: int) -> Iterator[Iterator[_Token]]:
    """The tokens of the text in runs, a new one after each line that is no Python."""
    while begin < len(lines):
        run = _Run(lines, begin)
        yield iter(run)
        begin = run.next_line


class _Run:
    def __init__(self, lines: list[str], begin: int) -> None:
        self.lines = lines
        self.begin = begin
        self.next_line = sys.maxsize

    def __iter__(self) -> Iterator[_Token]:
        """Type, text, and the places from 1 of the first and the last character of each token."""
        rest = (f"{line}\n" for line in self.lines[self.begin :])
        try:
            for token in tokenize.generate_tokens(lambda: next(rest, "")):
                start = (self.begin + token.start[0], token.start[1] + 1)
                yield token.type, token.string, start, (self.begin + token.end[0], token.end[1])
        except (tokenize.TokenError, SyntaxError) as error:
            self.next_line = self.begin + _lines_before(error)


def _lines_before(error: Exception) -> int:
    """How many lines to skip to go on after an error: to its line, but always on."""
    if isinstance(error, SyntaxError):
        return max((error.lineno or 0) - 1, 1)
    message, place = error.args
    # Where a string or bracket is never closed, nothing below can be told apart from it.
    return sys.maxsize if "EOF" in message else max(int(place[0]), 1)


def _read(
    tokens: Iterator[_Token], comments: list[Comment], stretches: list[Stretch], ends: set[int]
) -> None:
    opened: list[tuple[_Place, bool]] = []
    statement: _Place | None = None
    before = ""
    last: _Place = (0, 0)
    for kind, text, start, end in tokens:
        if kind == tokenize.COMMENT:
            comments.append(Comment(start[0], start[1] - 1, text))
        if kind in (tokenize.NL, tokenize.NEWLINE):
            ends.add(start[0])
        if kind in _SILENT:
            continue
        if kind == tokenize.NEWLINE or (text == ";" and not opened):
            if statement is not None and statement[0] < last[0]:
                stretches.append(Stretch(statement, last))
            statement, before = None, ""
            continue
        if statement is None:
            statement = start
        if kind == tokenize.OP and text in _OPENING:
            opened.append((start, text == "(" and _is_callable(before)))
        elif kind == tokenize.OP and text in _CLOSING and opened:
            first, is_call = opened.pop()
            if is_call:
                stretches.append(Stretch(first, end))
        before, last = text, end


def _is_callable(text: str) -> bool:
    """Whether a bracket behind this token opens arguments."""
    return text in (")", "]") or (text.isidentifier() and not keyword.iskeyword(text))
