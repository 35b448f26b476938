"""Findings as JSON, one object per line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from flowlint.findings.model import Finding
from flowlint.report.findings_json import finding_data

_LINE_ENDS = re.compile("[\x85\u2028\u2029]")
"""What JSON may hold as it is, and some readers take for the end of a line."""


def render(findings: Sequence[Finding]) -> Iterator[str]:
    """The lines, of the same objects as the format `json`."""
    for finding in findings:
        text = json.dumps(finding_data(finding), ensure_ascii=False)
        yield _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
