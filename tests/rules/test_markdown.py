"""Runs the Markdown files beside this one, and the examples in the rules' documentation.

`FLOWLINT_UPDATE=1 pytest tests/rules` writes the snapshots anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from markdown_cases import MAIN_BY_LANGUAGE, Case, cases

from flowlint.findings.model import Finding
from flowlint.gathering.gather import Asked, gather
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles
from flowlint.project.settings.finding import Configuration
from flowlint.report.full import render
from flowlint.report.style import Style
from flowlint.rules.registry import Rule, all_rules

HERE = Path(__file__).parent
RULES = all_rules()
HEADINGS = ["What it does", "Why is this bad", "Example", "Use instead"]
CODE = re.compile(rf"```({'|'.join(MAIN_BY_LANGUAGE)})\n(.*?)```", re.DOTALL)
WITHOUT_EXAMPLE = {"forbidden-cycle", "internal-error"}
"""Rules that no code of a system we read can show."""


def markdown_of(rule: Rule) -> Path:
    return HERE / rule.info.category / f"{rule.info.name}.md"


ALL_CASES = [
    pytest.param(path, number, case, id=f"{path.stem}:{case.line}")
    for path in sorted(HERE.glob("*/*.md"))
    for number, case in enumerate(cases(path))
]


def analyse(main: str, files: dict[str, str], folder: Path) -> list[Finding]:
    """The findings of the main file, in the order in which they are reported."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    files, settings = ProjectFiles(), Configuration()
    result = analyse_file(main, files, str(folder), options_of=settings.options_of)
    found = gather(result.flows, result.faults, Asked([main], [main]), files, settings).findings
    return sorted(found, key=lambda finding: (finding.span, finding.code))


def found_at(finding: Finding) -> tuple[str, int, str, str]:
    return finding.span.path, finding.span.line, finding.severity, finding.name


@pytest.mark.parametrize(("path", "number", "case"), ALL_CASES)
def test_case(
    path: Path, number: int, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    findings = analyse(case.main, case.files(), tmp_path)
    assert sorted(map(found_at, findings)) == case.expected(), f"{path.name}, line {case.line}"
    assert [f.message for f in findings if not f.message.endswith(".")] == []
    if case.snapshot is None:
        return
    report = list(render(findings, ProjectFiles(), Style(False)))
    rendered = "\n".join(report).strip("\n").splitlines()
    lines = path.read_text().splitlines()
    if os.environ.get("FLOWLINT_UPDATE"):
        # Snapshots that were written before may have moved this one.
        start, end = cases(path)[number].snapshot or case.snapshot
        path.write_text("\n".join([*lines[:start], *rendered, *lines[end:]]) + "\n")
        return
    start, end = case.snapshot
    assert rendered == lines[start:end], f"{path.name}: update with FLOWLINT_UPDATE=1"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.info.name)
def test_every_rule_has_a_test_file(rule: Rule) -> None:
    found = cases(markdown_of(rule))
    names = {name for case in found for *_, name in case.expected()}
    if rule.info.name not in WITHOUT_EXAMPLE:
        assert rule.info.name in names, "no bad code"
        assert any(case.snapshot for case in found), "no snapshot"
        assert any(not case.expected() for case in found), "no good code"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.info.name)
def test_documentation_has_its_headings(rule: Rule) -> None:
    first, blank, *_ = rule.docs.splitlines()
    assert first.endswith(".")
    assert len(first) < 100
    assert blank == ""
    headings = re.findall(r"^## (.+)$", rule.docs, re.MULTILINE)
    expected = [*HEADINGS, "Fix safety"] if rule.info.fix != "none" else HEADINGS
    assert headings == expected


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.info.name)
def test_examples_in_the_documentation(
    rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, _, rest = rule.docs.partition("## Example")
    bad, _, good = rest.partition("## Use instead")
    examples = [CODE.findall(part) for part in (bad, good)]
    if rule.info.name in WITHOUT_EXAMPLE:
        assert examples == [[], []]
        return
    assert [len(found) for found in examples] == [1, 1]
    (wrong, *_), (right, *_) = examples
    assert {finding.name for finding in analyse_example(*wrong, tmp_path)} == {rule.info.name}
    assert analyse_example(*right, tmp_path) == []


def analyse_example(language: str, code: str, folder: Path) -> list[Finding]:
    main = MAIN_BY_LANGUAGE[language]
    return analyse(main, {main: code}, folder)


def test_names_and_codes_are_unique() -> None:
    assert len({rule.info.name for rule in RULES}) == len(RULES)
    assert len({rule.info.code for rule in RULES}) == len(RULES)


CATEGORIES = {
    "1": "structure",
    "2": "routing",
    "3": "loops",
    "4": "concurrency",
    "5": "state",
    "6": "expressions",
    "7": "shape",
    "8": "resilience",
    "9": "meta",
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.info.name)
def test_codes_and_names(rule: Rule) -> None:
    assert re.fullmatch(r"FL\d{3}", rule.info.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.info.name)
    assert rule.info.category == CATEGORIES[rule.info.code[2]]
