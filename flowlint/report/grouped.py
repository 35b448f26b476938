"""Findings under the names of their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from flowlint.findings.model import Finding
from flowlint.report.links import rule_url
from flowlint.report.style import Style, plain
from flowlint.source import Span


def render(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    """The lines of the report: each file, and below it its findings in columns."""
    for path, group in groupby(findings, key=lambda finding: finding.span.path):
        found = list(group)
        yield style.paint(plain(path), "strong")
        places = [_place(finding.span) for finding in found]
        room = max(map(len, places))
        names = max(len(finding.name) for finding in found)
        severities = max(len(finding.severity) for finding in found)
        for finding, place in zip(found, places, strict=True):
            severity = style.paint(finding.severity, finding.severity)
            severity += " " * (severities - len(finding.severity))
            rule = style.link(finding.name, rule_url(finding.name))
            rule += " " * (names - len(finding.name))
            message = plain(finding.message)
            yield f"  {place.rjust(room)}  {severity}  {finding.code} {rule}  {message}"
        yield ""


def _place(span: Span) -> str:
    cell = "" if span.cell is None else f"cell {span.cell}:"
    return f"{cell}{span.line}:{span.column}"
