"""Findings as JSON, one object per line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from flowlint.findings.model import Finding
from flowlint.report.findings_json import finding_data


def render(findings: Sequence[Finding]) -> Iterator[str]:
    """The lines, of the same objects as the format `json`."""
    for finding in findings:
        yield json.dumps(finding_data(finding), ensure_ascii=False)
