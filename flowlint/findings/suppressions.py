"""Comments by which an author silences a rule at a place.

`# flowlint: ignore[dangling-edge] reason` silences the line it stands on,
`# flowlint: ignore-next-line[FL105]` the next line of code, `# flowlint: ignore-file[...]` the
whole file. What lies within a statement or the arguments of a call is also silenced at the first
and the last line of that. Rules must be named, by name, code, category or the beginning of codes:
a blanket comment silences nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from flowlint.findings.layout import Layout, last_line, layout_of
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

    def speaks_of(self, span: Span, around: Iterable[int] = ()) -> bool:
        """Whether a place begins or ends on the line spoken of, or that is a line `around` it."""
        if span.path != self.span.path:
            return False
        if self.line is None:
            return True
        return span.cell == self.span.cell and self.line in (span.line, last_line(span), *around)


@dataclass(frozen=True, slots=True)
class _Silences:
    """The comments of one file, and the layouts of its texts that they stand in."""

    comments: tuple[Suppression, ...] = ()
    layouts: dict[int | None, Layout] = field(default_factory=dict)


class Suppressions:
    """The suppression comments of the files in which findings lie, each file read once.

    `codes_of` gives the codes of the rules that a word in a comment stands for.
    """

    __slots__ = ("_codes_of", "_files", "_known")

    def __init__(self, files: Files, codes_of: Callable[[str], frozenset[str]]) -> None:
        self._files = files
        self._codes_of = codes_of
        self._known: dict[str, _Silences] = {}

    def of(self, path: str) -> tuple[Suppression, ...]:
        """The suppressions of one file, in order; none when it cannot be read."""
        return self._in(path).comments

    def keep(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that no comment silences."""
        return tuple(finding for finding in findings if not self._is_silent(finding))

    def unknown(self, path: str) -> Iterator[tuple[Suppression, str]]:
        """The words in comments of one file that stand for no rule."""
        for comment in self.of(path):
            for word in comment.rules:
                if not self._codes_of(word):
                    yield comment, word

    def _in(self, path: str) -> _Silences:
        if path not in self._known:
            try:
                data = self._files.read(path)
            except OSError:
                data = b""
            self._known[path] = _read(path, data)
        return self._known[path]

    def _is_silent(self, finding: Finding) -> bool:
        known = self._in(finding.span.path)
        named = [
            comment
            for comment in known.comments
            if any(finding.code in self._codes_of(word) for word in comment.rules)
        ]
        if not named:
            return False
        layout = known.layouts.get(finding.span.cell)
        around = layout.ends_around(finding.span) if layout else ()
        return any(comment.speaks_of(finding.span, around) for comment in named)


def find_suppressions(path: str, data: bytes) -> tuple[Suppression, ...]:
    """The suppressions in the real comments of a Python file or notebook."""
    return _read(path, data).comments


def _read(path: str, data: bytes) -> _Silences:
    if _MARK not in data:
        return _Silences()
    comments: list[Suppression] = []
    layouts: dict[int | None, Layout] = {}
    for cell, text in texts(path, data).items():
        if "flowlint:" in text:
            lines = split_lines(text)
            layouts[cell] = layout_of(lines)
            comments += _in_text(path, cell, lines, layouts[cell])
    return _Silences(tuple(comments), layouts)


def _in_text(
    path: str, cell: int | None, lines: list[str], layout: Layout
) -> Iterator[Suppression]:
    for comment in layout.comments:
        line = comment.line
        for found in _COMMENT.finditer(comment.text):
            start = comment.column + found.start()
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
