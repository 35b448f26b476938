"""Every fix on every case of every rule: it cures, harms nothing, and is done when it is done."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from markdown_cases import MAIN, Case, cases, parses

from flowlint.check import Options
from flowlint.findings.model import Finding, Fix, FixSafety
from flowlint.fixing import fix
from flowlint.pipeline import analyse_file
from flowlint.project.edits import edited
from flowlint.project.files import ProjectFiles
from flowlint.project.settings.finding import Configuration
from flowlint.rules.registry import all_rules

HERE = Path(__file__).parent
ALL_CASES = [
    pytest.param(case, id=f"{path.stem}:{case.line}")
    for path in sorted(HERE.glob("*/*.md"))
    for case in cases(path)
    if case.expected()
]
BOTH: frozenset[FixSafety] = frozenset({"safe", "unsafe"})
Told = tuple[str, str, str]


def findings_of(texts: dict[str, bytes], main: str = MAIN) -> tuple[Finding, ...]:
    options_of = Configuration().options_of
    return analyse_file(main, ProjectFiles(texts), ".", options_of=options_of).findings


def told(finding: Finding) -> Told:
    """What a finding says, wherever it stands."""
    return finding.span.path, finding.name, re.sub(r"\bline \d+", "line", finding.message)


def applied(cure: Fix, texts: dict[str, bytes]) -> dict[str, bytes]:
    paths = {edit.span.path for edit in cure.edits}
    changed = {
        path: edited(path, texts[path], [edit for edit in cure.edits if edit.span.path == path])
        for path in paths
    }
    return {**texts, **changed}


def texts_of(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    monkeypatch.chdir(folder)
    for name, text in case.files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return {name: text.encode() for name, text in case.files().items()}


@pytest.mark.parametrize("case", ALL_CASES)
def test_each_fix_cures_and_brings_nothing_new(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = texts_of(case, tmp_path, monkeypatch)
    findings = findings_of(texts, case.main)
    before = Counter(map(told, findings))
    for finding in findings:
        if finding.fix is None:
            continue
        assert finding.fix.edits
        assert not finding.fix.changes
        after_texts = applied(finding.fix, texts)
        assert all(parses(path, text) for path, text in after_texts.items() if text != texts[path])
        after = Counter(map(told, findings_of(after_texts, case.main)))
        assert after[told(finding)] < before[told(finding)], finding.fix
        assert not after - before, finding.fix


@pytest.mark.parametrize("case", ALL_CASES)
@pytest.mark.parametrize("safeties", [frozenset({"safe"}), BOTH], ids=["safe", "unsafe"])
def test_all_fixes_together_leave_nothing_to_fix(
    case: Case,
    safeties: frozenset[FixSafety],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = texts_of(case, tmp_path, monkeypatch)
    fixed = fix([case.main], Options(jobs=1), safeties)
    assert not fixed.refused
    assert not [f for f in fixed.result.findings if f.fix and f.fix.safety in safeties]
    after = {**texts, **fixed.after}
    found = [Counter(map(told, findings_of(one, case.main))) for one in (texts, after)]
    assert not found[1] - found[0]
    again = fix([case.main], Options(jobs=1, overlay=after), safeties)
    assert not again.after


def test_every_rule_that_offers_fixes_has_a_case_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    without = set()
    for rule in all_rules():
        if rule.info.fix == "none" or rule.info.category == "meta":
            continue
        found = False
        for case in cases(HERE / rule.info.category / f"{rule.info.name}.md"):
            texts = {name: text.encode() for name, text in case.files().items()}
            found = found or any(
                finding.fix and finding.name == rule.info.name
                for finding in findings_of(texts, case.main)
            )
        if not found:
            without.add(rule.info.name)
    assert not without


SHARED = """\
from flows import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


EDGES = [Edge("draft", "reveiw")]
one = Flow(nodes=[Node("draft", draft), Node("review", review)], edges=EDGES, entry="draft")
two = Flow(nodes=[Node("draft", draft), Node("{name}", review)], edges=EDGES, entry="draft")
"""


@pytest.mark.parametrize(("name", "is_fixed"), [("reveiw", False), ("review", True)])
def test_what_another_flow_needs_as_it_is_stays(name: str, is_fixed: bool) -> None:
    texts = {MAIN: SHARED.replace("{name}", name).encode()}
    dangling = [found for found in findings_of(texts) if found.name == "dangling-edge"]
    assert dangling
    assert all((found.fix is not None) == is_fixed for found in dangling)


PER_CALL = """\
from flows import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


def build(name):
    return Flow(
        nodes=[Node("draft", draft), Node(name, review)],
        edges=[Edge("draft", "reveiw")],
        entry="draft",
    )


build("review")
build("{name}")
"""


@pytest.mark.parametrize(("name", "is_fixed"), [("reveiw", False), ("review", True)])
def test_what_another_call_needs_as_it_is_stays(name: str, is_fixed: bool) -> None:
    texts = {MAIN: PER_CALL.replace("{name}", name).encode()}
    dangling = [found for found in findings_of(texts) if found.name == "dangling-edge"]
    assert dangling
    assert all((found.fix is not None) == is_fixed for found in dangling)
