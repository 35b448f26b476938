"""How often each rule was found to be broken."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowlint.findings.model import Finding
from flowlint.report.formats import Format
from flowlint.report.links import rule_url
from flowlint.report.places import Json
from flowlint.report.style import Style

FORMATS: frozenset[Format] = frozenset(
    {"full", "concise", "grouped", "github", "json", "json-lines"}
)
"""Formats in which statistics can be shown."""


@dataclass(frozen=True, slots=True)
class _Count:
    code: str
    name: str
    count: int
    errors: int
    fixable: int


def render(findings: Sequence[Finding], output_format: Format, style: Style) -> Iterator[str]:
    """One line per rule, the most frequent first; as JSON in the formats that are JSON."""
    counts = _counts(findings)
    if output_format == "json":
        yield json.dumps([_data(count) for count in counts], indent=2)
    elif output_format == "json-lines":
        yield from (json.dumps(_data(count)) for count in counts)
    elif counts:
        yield from _table(counts, style)


def _counts(findings: Sequence[Finding]) -> list[_Count]:
    total = Counter((finding.code, finding.name) for finding in findings)
    errors = Counter(finding.code for finding in findings if finding.severity == "error")
    fixable = Counter(finding.code for finding in findings if finding.fix is not None)
    counts = [
        _Count(code, name, number, errors[code], fixable[code])
        for (code, name), number in total.items()
    ]
    return sorted(counts, key=lambda count: (-count.count, count.code))


def _table(counts: Sequence[_Count], style: Style) -> Iterator[str]:
    room = len(str(counts[0].count))
    names = max(len(count.name) for count in counts)
    for count in counts:
        name = style.link(count.name, rule_url(count.name)) + " " * (names - len(count.name))
        number = style.paint(str(count.count).rjust(room), "strong")
        fixable = f"  {count.fixable} with a fix" if count.fixable else ""
        yield f"{number}  {count.code}  {name}{fixable}".rstrip()


def _data(count: _Count) -> dict[str, Json]:
    return {
        "code": count.code,
        "name": count.name,
        "count": count.count,
        "errors": count.errors,
        "fixable": count.fixable,
    }
