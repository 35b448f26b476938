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


def fixable(findings: Sequence[Finding], *, unsafe: bool, fixes: bool) -> str | None:
    """How many of the findings the program can fix by itself, and what to say for it."""
    safeties = Counter(finding.fix.safety for finding in findings if finding.fix is not None)
    safe, more = (0 if fixes else safeties["safe"]), (0 if fixes and unsafe else safeties["unsafe"])
    if safe and more:
        return f"{count(safe, 'finding')} fixable with --fix, {more} more with --unsafe-fixes."
    if safe:
        return f"{count(safe, 'finding')} fixable with --fix."
    return f"{count(more, 'finding')} fixable with --fix --unsafe-fixes." if more else None


def count(number: int, noun: str) -> str:
    """The number with its noun: `1 flow`, `2 flows`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
