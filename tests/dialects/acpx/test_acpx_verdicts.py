"""What acpx accepts and refuses, and what is found in the same modules."""

from __future__ import annotations

from pathlib import Path

import pytest
from acpx_real import verdicts
from acpx_verdicts import VERDICTS, Verdict

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles


@pytest.mark.parametrize("case", VERDICTS, ids=lambda case: case.title)
def test_errors(case: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.flow.ts").write_text(case.source)
    result = analyse_file("a.flow.ts", ProjectFiles(), str(tmp_path))
    errors = tuple(found.name for found in result.findings if found.severity == "error")
    assert errors == case.errors, [found.message for found in result.findings]


def test_every_refusal_is_an_error() -> None:
    assert [case.title for case in VERDICTS if case.refused is not None and not case.errors] == []


def test_the_real_validator_agrees(tmp_path: Path) -> None:
    told = verdicts([case.source for case in VERDICTS], tmp_path)
    for case, message in zip(VERDICTS, told, strict=True):
        if case.refused is None:
            assert message is None, case.title
        else:
            assert message is not None, case.title
            assert case.refused in message, case.title
