"""What was found in a file, as JSON and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flowlint.findings.model import Finding, Fix, Related
from flowlint.pipeline import FlowHead, FlowResult
from flowlint.source import Edit, Span

Row = list[Any]
"""The fields of one object in their order."""


def encoded_flow(flow: FlowResult[FlowHead]) -> Row:
    """A flow with what was found in it."""
    head = flow.graph
    findings = [encoded_finding(finding) for finding in flow.findings]
    return [_span(head.span), head.dialect, head.assumed, findings]


def decoded_flow(row: Row) -> FlowResult[FlowHead]:
    """The same back. Raises TypeError, ValueError or LookupError for what is no such row."""
    span, dialect, is_assumed, findings = row
    head = FlowHead(Span(*span), dialect, is_assumed)
    return FlowResult(head, tuple(map(decoded_finding, findings)))


def encoded_finding(finding: Finding) -> Row:
    """A finding whose fix, if it has one, is made of edits."""
    return [
        finding.code,
        finding.name,
        finding.severity,
        finding.message,
        _span(finding.span),
        finding.help,
        finding.flow,
        finding.node,
        [[related.message, _span(related.span)] for related in finding.related],
        finding.witness,
        _fix(finding.fix),
    ]


def decoded_finding(row: Row) -> Finding:
    """The same back. Raises TypeError, ValueError or LookupError for what is no such row."""
    code, name, severity, message, span, help_, flow, node, related, witness, fix = row
    return Finding(
        code,
        name,
        severity,
        message,
        Span(*span),
        help_,
        flow,
        node,
        tuple(Related(text, Span(*place)) for text, place in related),
        tuple(witness),
        None if fix is None else _decoded_fix(fix),
    )


def can_encode(findings: Iterable[Finding]) -> bool:
    """Whether nothing is lost: changes that no language made edits of yet are not written."""
    return not any(finding.fix is not None and finding.fix.changes for finding in findings)


def _span(span: Span) -> Row:
    place: Row = [span.path, span.line, span.column, span.end_line, span.end_column]
    return place if span.cell is None else [*place, span.cell]


def _fix(fix: Fix | None) -> Row | None:
    if fix is None:
        return None
    edits = [[_span(edit.span), edit.new_text] for edit in fix.edits]
    return [fix.title, fix.safety, edits, fix.digests]


def _decoded_fix(row: Row) -> Fix:
    title, safety, edits, digests = row
    return Fix(
        title,
        safety,
        tuple(Edit(Span(*span), text) for span, text in edits),
        digests=tuple((path, digest) for path, digest in digests),
    )
