"""Findings as a diagnostic result of reviewdog (rdjson), with fixes as suggestions.

There, columns count the bytes of UTF-8.
"""

from __future__ import annotations

import json

from flowlint.findings.model import Finding, Fix, Severity
from flowlint.report.lines import Sources
from flowlint.report.links import rule_url
from flowlint.report.model import Report
from flowlint.report.notebooks import RawPlaces, where
from flowlint.report.patch import merged
from flowlint.report.paths import from_root
from flowlint.report.places import Json
from flowlint.source import Span

_SEVERITIES: dict[Severity, str] = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}


def render(report: Report) -> str:
    """The JSON text."""
    writer = _Writer(report)
    document = {
        "source": {"name": "flowlint"},
        "diagnostics": [writer.diagnostic(finding) for finding in report.findings],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


class _Writer:
    def __init__(self, report: Report) -> None:
        self._root = report.root
        self._sources = Sources(report.files)
        self._places = RawPlaces(report.files)

    def diagnostic(self, finding: Finding) -> dict[str, Json]:
        message = f"{where(finding.span)}{finding.message}"
        code: dict[str, Json] = {"value": finding.code}
        url = rule_url(finding.name)
        if url:
            code["url"] = url
        found: dict[str, Json] = {
            "message": f"{message}\n{finding.help}" if finding.help else message,
            "location": self._location(finding.span),
            "severity": _SEVERITIES[finding.severity],
            "code": code,
        }
        if finding.related:
            found["related_locations"] = [
                {
                    "message": f"{where(related.span)}{related.message}",
                    "location": self._location(related.span),
                }
                for related in finding.related
            ]
        suggestion = self._suggestion(finding.fix, finding.span)
        if suggestion:
            found["suggestions"] = [suggestion]
        return found

    def _suggestion(self, fix: Fix | None, span: Span) -> dict[str, Json] | None:
        """The fix as one suggestion; none where it is not to be applied or is not of one file."""
        if fix is None or fix.safety == "display-only" or not fix.edits or span.cell is not None:
            return None
        if any((edit.span.path, edit.span.cell) != (span.path, None) for edit in fix.edits):
            return None
        edit = merged(fix.edits, self._sources)
        return {"range": self._range(edit.span), "text": edit.new_text}

    def _location(self, span: Span) -> dict[str, Json]:
        raw = self._places.of(span)
        return {"path": from_root(raw.path, self._root), "range": self._range(raw)}

    def _range(self, span: Span) -> dict[str, Json]:
        return {
            "start": {"line": span.line, "column": self._column(span, span.line, span.column)},
            "end": {
                "line": span.end_line,
                "column": self._column(span, span.end_line, span.end_column),
            },
        }

    def _column(self, span: Span, line: int, column: int) -> int:
        before = (self._sources.line(span, line) or "")[: column - 1]
        missing = column - 1 - len(before)
        return len(before.encode("utf-8", "surrogatepass")) + missing + 1
