"""Findings for people: each with its code frames, the run that shows it and the cure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.findings.model import Finding, Fix
from flowlint.report.frames import Mark, frame, gutter_of, text_of
from flowlint.report.lines import Sources
from flowlint.report.links import rule_url
from flowlint.report.patch import hunks
from flowlint.report.style import Style, Tone, plain
from flowlint.source import Files, Span


def render(findings: Sequence[Finding], files: Files, style: Style) -> Iterator[str]:
    """The lines of the report."""
    sources = Sources(files)
    for finding in findings:
        yield from _finding(finding, sources, style)
        yield ""


def _finding(finding: Finding, sources: Sources, style: Style) -> Iterator[str]:
    name = style.link(finding.name, rule_url(finding.name))
    title = style.paint(f"{finding.severity}[{name}]", finding.severity)
    yield f"{title} {finding.code}: {style.paint(plain(finding.message), 'strong')}"
    edited = [edit.span for edit in finding.fix.edits] if finding.fix else []
    gutter = gutter_of(finding.span, *(related.span for related in finding.related), *edited)
    yield from frame(Mark(finding.span, "", finding.severity, "^"), sources, style, gutter)
    for related in finding.related:
        yield from frame(Mark(related.span, related.message), sources, style, gutter)
    yield from _notes(finding, sources, style, gutter)


def _notes(finding: Finding, sources: Sources, style: Style, gutter: int) -> Iterator[str]:
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
    if finding.fix:
        yield from _diff(finding.fix, finding.span, sources, style, gutter)


def _diff(fix: Fix, at: Span, sources: Sources, style: Style, gutter: int) -> Iterator[str]:
    bar = style.paint("|", "frame")
    place = (at.path, at.cell)
    for change in hunks(fix.edits, sources):
        if (change.span.path, change.span.cell) != place:
            place = (change.span.path, change.span.cell)
            yield f"{' ' * gutter}{style.paint(':::', 'frame')} {plain(str(change.span))}"
        for number, line in enumerate(change.before, change.line):
            shown = style.paint(f"- {text_of(line)}".rstrip(), "removed")
            yield f"{style.paint(str(number).rjust(gutter), 'frame')} {bar} {shown}"
        for line in change.after:
            shown = style.paint(f"+ {text_of(line)}".rstrip(), "added")
            yield f"{' ' * gutter} {bar} {shown}"
