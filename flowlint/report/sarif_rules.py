"""Rules as SARIF describes them, from their own documentation."""

from __future__ import annotations

from collections.abc import Sequence

from flowlint.findings.model import Severity
from flowlint.report.explanations import section_of, summary_of
from flowlint.report.links import rule_url
from flowlint.report.places import Json
from flowlint.rules.registry import Rule, find_rule

_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_PROBLEMS: dict[Severity, str] = {
    "error": "error",
    "warning": "warning",
    "info": "recommendation",
}


def descriptors(codes: Sequence[str]) -> list[dict[str, Json]]:
    """One descriptor for each code, in their order."""
    return [_descriptor(code, find_rule(code)) for code in codes]


def _descriptor(code: str, rule: Rule | None) -> dict[str, Json]:
    if rule is None:
        return {"id": code}
    info = rule.info
    summary = summary_of(rule.docs)
    what = section_of(rule.docs, "What it does") or summary
    found: dict[str, Json] = {
        "id": code,
        "name": info.name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": summary_of(what)},
        "help": {"text": rule.docs, "markdown": rule.docs},
        "defaultConfiguration": {"level": _LEVELS[info.severity]},
        "properties": {
            "tags": [info.category],
            "precision": "very-high" if info.severity == "error" else "high",
            "problem.severity": _PROBLEMS[info.severity],
        },
    }
    url = rule_url(info.name)
    if url:
        found["helpUri"] = url
    return found
