"""Findings in words, with the places that they have in files."""

from __future__ import annotations

from pathlib import Path

from flowlint.findings.model import Finding
from flowlint.source import Span

NOWHERE = "<definition>"
"""The path of a text that is in no file."""


def told(finding: Finding) -> str:
    """A finding on one line: place, code, name, message and what to do."""
    severity = "" if finding.severity == "error" else f" ({finding.severity})"
    cure = f" ({finding.help})" if finding.help else ""
    place = told_place(finding.span)
    where = f"{place}: " if place is not None else ""
    return f"{where}{finding.code} {finding.name}{severity}: {finding.message}{cure}"


def told_place(span: Span) -> str | None:
    """Where something is, as `file:line:column`; None where that is in no text."""
    if span.path == NOWHERE:
        return f"line {span.line}, column {span.column}"
    path = path_of(span)
    return None if path is None else f"{path}:{span.line}:{span.column}"


def path_of(span: Span) -> str | None:
    """The file of a place, from here where it is below; None where it is in no file."""
    if span.path.startswith("<"):
        return None
    path = Path(span.path)
    try:
        here = Path.cwd()
    except OSError:
        return span.path
    return str(path.relative_to(here)) if path.is_relative_to(here) else span.path
