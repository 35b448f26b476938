"""Findings as failed tests, in the JUnit XML that build servers read.

Each file with findings is a suite, each finding a test that failed (or passed, for a note). What
could not be checked is an error. Without any, there is one test and it has passed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from flowlint.findings.model import Finding
from flowlint.report.model import Report
from flowlint.report.paths import from_root
from flowlint.report.xml import attribute, escape


@dataclass
class _Suite:
    name: str
    cases: list[str] = field(default_factory=list)
    failures: int = 0
    errors: int = 0
    notes: list[str] = field(default_factory=list)


def render(report: Report) -> Iterator[str]:
    """The lines of the XML."""
    suites = [_of_file(path, found) for path, found in _by_file(report)]
    if report.problems:
        suites.append(_of_problems(report))
    if not suites:
        passed = _opening("no faults found", "flowlint")
        suites.append(_Suite("flowlint", [f"{passed}/>"]))
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield "<testsuites>"
    for number, suite in enumerate(suites):
        yield from _lines(suite, number)
    yield "</testsuites>"


def _by_file(report: Report) -> Iterator[tuple[str, list[Finding]]]:
    for path, found in groupby(report.findings, key=lambda finding: finding.span.path):
        yield from_root(path, report.root), list(found)


def _of_file(path: str, findings: Sequence[Finding]) -> _Suite:
    suite = _Suite(path)
    for finding in findings:
        span = finding.span
        cell = "" if span.cell is None else f"cell {span.cell}:"
        place = f"{cell}{span.line}:{span.column}"
        opening = _opening(f"{finding.code} {finding.name} {place}", path)
        text = f"{path}:{place}: {finding.severity}: {finding.message}"
        if finding.help:
            text += f"\n{finding.help}"
        if finding.severity == "info":
            suite.cases.append(f"{opening}/>")
            suite.notes.append(text)
            continue
        suite.failures += 1
        stated = f'type="{finding.severity}" message="{attribute(finding.message)}"'
        suite.cases.append(f"{opening}><failure {stated}>{escape(text)}</failure></testcase>")
    return suite


def _of_problems(report: Report) -> _Suite:
    suite = _Suite("not checked")
    for path, reason in report.problems:
        named = from_root(path, report.root) if path is not None else "flowlint"
        stated = f'type="not-checked" message="{attribute(reason)}"'
        suite.cases.append(
            f"{_opening(named, 'flowlint')}><error {stated}>"
            f"{escape(f'{named}: {reason}')}</error></testcase>"
        )
        suite.errors += 1
    return suite


def _opening(name: str, group: str) -> str:
    return f'<testcase name="{attribute(name)}" classname="{attribute(group)}" time="0"'


def _lines(suite: _Suite, number: int) -> Iterator[str]:
    # Both wide-spread schemas are content with these; one of them asks for all of them.
    facts = {
        "name": suite.name,
        "package": "flowlint",
        "id": str(number),
        "tests": str(len(suite.cases)),
        "failures": str(suite.failures),
        "errors": str(suite.errors),
        "time": "0",
        "timestamp": _now(),
        "hostname": "localhost",
    }
    stated = " ".join(f'{key}="{attribute(value)}"' for key, value in facts.items())
    yield f"  <testsuite {stated}>"
    yield "    <properties/>"
    for case in suite.cases:
        yield f"    {case}"
    yield f"    <system-out>{escape(chr(10).join(suite.notes))}</system-out>"
    yield "    <system-err/>"
    yield "  </testsuite>"


def _now() -> str:
    """The time of the run, which who builds reproducibly may state."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = float(stated) if stated.isascii() and stated.isdigit() else time.time()
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
