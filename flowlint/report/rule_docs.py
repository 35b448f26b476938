"""All there is to know of a rule, for people and for programs: facts and documentation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import cast

from flowlint.report.explanations import section_of, summary_of
from flowlint.report.links import rule_url
from flowlint.report.places import Json
from flowlint.rules.options import OptionKind, RuleOption
from flowlint.rules.registry import Rule, RuleInfo, related_rules

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
    """A rule as data."""
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
        "options": [_option_data(option) for option in info.options],
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
    options = [f"`{option.name}`" for option in info.options]
    yield f"* Options: {', '.join(options) or 'none'}"
    yield f"* Since: {info.since}{' (preview)' if info.preview else ''}"
    if rule.origin is not None:
        yield f"* Comes with: {rule.origin}"
    related = [link(other.info.name) for other in related_rules(rule)]
    yield f"* Related: {', '.join(related) or 'none'}"
    yield ""
    yield from rule.docs.splitlines()
    if info.options:
        yield from _options(info)


def _option_data(option: RuleOption[object]) -> dict[str, Json]:
    return {
        "name": option.name,
        "kind": option.kind,
        "default": _json(option.default),
        "text": option.text,
        "example": _json(option.example),
    }


def _json(value: object) -> Json:
    return cast(Json, list(value) if isinstance(value, tuple) else value)


def _options(info: RuleInfo) -> Iterator[str]:
    """What may be stated for a rule, and how."""
    yield ""
    yield "## Options"
    yield ""
    for option in info.options:
        yield f"* `{option.name}`, {described(option)}: {option.text}"
    yield ""
    yield "```toml"
    yield f"[rules.{info.name}]"
    for option in info.options:
        yield f"{option.name} = {json.dumps(option.example)}"
    yield "```"
    yield ""
    yield f"In `pyproject.toml` the table is `[tool.flowlint.rules.{info.name}]`."


_KINDS: dict[OptionKind, str] = {
    "flag": "`true` or `false`",
    "count": "a whole number above 0",
    "patterns": "a list of patterns of names",
}


def described(option: RuleOption[object]) -> str:
    """What an option takes, and what holds where it is not stated."""
    default = "none" if option.default in ((), None) else f"`{json.dumps(option.default)}`"
    return f"{_KINDS[option.kind]} (default: {default})"
