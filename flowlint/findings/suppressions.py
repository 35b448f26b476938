"""Comments by which an author silences a rule at a place.

`# flowlint: ignore[dangling-edge] reason` silences the line it stands on,
`# flowlint: ignore-next-line[FL105]` the next line of code, `# flowlint: ignore-file[...]` the
whole file. Rules must be named, by name or code: a blanket comment silences nothing.
"""

from __future__ import annotations

import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from flowlint.findings.model import Finding
from flowlint.findings.text import split_lines, texts
from flowlint.source import Files, Span

_MARK = b"flowlint:"
_COMMENT = re.compile(
    r"#\s*flowlint:\s*(?P<scope>ignore-next-line|ignore-file|ignore)\b"
    r"(?:\s*\[(?P<rules>[^\]]*)\])?\s*(?P<reason>[^#]*)"
)

Scope = Literal["line", "next-line", "file"]
_SCOPES: dict[str, Scope] = {
    "ignore": "line",
    "ignore-next-line": "next-line",
    "ignore-file": "file",
}


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment: what it silences and where. `rules` is empty for a blanket comment.

    `line` is the line it speaks of, in the cell of `span`; None: every line of the file.
    """

    scope: Scope
    rules: tuple[str, ...]
    reason: str
    span: Span
    line: int | None

    def silences(self, finding: Finding) -> bool:
        """Whether the finding is of a named rule and begins or ends on the line spoken of."""
        if finding.code.lower() not in self.rules and finding.name not in self.rules:
            return False
        span = finding.span
        if span.path != self.span.path:
            return False
        if self.line is None:
            return True
        return span.cell == self.span.cell and self.line in (span.line, _last_line(span))


class Suppressions:
    """The suppression comments of the files in which findings lie, each file read once."""

    __slots__ = ("_files", "_known")

    def __init__(self, files: Files) -> None:
        self._files = files
        self._known: dict[str, tuple[Suppression, ...]] = {}

    def of(self, path: str) -> tuple[Suppression, ...]:
        """The suppressions of one file, in order; none when it cannot be read."""
        if path not in self._known:
            try:
                data = self._files.read(path)
            except OSError:
                data = b""
            self._known[path] = tuple(find_suppressions(path, data))
        return self._known[path]

    def keep(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that no comment silences."""
        return tuple(
            finding
            for finding in findings
            if not any(comment.silences(finding) for comment in self.of(finding.span.path))
        )


def find_suppressions(path: str, data: bytes) -> Iterator[Suppression]:
    """The suppressions in the real comments of a Python file or notebook."""
    if _MARK not in data:
        return
    for cell, text in texts(path, data).items():
        if "flowlint:" in text:
            yield from _in_text(path, cell, split_lines(text))


def _in_text(path: str, cell: int | None, lines: list[str]) -> Iterator[Suppression]:
    for line, offset, comment in _comments(lines):
        for found in _COMMENT.finditer(comment):
            start = offset + found.start()
            scope = _SCOPES[found["scope"]]
            yield Suppression(
                scope,
                _names(found["rules"]),
                found["reason"].strip(),
                Span(path, line, start + 1, line, start + len(found[0].rstrip()) + 1, cell),
                _target(scope, line, lines),
            )


def _names(rules: str | None) -> tuple[str, ...]:
    return tuple(name.strip().lower() for name in (rules or "").split(",") if name.strip())


def _target(scope: Scope, line: int, lines: list[str]) -> int | None:
    if scope == "file":
        return None
    if scope == "line":
        return line
    for number in range(line, len(lines)):
        text = lines[number].strip()
        if text and not text.startswith("#"):
            return number + 1
    return line + 1


def _comments(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """(line, 0-based column, text) of each comment; goes on after a line that is no Python."""
    begin = 0
    while begin < len(lines):
        rest = (f"{line}\n" for line in lines[begin:])
        try:
            for token in tokenize.generate_tokens(lambda rest=rest: next(rest, "")):  # type: ignore[misc]
                if token.type == tokenize.COMMENT:
                    yield begin + token.start[0], token.start[1], token.string
        except (tokenize.TokenError, SyntaxError) as error:
            begin += _lines_before(error)
        else:
            return


def _lines_before(error: Exception) -> int:
    """How many lines to skip to go on after an error: to its line, but always on."""
    if isinstance(error, SyntaxError):
        return max((error.lineno or 0) - 1, 1)
    message, place = error.args
    # Where a string or bracket is never closed, nothing below can be told apart from it.
    return sys.maxsize if "EOF" in message else max(int(place[0]), 1)


def _last_line(span: Span) -> int:
    ends_before_line = span.end_column == 1 and span.end_line > span.line
    return span.end_line - 1 if ends_before_line else span.end_line
