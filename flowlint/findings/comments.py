"""The comments by which an author silences rules, and where each word of them stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from flowlint.findings.layout import Comment, Layout, layout_of
from flowlint.findings.text import split_lines, texts
from flowlint.source import Span
from flowlint.suffixes import SCRIPT_SUFFIXES

_MARK = "flowlint:"
_HEAD = (
    r"\s*flowlint:\s*(?P<head>ignore(?P<kind>-[\w-]+)?(?![\w-])"
    r"(?:\s*\[(?P<rules>[^\]#]*)\])?)\s*"
)
_COMMENT = re.compile(rf"(?P<opened>#){_HEAD}(?P<reason>[^#]*)(?P<closed>)")
_LINE_COMMENT = re.compile(
    rf"(?P<opened>//+){_HEAD}(?P<reason>(?:(?!//\s*flowlint:).)*)(?P<closed>)"
)
_BLOCK_COMMENT = re.compile(
    rf"(?P<opened>/\*+|^[ \t]*\*?(?!/)|//+){_HEAD}"
    r"(?P<reason>(?:(?!//\s*flowlint:|\*+/).)*)(?P<closed>\*+/)?"
)
_WORD = re.compile(r"[^,\s](?:[^,]*[^,\s])?")

Scope = Literal["line", "next-line", "start", "end", "flow", "file", "unknown"]
_SCOPES: dict[str, Scope] = {
    "": "line",
    "-next-line": "next-line",
    "-start": "start",
    "-end": "end",
    "-flow": "flow",
    "-file": "file",
}
KINDS = tuple(f"ignore{kind}" for kind in _SCOPES)

TO_THE_END = 1 << 60


@dataclass(frozen=True, slots=True)
class Word:
    """A word that stands for rules, in lower case, and where and how it is written."""

    text: str
    span: Span
    written: str


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment: what it silences and where. `words` is empty for a blanket comment.

    It speaks of the lines `first` to `last` in the cell of `span`. `rest` is the stretch of text
    that goes when the comment does, `head` the columns of `kind` and the rules. `is_key` tells
    that it is no comment but a key of data. `closer` ends the range that it starts; `closes` tells
    that it ends one itself.
    """

    scope: Scope
    words: tuple[Word, ...]
    reason: str
    span: Span
    rest: Span
    first: int = 0
    last: int = 0
    kind: str = "ignore"
    head: tuple[int, int] = (0, 0)
    is_key: bool = False
    closer: Suppression | None = None
    closes: bool = False

    @property
    def rules(self) -> tuple[str, ...]:
        """The words as they are compared."""
        return tuple(word.text for word in self.words)

    def speaks_of(self, lines: tuple[int, ...], span: Span) -> bool:
        """Whether it speaks of one of these lines, in the file and cell of `span`."""
        if span.path != self.span.path or self.scope in ("flow", "end", "unknown"):
            return False
        if self.scope == "file":
            return True
        return span.cell == self.span.cell and any(
            self.first <= line <= self.last for line in lines
        )

    def speaks_of_flow(self, site: Span) -> bool:
        """Whether it speaks of the flow that is constructed there."""
        if self.scope != "flow" or site.path != self.span.path:
            return False
        if self.is_key:
            return site.contains(self.span)
        return site.cell == self.span.cell and self.first == site.line


@dataclass(frozen=True, slots=True)
class Texts:
    """The comments of one file, with the lines and layouts of its texts by cell."""

    comments: tuple[Suppression, ...] = ()
    layouts: dict[int | None, Layout] = field(default_factory=dict)
    lines: dict[int | None, list[str]] = field(default_factory=dict)


def read_comments(path: str, data: bytes, *, whole: bool = False) -> Texts:
    """The suppressions in a file; its layout is only read where it has any, or for `whole`."""
    if not whole and _MARK.encode() not in data:
        return Texts()
    found: list[Suppression] = []
    layouts: dict[int | None, Layout] = {}
    lines: dict[int | None, list[str]] = {}
    parts = texts(path, data)
    for cell, text in parts.items():
        if whole or _MARK in text:
            lines[cell] = split_lines(text)
            if text.endswith(("\n", "\r")):
                lines[cell].append("")
            layouts[cell] = _layout(path, text, lines[cell])
            found += _paired(list(_in_text(path, cell, lines[cell], layouts[cell])))
    return Texts(tuple(found), layouts, lines)


