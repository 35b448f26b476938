"""The running Python's own parser, made safe: it answers with a tree or with a problem."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from flowlint.source import Span

# A name that nobody defines: it stands for expressions whose value cannot be told.
UNREADABLE = "__unreadable__"

_TOO_DEEP = "nested too deeply to be read"
_CUT_OFF = re.compile(r"'[(\[{]' was never closed|unterminated triple-quoted|unexpected EOF")
_MISPLACED = re.compile(
    r"unexpected (?:un)?indent|unindent does not|expected (?:an indented|'except')"
)
_OTHER_LINE = re.compile(r"on line (\d+)")
_FORMAT_STRING = re.compile(r"(?<!\w)(?:[fF][rR]?|[rR][fF])[\"']")
_NOISE = re.compile(r" \(detected at line \d+\)|\.$")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a text does not parse. Lines and columns count from 1; columns count characters."""

    message: str
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def cut_off(self) -> bool:
        """Whether the text may only have been cut inside of a statement."""
        return _CUT_OFF.match(self.message) is not None

    @property
    def misplaced(self) -> bool:
        """Whether a line may only stand too far left or right."""
        return _MISPLACED.match(self.message) is not None

    def lowered(self, lines: int) -> Problem:
        """The same problem some lines further down."""
        if not lines:
            return self
        message = _OTHER_LINE.sub(lambda match: f"on line {int(match[1]) + lines}", self.message)
        line, end_line = self.line + lines, self.end_line + lines
        return Problem(message, line, self.column, end_line, self.end_column)

    def within(self, first: int, last: int) -> Problem:
        """The same problem, on none but the given lines."""
        line = min(max(self.line, first), last)
        return replace(self, line=line, end_line=max(line, self.end_line))

    def at(self, line: int, column: int) -> Problem:
        """The same problem in another place."""
        return Problem(self.message, line, column, line, column)

    def span(self, path: str, cell: int | None, lines: list[str]) -> Span:
        """The place of the problem, within the lines that it was found in."""
        line = min(self.line, len(lines))
        end_line = min(max(line, self.end_line), len(lines))
        column = min(self.column, len(lines[line - 1]) + 1)
        end_column = min(self.end_column, len(lines[end_line - 1]) + 1)
        if end_line == line:
            end_column = max(column, end_column)
        return Span(path, line, column, end_line, end_column, cell)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the parser's warnings (invalid escapes and the like) off the terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def parse(text: str) -> ast.Module | Problem:
    """The tree of `text`, or its first problem. Never raises. Call it inside `quiet()`."""
    try:
        return ast.parse(text)
    except SyntaxError as error:
        return _described(error, text)
    except (RecursionError, MemoryError):
        return Problem(_TOO_DEEP, 1, 1, 1, 1)
    except (ValueError, OverflowError, SystemError) as error:
        return Problem(_plain(str(error)), 1, 1, 1, 1)


def shift(statements: Iterable[ast.AST], lines: int, first_line_bytes: int = 0) -> None:
    """Move nodes down by `lines`, and those on line 1 to the right by `first_line_bytes`."""
    waiting = list(statements)
    while waiting:
        node = waiting.pop()
        state = node.__dict__
        if "lineno" in state:
            if first_line_bytes and state["lineno"] == 1:
                state["col_offset"] += first_line_bytes
            if first_line_bytes and state["end_lineno"] == 1:
                state["end_col_offset"] += first_line_bytes
            state["lineno"] += lines
            state["end_lineno"] += lines
        for value in state.values():
            if isinstance(value, ast.AST):
                waiting.append(value)
            elif isinstance(value, list):
                waiting += [item for item in value if isinstance(item, ast.AST)]


def _plain(message: str) -> str:
    if message.startswith("Exceeds the limit"):
        return "integer literal with too many digits"
    return _NOISE.sub("", message)


def _described(error: SyntaxError, text: str) -> Problem:
    message = _plain(error.msg or "invalid syntax")
    line = max(error.lineno or 1, 1)
    column = max(error.offset or 1, 1)
    end_line, end_column = error.end_lineno or line, error.end_offset or 0
    end_line, end_column = max((line, column), (end_line, end_column))
    return Problem(message, line, column, end_line, end_column)
