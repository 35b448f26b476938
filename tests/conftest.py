"""What all tests share."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support import Run, RunFlowlint, run_flowlint

# What services of continuous integration set would choose formats and roots for the programs.
for _name in (
    "CI_PROJECT_DIR",
    "FLOWLINT_DOCS_URL",
    "FLOWLINT_OUTPUT_FORMAT",
    "FORCE_COLOR",
    "GITHUB_ACTIONS",
    "GITHUB_WORKSPACE",
    "GITLAB_CI",
    "NO_COLOR",
):
    os.environ.pop(_name, None)

# How long an example takes tells how busy the machine is.
settings.register_profile(
    "without a clock", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("without a clock")


@pytest.fixture
def flowlint(tmp_path: Path) -> RunFlowlint:
    """Run `flowlint` as a user does, in the test's own folder."""
    return partial(run_flowlint, cwd=tmp_path)


@pytest.fixture
def flowlint_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> RunFlowlint:
    """Run `flowlint` in the test's own folder, within the process of the test."""
    from flowlint.cli.main import main

    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Run:
        code = main(arguments)
        told = capsys.readouterr()
        return Run(code, told.out, told.err)

    return run
