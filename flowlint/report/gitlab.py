"""Findings as a Code Quality report, which GitLab shows in merge requests."""

from __future__ import annotations

import json

from flowlint.findings.fingerprint import fingerprints
from flowlint.findings.model import Finding, Severity
from flowlint.report.model import Report
from flowlint.report.notebooks import RawPlaces, where
from flowlint.report.paths import from_root
from flowlint.report.places import Json

_SEVERITIES: dict[Severity, str] = {"error": "major", "warning": "minor", "info": "info"}


def render(report: Report) -> str:
    """The JSON text: a list of issues, whose fingerprints do not change when lines move."""
    places = RawPlaces(report.files)
    prints = fingerprints(report.findings, lambda path: from_root(path, report.root))
    issues = [
        _issue(finding, fingerprint, places, report.root)
        for finding, fingerprint in zip(report.findings, prints, strict=True)
    ]
    return json.dumps(issues, indent=2, ensure_ascii=False)


def _issue(finding: Finding, fingerprint: str, places: RawPlaces, root: str) -> dict[str, Json]:
    span = places.of(finding.span)
    told = f"{where(finding.span)}{finding.message}"
    return {
        "type": "issue",
        "check_name": finding.name,
        "description": f"{finding.code}: {told}" + (f" ({finding.help})" if finding.help else ""),
        "categories": ["Bug Risk"],
        "severity": _SEVERITIES[finding.severity],
        "fingerprint": fingerprint,
        "location": {
            "path": from_root(span.path, root),
            "lines": {"begin": span.line, "end": span.end_line},
        },
    }
