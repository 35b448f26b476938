"""All cases of all rules as one project: the same is found cold, warm, and by many processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_cases import cases

from flowlint.check import CheckResult, Options, check

HERE = Path(__file__).parent


def told(result: CheckResult) -> tuple[object, ...]:
    return result.findings, result.flows, result.checked, result.problems, result.settled


def test_cold_is_warm_is_spread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = []
    for path in sorted(HERE.glob("*/*.md")):
        for case in cases(path):
            folders.append(f"{path.stem}_{case.line}")
            for name, text in {"flowlint.toml": "", **case.files()}.items():
                file = tmp_path / folders[-1] / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
    monkeypatch.chdir(tmp_path)
    cache = str(tmp_path / "cache")
    cold = told(check(folders, Options(jobs=1)))
    assert len(folders) > 250
    assert told(check(folders, Options(jobs=3))) == cold
    assert told(check(folders[::-1], Options(jobs=2, cache=cache))) == cold
    assert told(check(folders, Options(jobs=1, cache=cache))) == cold
    assert told(check(folders[::-1], Options(jobs=3, cache=cache))) == cold
