"""The faults of users of AgentsFlow in the files beside this one, and the rules that tell them."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_cases import Case, cases

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

CASES = [
    case
    for name in (
        "agentsflow-faults.md",
        "agentsflow-crews.md",
        "agentsflow-runs.md",
        "agentsflow-plans.md",
        "agentsflow-editor.md",
    )
    for case in cases(Path(__file__).with_name(name))
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_faults_are_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / case.main).write_text(case.code)
    findings = analyse_file(case.main, ProjectFiles(), str(tmp_path)).findings
    found = [(f.span.path, f.span.line, f.severity, f.name) for f in findings]
    assert sorted(found) == case.expected(), "\n".join(finding.message for finding in findings)
