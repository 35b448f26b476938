"""Findings as workflow commands: GitHub Actions makes annotations of them.

The lines are also what people read in the log, where only the message is shown; so it says the
place again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flowlint.findings.model import Finding, Severity
from flowlint.report.model import Report
from flowlint.report.notebooks import RawPlaces
from flowlint.report.paths import from_root
from flowlint.report.style import plain

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: Report) -> Iterator[str]:
    """One command for each finding, and for each path that could not be checked."""
    places = RawPlaces(report.files)
    for finding in report.findings:
        yield _finding(finding, places, report.root)
    for path, reason in report.problems:
        file = {} if path is None else {"file": from_root(path, report.root)}
        told = reason if path is None else f"{path}: {reason}"
        yield command("error", {"title": "flowlint", **file}, plain(told))


def command(name: str, properties: Mapping[str, str], message: str) -> str:
    """A workflow command; its message may have several lines."""
    stated = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {stated}::{_data(message)}"


def _finding(finding: Finding, places: RawPlaces, root: str) -> str:
    span = places.of(finding.span)
    properties = {
        "title": f"{finding.name} ({finding.code})",
        "file": from_root(span.path, root),
        "line": str(span.line),
        "endLine": str(span.end_line),
    }
    if span.line == span.end_line:
        # Columns of a place of several lines would be taken for those of one line.
        properties |= {"col": str(span.column), "endColumn": str(span.end_column)}
    message = f"{plain(str(finding.span))}: {plain(finding.message)}"
    if finding.help:
        message += f"\nhelp: {plain(finding.help)}"
    return command(_COMMANDS[finding.severity], properties, message)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(plain(text)).replace(":", "%3A").replace(",", "%2C")
