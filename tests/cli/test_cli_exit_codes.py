"""0 clean, 1 findings, 2 usage error, unreadable path, nothing to check or a fault of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD
from support import RunFlowlint


def test_a_correct_flow_is_clean(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    run = flowlint("check", "good.py")
    assert (run.code, run.err) == (0, "")
    assert run.out == "No faults found: 1 flow in 1 file.\n"


def test_findings_end_with_one(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    run = flowlint("check", "bad.py")
    assert (run.code, run.err) == (1, "")
    assert "dangling-edge" in run.out


def test_the_folder_itself_is_checked_when_no_path_is_named(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    run = flowlint("check", "--output-format", "concise")
    assert run.code == 1
    assert run.out.startswith("bad.py:")


def test_a_missing_path_is_named_and_the_rest_is_checked(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    run = flowlint("check", "nowhere", "bad.py")
    assert run.code == 2
    assert run.err == "error: nowhere: no such file or folder\n"
    assert "dangling-edge" in run.out


def test_nothing_to_check(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("StateGraph")
    run = flowlint("check", ".")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: nothing to check")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_named_and_the_rest_is_checked(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    locked = tmp_path / "locked.py"
    locked.write_text(GOOD)
    locked.chmod(0)
    run = flowlint("check", ".")
    assert run.code == 2
    assert run.err.startswith("error: locked.py: cannot be read")
    assert "dangling-edge" in run.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chekc"], "No such command 'chekc'"),
        (["check", "--nope"], "No such option '--nope'"),
        (["check", "-j", "0"], "'-j'"),
        (["check", "--output-format", "xml"], "'xml'"),
        (["check", "--select", "dangling-egde"], "did you mean `dangling-edge`?"),
        (["check", "--ignore", "FL999"], "unknown rule `FL999`"),
        (["check", "--select", ""], "--select names no rule"),
        (["check", "--select", "FL105", "--select", " , "], "--select names no rule"),
        (["check", "--ignore", ","], "--ignore names no rule"),
        (["rule", "dangling-egde"], "did you mean `dangling-edge`?"),
    ],
)
def test_wrong_usage_is_one_sentence(
    flowlint: RunFlowlint, arguments: list[str], said: str
) -> None:
    run = flowlint(*arguments)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: ")
    assert said in run.err
    assert run.err.count("\n") == 1


def test_version_and_help(flowlint: RunFlowlint) -> None:
    assert flowlint("--version").out.startswith("flowlint ")
    run = flowlint("--help")
    assert run.code == 0
    assert all(command in run.out for command in ("check", "graph", "rule"))


def test_without_a_command_the_help_is_shown(flowlint: RunFlowlint) -> None:
    run = flowlint()
    assert run.code == 2
    assert "Usage: flowlint" in run.out + run.err
