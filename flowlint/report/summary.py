"""The closing line of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flowlint.findings.model import Finding, Severity

_WORDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


def summary(findings: Sequence[Finding], flows: int, checked: int) -> str:
    """What was found, and in how much."""
    if not findings:
        return f"No faults found: {count(flows, 'flow')} in {count(checked, 'file')}."
    severities = Counter(finding.severity for finding in findings)
    parts = [
        count(severities[severity], word)
        for severity, word in _WORDS.items()
        if severities[severity]
    ]
    listed = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
    return f"Found {listed} in {count(flows, 'flow')} ({count(checked, 'file')} checked)."


def count(number: int, noun: str) -> str:
    """The number with its noun: `1 flow`, `2 flows`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