def _layout(path: str, text: str, lines: list[str]) -> Layout:
    if path.endswith(SCRIPT_SUFFIXES):
        from flowlint.findings.script_layout import script_layout

        return script_layout(path, text)
    if path.endswith((".jsonc", ".json5")):
        from flowlint.findings.json_layout import json_layout

        return json_layout(text)
    if path.endswith((".yaml", ".yml")):
        from flowlint.findings.yaml_layout import yaml_layout

        return yaml_layout(text)
    return layout_of(lines)


def find_suppressions(path: str, data: bytes) -> tuple[Suppression, ...]:
    """The suppressions in the real comments of a file."""
    return read_comments(path, data).comments


def _in_text(
    path: str, cell: int | None, lines: list[str], layout: Layout
) -> Iterator[Suppression]:
    for comment in layout.comments:
        for found in _pattern(comment, layout).finditer(comment.text):
            yield _suppression(path, cell, lines, layout, comment, found)


def _pattern(comment: Comment, layout: Layout) -> re.Pattern[str]:
    if not layout.is_script:
        return _COMMENT
    return _LINE_COMMENT if comment.text.startswith("//") else _BLOCK_COMMENT


def _suppression(
    path: str,
    cell: int | None,
    lines: list[str],
    layout: Layout,
    comment: Comment,
    found: re.Match[str],
) -> Suppression:
    line, at = comment.line, comment.column
    start, stop = _bounds(found)

    def span(begin: int, end: int) -> Span:
        return Span(path, line, at + begin + 1, line, at + end + 1, cell)

    begin = found.start("rules")
    words = tuple(
        Word(word[0].lower(), span(begin + word.start(), begin + word.end()), word[0])
        for word in _WORD.finditer(found["rules"] or "")
    )
    text = lines[line - 1] if line <= len(lines) else ""
    alone = not text[: at + start].strip() and not text[at + stop :].strip()
    scope = _SCOPES.get(found["kind"] or "", "unknown")
    first, last = _target(scope, line, lines, layout, alone=alone)
    return Suppression(
        scope,
        words,
        found["reason"].strip(),
        span(start, start + len(comment.text[start:stop].rstrip())),
        _rest(path, cell, line, lines, at + start, at + stop, alone=alone),
        first,
        last,
        f"ignore{found['kind'] or ''}",
        (at + found.start("head") + 1, at + found.end("head") + 1),
    )


def _bounds(found: re.Match[str]) -> tuple[int, int]:
    """What can go of a comment: without the end that others need, or that begins elsewhere."""
    opened, closed = found["opened"], found["closed"]
    if closed is None and opened.startswith("/*"):
        return found.end("opened"), found.end()
    if closed and not opened.startswith("/*"):
        return found.start(), found.start("closed")
    return found.start(), found.end()


def _rest(
    path: str, cell: int | None, line: int, lines: list[str], begin: int, end: int, *, alone: bool
) -> Span:
    """What goes with a comment: its line, the spaces before it, or those up to another one."""
    text = lines[line - 1] if line <= len(lines) else ""
    if alone and line < len(lines):
        return Span(path, line, 1, line + 1, 1, cell)
    if end >= len(text):
        begin = len(text[:begin].rstrip())
    return Span(path, line, begin + 1, line, end + 1, cell)


def _target(
    scope: Scope, line: int, lines: list[str], layout: Layout, *, alone: bool
) -> tuple[int, int]:
    if scope == "start":
        return line, TO_THE_END
    if scope == "next-line" or (scope == "flow" and alone):
        number = _next_code(line, lines, layout)
        return number, number
    return line, line


def _next_code(line: int, lines: list[str], layout: Layout) -> int:
    for number in range(line, len(lines)):
        text = lines[number]
        if layout.is_script:
            text = layout.without_comments(number + 1, text)
        text = text.strip()
        if text and not text.startswith("#"):
            return number + 1
    return line + 1


def _paired(comments: list[Suppression]) -> list[Suppression]:
    """The comments, each start reaching as far as the end that closes it.

    An end closes the last start above it that names the same rules, or, without any, the last.
    """
    found = list(comments)
    opened: list[int] = []
    for number, comment in enumerate(comments):
        if comment.scope == "start":
            opened.append(number)
        if comment.scope != "end":
            continue
        fitting = (
            at
            for at in reversed(opened)
            if not comment.words or set(found[at].rules) == set(comment.rules)
        )
        at = next(fitting, None)
        if at is not None:
            opened.remove(at)
            closed = replace(found[at], last=comment.span.line, closer=comment)
            found[at], found[number] = closed, replace(comment, closes=True)
    return found
