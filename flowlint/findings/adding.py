"""Comments that silence findings, as edits of the texts that the findings lie in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from flowlint.findings.comments import Suppression, Texts, read_comments
from flowlint.findings.layout import last_line
from flowlint.findings.model import Finding
from flowlint.source import Edit, Files, Span

_Line = tuple[int | None, int]


@dataclass(slots=True)
class Added:
    """The edits to make, and the findings at which no comment can stand."""

    edits: list[Edit] = field(default_factory=list)
    silenced: int = 0
    left: list[Finding] = field(default_factory=list)


def comments_for(findings: Iterable[Finding], files: Files, reason: str) -> Added:
    """What silences these findings, each at its own line or an end of what it lies in."""
    added = Added()
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.span.path, []).append(finding)
    for path, found in by_path.items():
        _in_file(path, found, files, reason, added)
    return added


def _in_file(
    path: str, findings: Sequence[Finding], files: Files, reason: str, added: Added
) -> None:
    if path.endswith(".json"):
        added.left += findings
        return
    texts = read_comments(path, files.read(path), whole=True)
    names: dict[_Line, dict[str, None]] = {}
    for finding in findings:
        line = _line_for(finding, texts)
        if line is None:
            added.left.append(finding)
        else:
            names.setdefault((finding.span.cell, line), {})[finding.name] = None
            added.silenced += 1
    for (cell, line), found in names.items():
        added.edits.append(_edit(path, cell, line, list(found), reason, texts))


def _line_for(finding: Finding, texts: Texts) -> int | None:
    """The first line at which a comment would speak of a finding and can stand."""
    span = finding.span
    layout = texts.layouts.get(span.cell)
    if layout is None:
        return None
    lines = (span.line, last_line(span), *layout.ends_around(span))
    return next((line for line in lines if line in layout.open), None)


def _edit(
    path: str, cell: int | None, line: int, names: list[str], reason: str, texts: Texts
) -> Edit:
    there = next(
        (
            one
            for one in texts.comments
            if one.scope == "line" and one.span.cell == cell and one.span.line == line
        ),
        None,
    )
    if there is not None and there.words:
        return _more(there, names)
    text = texts.lines[cell][line - 1]
    at = len(text.rstrip()) + 1
    comment = f"  # flowlint: ignore[{', '.join(names)}]"
    if reason:
        comment += f" {reason}"
    return Edit(Span(path, line, at, line, at, cell), comment)


def _more(comment: Suppression, names: list[str]) -> Edit:
    """The comment that is there names these rules too."""
    end = comment.words[-1].span
    at = Span(end.path, end.end_line, end.end_column, end.end_line, end.end_column, end.cell)
    return Edit(at, "".join(f", {name}" for name in names))
