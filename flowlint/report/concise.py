"""Findings for tools and narrow screens: one line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.findings.model import Finding
from flowlint.report.style import Style, plain


def render(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    """The lines of the report: `path:line:column: CODE [name] severity: message`."""
    for finding in findings:
        severity = style.paint(f"{finding.severity}:", finding.severity)
        where = plain(str(finding.span))
        yield f"{where}: {finding.code} [{finding.name}] {severity} {plain(finding.message)}"
