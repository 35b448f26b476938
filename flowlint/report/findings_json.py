"""Findings as JSON: a list of objects."""

from __future__ import annotations

import json
from collections.abc import Sequence

from flowlint.findings.model import Finding, Fix
from flowlint.report.links import rule_url
from flowlint.report.places import Json, range_of


def render(findings: Sequence[Finding]) -> str:
    """The JSON text."""
    return json.dumps([finding_data(finding) for finding in findings], indent=2, ensure_ascii=False)


def finding_data(finding: Finding) -> dict[str, Json]:
    """One finding as an object."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": finding.message,
        "help": finding.help,
        "path": finding.span.path,
        "range": range_of(finding.span),
        "flow": finding.flow,
        "node": finding.node,
        "related": [
            {
                "message": related.message,
                "path": related.span.path,
                "range": range_of(related.span),
            }
            for related in finding.related
        ],
        "fix": None if finding.fix is None else _fix(finding.fix),
        "url": rule_url(finding.name),
    }


def _fix(fix: Fix) -> dict[str, Json]:
    return {
        "title": fix.title,
        "safety": fix.safety,
        "edits": [
            {"path": edit.span.path, "range": range_of(edit.span), "new_text": edit.new_text}
            for edit in fix.edits
        ],
    }
