"""Comments that silence findings, as edits of the texts that the findings lie in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from flowlint.findings.comments import Suppression, Texts, read_comments
from flowlint.findings.layout import last_line
from flowlint.findings.model import Finding
from flowlint.source import Edit, Files, Span


@dataclass(frozen=True, slots=True)
class _Spot:
    """The end of a line, or the place above it."""

    cell: int | None
    line: int
    is_above: bool = False


@dataclass(slots=True)
class Added:
    """The edits to make, and the findings at which no comment can stand."""

    edits: list[Edit] = field(default_factory=list)
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
    names: dict[_Spot, dict[str, None]] = {}
    for finding in findings:
        spot = _spot_for(finding, texts)
        if spot is None:
            added.left.append(finding)
        else:
            names.setdefault(spot, {})[finding.name] = None
    for spot, found in names.items():
        added.edits.append(_edit(path, spot, list(found), reason, texts))


def _spot_for(finding: Finding, texts: Texts) -> _Spot | None:
    """The first spot at which a comment would speak of a finding and can stand."""
    span = finding.span
    layout = texts.layouts.get(span.cell)
    if layout is None:
        return None
    lines = (span.line, last_line(span), *layout.ends_around(span))
    for line in lines:
        if line in layout.open:
            return _Spot(span.cell, line)
    for line in lines:
        if line == 1 or line - 1 in layout.open:
            return _Spot(span.cell, line, is_above=True)
    return None


def _edit(path: str, spot: _Spot, names: list[str], reason: str, texts: Texts) -> Edit:
    cell, line = spot.cell, spot.line
    text = texts.lines[cell][line - 1]
    what = f"[{', '.join(names)}]{' ' if reason else ''}{reason}"
    is_script = texts.layouts[cell].is_script
    mark, gap = ("//", " ") if is_script else ("#", "  ")
    if spot.is_above:
        indent = text[: len(text) - len(text.lstrip())]
        comment = f"{indent}{mark} flowlint: ignore-next-line{what}\n"
        return Edit(Span(path, line, 1, line, 1, cell), comment)
    for one in texts.comments:
        is_here = one.scope == "line" and one.span.cell == cell and one.span.line == line
        if is_here and one.words:
            return _more(one, names)
    at = len(text.rstrip()) + 1
    return Edit(Span(path, line, at, line, at, cell), f"{gap}{mark} flowlint: ignore{what}")


def _more(comment: Suppression, names: list[str]) -> Edit:
    """The comment that is there names these rules too."""
    end = comment.words[-1].span
    at = Span(end.path, end.end_line, end.end_column, end.end_line, end.end_column, end.cell)
    return Edit(at, "".join(f", {name}" for name in names))
