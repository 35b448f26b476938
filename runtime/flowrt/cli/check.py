"""`flowrt check`: check a definition without running it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from flowrt.cli.codes import FAILED, INVALID, OK
from flowrt.cli.loading import loaded
from flowrt.cli.options import file_argument, module_option, report_option
from flowrt.cli.words import clean, plural
from flowrt.errors import FlowValidationError
from flowrt.telling import path_of, told_place

if TYPE_CHECKING:
    from flowlint.findings.model import Finding
    from flowlint.source import Span


@click.command()
@file_argument
@module_option
@report_option
def check(file: str, modules: tuple[str, ...], format_: Literal["plain", "json"]) -> int:
    """Check the flow in FILE by the rules of flowlint. Nodes are not run.

    A Python module is imported for this; `flowlint check` reads it without. Ends with 0 when
    there are no findings, 1 when there are, and 2 when FILE has no flow that can be checked.
    """
    findings: Sequence[Finding]
    try:
        flow = loaded(file, modules)
    except FlowValidationError as error:
        if not error.findings:
            raise
        findings = error.findings
        name = None
    else:
        findings = flow.findings
        name = flow.name
    if format_ == "json":
        print(json.dumps([_as_json(finding) for finding in findings], ensure_ascii=False, indent=2))
    else:
        _print(file, name, findings)
    if any(finding.severity == "error" for finding in findings):
        return FAILED
    return FAILED if any(finding.severity == "warning" for finding in findings) else OK


def _print(file: str, name: str | None, findings: Sequence[Finding]) -> None:
    for finding in findings:
        place = told_place(finding.span)
        where = f"{clean(place)}: " if place is not None else ""
        said = f"{finding.code} [{finding.name}] {finding.severity}: {clean(finding.message)}"
        print(f"{where}{said}")
        if finding.help:
            print(f"  help: {clean(finding.help)}")
    if findings:
        print(f"Found {plural(len(findings), 'fault')} in {clean(file)}.")
    else:
        print(f"No faults found: flow {clean(name)} in {clean(file)}.")


def _as_json(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": finding.message,
        "help": finding.help,
        "path": path_of(finding.span),
        "range": _range(finding.span),
        "flow": finding.flow,
        "node": finding.node,
    }


def _range(span: Span) -> dict[str, object] | None:
    """The lines and columns of a place, None where it is in no file."""
    if path_of(span) is None:
        return None
    return {
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }


__all__ = ["INVALID", "check"]
