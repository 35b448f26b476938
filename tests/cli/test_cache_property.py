"""Cold and warm runs find the same, after any edit, in any order, in any number of processes."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from cache_tree import EDITS, make_edit, make_project
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from flowlint.check import CheckResult, Options, check

FOLDERS = (".", "hydraflow", "langgraph", "flowrt", "parts", "pinned.py", "imports_parts.py")

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""Shrinking would take minutes."""


def told(result: CheckResult) -> tuple[object, ...]:
    return result.findings, result.flows, result.checked, result.problems, result.settled


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files be remembered at once: the edits here are further apart than ticks of the clock."""
    monkeypatch.setattr("flowlint.cache.plain.REST", 0)


@given(
    rounds=st.lists(
        st.tuples(
            st.lists(st.sampled_from(sorted(EDITS)), max_size=3),
            st.permutations(FOLDERS),
            st.sampled_from((1, 2, 4)),
        ),
        min_size=1,
        max_size=4,
    )
)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_warm_is_cold(rounds: list[tuple[list[str], list[str], int]]) -> None:
    here = Path.cwd()
    with TemporaryDirectory() as name:
        folder = Path(name)
        make_project(folder)
        os.chdir(folder)
        try:
            for edits, order, jobs in rounds:
                for edit in edits:
                    make_edit(folder, edit)
                cache = str(folder / "cache")
                for asked in (order, ["."]):
                    cold = told(check(asked, Options(jobs=1)))
                    assert told(check(asked, Options(jobs=jobs, cache=cache))) == cold
                    assert told(check(asked, Options(jobs=jobs, cache=cache))) == cold
        finally:
            os.chdir(here)


@pytest.mark.parametrize("edit", sorted(EDITS))
def test_after_each_edit(edit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    cache = str(tmp_path / "cache")
    check(["."], Options(jobs=1, cache=cache))
    make_edit(tmp_path, edit)
    warm = check(["."], Options(jobs=1, cache=cache))
    assert told(warm) == told(check(["."], Options(jobs=1)))
