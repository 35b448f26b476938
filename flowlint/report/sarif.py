"""Findings as SARIF 2.1.0, as code scanning services take it.

There is one run. Paths are relative to the root of the repository, fingerprints do not change when
lines move, and the run that shows a finding becomes a code flow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from flowlint.findings.codes import INTERNAL_ERROR
from flowlint.findings.fingerprint import fingerprints
from flowlint.findings.model import Finding, Fix, Severity
from flowlint.report.model import Report
from flowlint.report.notebooks import RawPlaces, where
from flowlint.report.paths import below, file_uri, from_root, uri_of
from flowlint.report.places import Json
from flowlint.report.sarif_rules import descriptors
from flowlint.report.steps import StepPlaces
from flowlint.source import Edit, Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "flowlint/v1"
ROOT = "SRCROOT"

_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


def render(report: Report) -> str:
    """The JSON text."""
    writer = _Writer(report)
    return json.dumps(
        {"$schema": SCHEMA, "version": "2.1.0", "runs": [writer.run()]},
        indent=2,
        ensure_ascii=False,
    )


class _Writer:
    def __init__(self, report: Report) -> None:
        self._report = report
        self._places = RawPlaces(report.files)
        self._steps = StepPlaces(report.graphs)
        self._codes = sorted({finding.code for finding in report.findings})

    def run(self) -> dict[str, Json]:
        report = self._report
        prints = fingerprints(report.findings, lambda path: from_root(path, report.root))
        return {
            "tool": {
                "driver": {
                    "name": "flowlint",
                    "version": _version(),
                    "rules": descriptors(self._codes),
                }
            },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {ROOT: {"uri": file_uri(report.root, folder=True)}},
            "invocations": [self._invocation()],
            "results": [
                self._result(finding, fingerprint)
                for finding, fingerprint in zip(report.findings, prints, strict=True)
            ],
        }

    def _invocation(self) -> dict[str, Json]:
        report = self._report
        failed = any(finding.code == INTERNAL_ERROR for finding in report.findings)
        notes = [self._notification("error", path, text) for path, text in report.problems]
        notes += [self._notification("warning", None, _told(*note)) for note in report.remarks]
        return {
            "executionSuccessful": not failed and not report.problems,
            "toolExecutionNotifications": notes,
        }

    def _notification(self, level: str, path: str | None, text: str) -> dict[str, Json]:
        found: dict[str, Json] = {"level": level, "message": {"text": _told(path, text)}}
        if path is not None:
            location = {"physicalLocation": {"artifactLocation": self._artifact(path)}}
            found["locations"] = [location]
        return found

    def _result(self, finding: Finding, fingerprint: str) -> dict[str, Json]:
        message = f"{where(finding.span)}{finding.message}"
        location: dict[str, Json] = {"physicalLocation": self._physical(finding.span)}
        if finding.flow is not None:
            location["logicalLocations"] = [_logical(finding.flow, finding.node)]
        found: dict[str, Json] = {
            "ruleId": finding.code,
            "ruleIndex": self._codes.index(finding.code),
            "level": _LEVELS[finding.severity],
            "message": {"text": f"{message}\n{finding.help}" if finding.help else message},
            "locations": [location],
            "partialFingerprints": {FINGERPRINT: fingerprint},
        }
        if finding.related:
            found["relatedLocations"] = [
                {
                    "id": number,
                    "physicalLocation": self._physical(related.span),
                    "message": {"text": f"{where(related.span)}{related.message}"},
                }
                for number, related in enumerate(finding.related)
            ]
        if finding.witness:
            steps = list(self._flow(finding))
            found["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
        changes = _changes(finding.fix)
        if finding.fix is not None and changes:
            found["fixes"] = [self._fix(finding.fix, changes)]
        return found

    def _flow(self, finding: Finding) -> Iterator[dict[str, Json]]:
        """The steps of a run, each where its node is stated, or where the finding is."""
        for name in finding.witness:
            span = self._steps.of(finding, name) or finding.span
            location: dict[str, Json] = {
                "physicalLocation": self._physical(span),
                "message": {"text": f"{where(span)}{name}"},
            }
            if finding.flow is not None:
                location["logicalLocations"] = [_logical(finding.flow, name)]
            yield {"location": location}

    def _fix(self, fix: Fix, changes: dict[str, list[Edit]]) -> dict[str, Json]:
        return {
            "description": {"text": fix.title},
            "artifactChanges": [
                {
                    "artifactLocation": self._artifact(path),
                    "replacements": [
                        {
                            "deletedRegion": _region(edit.span),
                            "insertedContent": {"text": edit.new_text},
                        }
                        for edit in edits
                    ],
                }
                for path, edits in changes.items()
            ],
        }

    def _physical(self, span: Span) -> dict[str, Json]:
        raw = self._places.of(span)
        return {"artifactLocation": self._artifact(raw.path), "region": _region(raw)}

    def _artifact(self, path: str) -> dict[str, Json]:
        inside = below(path, self._report.root)
        if inside is None:
            return {"uri": file_uri(path)}
        return {"uri": uri_of(inside), "uriBaseId": ROOT}


def _changes(fix: Fix | None) -> dict[str, list[Edit]]:
    """The edits by file; none of a fix that is not to be applied, or to cells of a notebook."""
    if fix is None or fix.safety == "display-only":
        return {}
    if any(edit.span.cell is not None for edit in fix.edits):
        return {}
    by_file: dict[str, list[Edit]] = {}
    for edit in sorted(fix.edits, key=lambda edit: edit.span):
        by_file.setdefault(edit.span.path, []).append(edit)
    return by_file


def _region(span: Span) -> dict[str, Json]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _logical(flow: str, node: str | None) -> dict[str, Json]:
    parts: Sequence[str] = (flow,) if node is None else (flow, node)
    return {"name": parts[-1], "fullyQualifiedName": ".".join(parts)}


def _told(path: str | None, text: str) -> str:
    return text if path is None else f"{path}: {text}"


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("flowls")
    except PackageNotFoundError:
        return "0"
