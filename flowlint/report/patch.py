"""What the edits of a fix change, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from flowlint.report.lines import Sources
from flowlint.source import Edit, Span

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that give way to others. `line` (from 1) is where they begin, in file and cell of
    `span`.
    """

    span: Span
    line: int
    before: Sequence[str]
    after: Sequence[str]


def hunks(edits: Sequence[Edit], sources: Sources) -> Iterator[Hunk]:
    """What the edits change, in the order of the places; nothing where there is no source."""
    known = [edit for edit in edits if sources.lines(edit.span)]
    ordered = sorted(known, key=lambda edit: (edit.span.path, edit.span.cell or 0, edit.span))
    group: list[Edit] = []
    for edit in ordered:
        if group and not _touches(group, edit):
            yield _change(group, sources)
            group = []
        group.append(edit)
    if group:
        yield _change(group, sources)


def merged(edits: Sequence[Edit], sources: Sources) -> Edit:
    """Edits of one file and cell as one, with the text between them."""
    ordered = sorted(edits, key=lambda edit: edit.span)
    text = ordered[0].new_text
    for before, edit in pairwise(ordered):
        text += _between(sources.lines(edit.span), before.span, edit.span) + edit.new_text
    end = max(ordered, key=lambda edit: (edit.span.end_line, edit.span.end_column))
    return Edit(ordered[0].span.to(end.span), text)


def _touches(group: Sequence[Edit], edit: Edit) -> bool:
    last = max(known.span.end_line for known in group)
    first = group[0].span
    return (first.path, first.cell) == (edit.span.path, edit.span.cell) and edit.span.line <= last


def _change(group: Sequence[Edit], sources: Sources) -> Hunk:
    edit = merged(group, sources)
    span = edit.span
    lines = sources.lines(span)
    before = lines[span.line - 1 : span.end_line]
    head = before[0][: span.column - 1] if before else ""
    whole = len(before) == span.end_line - span.line + 1
    tail = before[-1][span.end_column - 1 :] if before and whole else ""
    after = _LINE_END.split(f"{head}{edit.new_text}{tail}")
    if not whole and not after[-1]:
        # The last line has gone with its end.
        after.pop()
    return _trimmed(Hunk(span, span.line, before, after))


def _trimmed(change: Hunk) -> Hunk:
    """The change without the lines that stay as they are at its beginning and end."""
    before, after = change.before, change.after
    room = min(len(before), len(after))
    first = 0
    while first < room and before[first] == after[first]:
        first += 1
    last = 0
    while last < room - first and before[-1 - last] == after[-1 - last]:
        last += 1
    return Hunk(
        change.span,
        change.line + first,
        before[first : len(before) - last],
        after[first : len(after) - last],
    )


def _between(lines: Sequence[str], before: Span, after: Span) -> str:
    start, end = (before.end_line, before.end_column), (after.line, after.column)
    if start >= end:
        return ""
    part = list(lines[start[0] - 1 : end[0]])
    if not part:
        return ""
    if len(part) == end[0] - start[0] + 1:
        part[-1] = part[-1][: end[1] - 1]
    part[0] = part[0][start[1] - 1 :]
    return "\n".join(part)
