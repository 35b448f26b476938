"""What reviewdog is told: columns in bytes, and fixes that can be taken as they are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_samples import FINDINGS

from flowlint.findings.model import Finding, Fix
from flowlint.project.files import ProjectFiles
from flowlint.report import rdjson
from flowlint.report.model import Report
from flowlint.source import Edit, Span

LINE = "é = Edge('a', 'b')"


def span(column: int, end: int, line: int = 1, path: str = "a.py") -> Span:
    return Span(path, line, column, line, end)


def diagnostic(finding: Finding) -> Any:
    files = ProjectFiles({"a.py": f"{LINE}\n{LINE}\n".encode(), "b.py": b"x\n"})
    (found,) = json.loads(rdjson.render(Report([finding], files)))["diagnostics"]
    return found


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def fixed(*edits: Edit, safety: str = "safe") -> Finding:
    fix = Fix("t", safety, edits)  # type: ignore[arg-type]
    return replace(FINDINGS[0], span=span(10, 13), related=(), fix=fix)


def test_columns_count_bytes() -> None:
    found = diagnostic(fixed())["location"]["range"]
    assert LINE[9:12] == "'a'"
    assert LINE.encode()[found["start"]["column"] - 1 : found["end"]["column"] - 1] == b"'a'"


def test_several_edits_are_one_suggestion_with_what_is_between() -> None:
    found = diagnostic(fixed(Edit(span(15, 18), "'d'"), Edit(span(10, 13), "'c'")))
    (suggestion,) = found["suggestions"]
    assert suggestion["text"] == "'c', 'd'"
    columns = [suggestion["range"][end]["column"] for end in ("start", "end")]
    assert columns == [11, 19]


def test_only_fixes_that_can_be_taken_are_suggested() -> None:
    assert "suggestions" not in diagnostic(fixed(Edit(span(1, 2), "x"), safety="display-only"))
    assert "suggestions" not in diagnostic(fixed(Edit(span(1, 2, path="b.py"), "x")))
    assert "suggestions" in diagnostic(fixed(Edit(span(1, 2), "x"), safety="unsafe"))
