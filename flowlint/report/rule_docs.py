"""All there is to know of a rule, for people and for programs: facts and documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flowlint.report.explanations import section_of, summary_of
from flowlint.report.links import rule_url
from flowlint.report.places import Json
from flowlint.rules.registry import Rule, related_rules

SECTIONS = {
    "what": "What it does",
    "why": "Why is this bad",
    "example": "Example",
    "instead": "Use instead",
    "fix_safety": "Fix safety",
}
"""The headings that the documentation of a rule has, by the names they bear as data."""

_FIXES = {
    "none": "none",
    "sometimes": "where just one thing can have been meant",
    "always": "always",
}


def data(rule: Rule) -> dict[str, Json]:
    """A rule as data. No rule has options so far."""
    info = rule.info
    return {
        "code": info.code,
        "name": info.name,
        "category": info.category,
        "severity": info.severity,
        "since": info.since,
        "preview": info.preview,
        "origin": rule.origin,
        "fix": info.fix,
        "options": [],
        "related": [other.info.name for other in related_rules(rule)],
        "summary": summary_of(rule.docs),
        **{name: section_of(rule.docs, heading) for name, heading in SECTIONS.items()},
        "docs": rule.docs,
        "url": rule_url(info.name),
    }


def markdown(rule: Rule, link: Callable[[str], str] = "`{}`".format) -> Iterator[str]:
    """The page of a rule; `link` writes the name of another one."""
    info = rule.info
    yield f"# {info.name} ({info.code})"
    yield ""
    yield f"* Category: {info.category}"
    yield f"* Severity: {info.severity}"
    yield f"* Fix: {_FIXES[info.fix]}"
    yield "* Options: none"
    yield f"* Since: {info.since}{' (preview)' if info.preview else ''}"
    if rule.origin is not None:
        yield f"* Comes with: {rule.origin}"
    related = [link(other.info.name) for other in related_rules(rule)]
    yield f"* Related: {', '.join(related) or 'none'}"
    yield ""
    yield from rule.docs.splitlines()
