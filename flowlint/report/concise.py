"""Findings for tools and narrow screens: one line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.findings.model import Finding
from flowlint.report.links import rule_url
from flowlint.report.style import Style, plain


def render(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    """The lines of the report: `path:line:column: CODE [name] severity: message`."""
    for finding in findings:
        severity = style.paint(f"{finding.severity}:", finding.severity)
        name = style.link(finding.name, rule_url(finding.name))
        where = plain(str(finding.span))
        yield f"{where}: {finding.code} [{name}] {severity} {plain(finding.message)}"
