"""Findings for people: each with its code frames, the run that shows it and the cure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.findings.model import Finding
from flowlint.report.frames import Mark, Sources, frame, gutter_of
from flowlint.report.style import Style, Tone, plain
from flowlint.source import Files


def render(findings: Sequence[Finding], files: Files, style: Style) -> Iterator[str]:
    """The lines of the report."""
    sources = Sources(files)
    for finding in findings:
        yield from _finding(finding, sources, style)
        yield ""


def _finding(finding: Finding, sources: Sources, style: Style) -> Iterator[str]:
    title = style.paint(f"{finding.severity}[{finding.name}]", finding.severity)
    yield f"{title} {finding.code}: {style.paint(plain(finding.message), 'strong')}"
    gutter = gutter_of(finding.span, *(related.span for related in finding.related))
    yield from frame(Mark(finding.span, "", finding.severity, "^"), sources, style, gutter)
    for related in finding.related:
        yield from frame(Mark(related.span, related.message), sources, style, gutter)
    notes: list[tuple[str, Tone, str]] = []
    if finding.witness:
        notes.append(("run", "frame", " → ".join(finding.witness)))
    if finding.help:
        notes.append(("help", "help", finding.help))
    if finding.fix:
        notes.append(("fix", "help", f"{finding.fix.title} ({finding.fix.safety})"))
    if notes:
        yield f"{' ' * gutter} {style.paint('|', 'frame')}"
    for word, tone, text in notes:
        sign = style.paint("=", "frame")
        yield f"{' ' * gutter} {sign} {style.paint(f'{word}:', tone)} {plain(text)}"
