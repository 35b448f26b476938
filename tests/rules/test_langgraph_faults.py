"""The faults of LangGraph's users in the file beside this one, and the rules that tell them.

Every row of its table has a section. In a section programs come in pairs: one that is told of, by
the rules of the row, and the same without the fault, of which nothing is told.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_cases import MAIN, Case, cases

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles
from flowlint.rules.registry import find_rule

DOCUMENT = Path(__file__).with_name("langgraph-faults.md")
COUNT = 31

_ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)

ROWS = {
    f"{number}. {fault}": tuple(rules.split(", "))
    for number, fault, _, rules in _ROW.findall(DOCUMENT.read_text())
}
CASES = cases(DOCUMENT)
PAIRS = [
    pytest.param(bad, good, id=f"{bad.title.replace(' ', '-')}:{bad.line}")
    for bad, good in zip(CASES[::2], CASES[1::2], strict=True)
]


def told(case: Case, folder: Path) -> list[tuple[str, int, str, str]]:
    for name, text in case.files().items():
        (folder / name).write_text(text)
    findings = analyse_file(MAIN, ProjectFiles(), str(folder)).findings
    return sorted((f.span.path, f.span.line, f.severity, f.name) for f in findings)


@pytest.mark.parametrize(("bad", "good"), PAIRS)
def test_told_and_not_told_without(
    bad: Case, good: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bad.title == good.title, "programs come in pairs"
    assert told(bad, tmp_path) == bad.expected()
    assert told(good, tmp_path) == []


@pytest.mark.parametrize("title", ROWS)
def test_every_row_is_shown_by_its_rules(title: str) -> None:
    rules = ROWS[title]
    assert [rule for rule in rules if find_rule(rule) is None] == []
    shown = [case.expected() for case in CASES if case.title == title][::2]
    assert shown, "no section"
    assert all(any(found[3] in rules for found in expected) for expected in shown)
    assert {found[3] for expected in shown for found in expected} >= set(rules)


def test_every_section_has_its_row() -> None:
    assert len(ROWS) == COUNT
    assert [*dict.fromkeys(case.title for case in CASES)] == [*ROWS]
