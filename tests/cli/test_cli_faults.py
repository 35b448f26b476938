"""Faults of flowlint itself and of the machine: told in one place, never as a traceback."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD
from support import RunFlowlint

import flowlint.analysis
from flowlint.cli.main import main
from flowlint.pipeline import FileResult
from flowlint.project.workers import spread
from flowlint.source import Files


def analyse_badly(path: str, files: Files, root: str, *_: object, **__: object) -> FileResult:
    if "raise" in path:
        raise RecursionError("too deep")
    if "die" in path:
        os.kill(os.getpid(), signal.SIGKILL)
    return FileResult(path)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number in range(8):
        (tmp_path / f"flow{number}.py").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(flowlint.analysis, "analyse_file", analyse_badly)
    return tmp_path


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_fault_in_one_file_leaves_the_others(
    tree: Path, capfd: pytest.CaptureFixture[str], jobs: str
) -> None:
    (tree / "raise.py").write_text(GOOD)
    assert main(["check", "--format", "concise", "-j", jobs]) == 2
    out, err = capfd.readouterr()
    assert err == ""
    first, last = out.splitlines()
    assert first == (
        "raise.py:1:1: FL906 [internal-error] error: "
        "flowlint failed on this file: RecursionError: too deep"
    )
    assert last == "Found 1 error in 0 flows (9 files checked)."


def test_a_process_that_dies_is_told(tree: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("die.py", "die_too.py"):
        (tree / name).write_text(GOOD)
    assert main(["check", "--format", "concise", "-j", "2"]) == 2
    out, err = capfd.readouterr()
    assert err == ""
    assert "die.py:1:1: FL906 [internal-error]" in out
    assert "die_too.py:1:1: FL906 [internal-error]" in out
    assert "the process that checked this file was killed" in out
    assert "flow1.py" not in out


def test_an_interrupt_is_silent(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> FileResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(flowlint.analysis, "analyse_file", interrupt)
    assert main(["check", "-j", "1"]) == 130
    out, err = capfd.readouterr()
    assert (out, err.strip()) == ("", "")


@pytest.mark.skipif(not Path("/proc/self/mem").is_file(), reason="needs a file that fails to read")
def test_a_file_that_fails_to_read_is_named_and_the_rest_is_checked(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    run = flowlint("check", "/proc/self/mem", "bad.py")
    assert run.code == 2
    assert run.err == "error: /proc/self/mem: cannot be read: Input/output error\n"
    assert "(1 file checked)" in run.out


def test_spread_gives_every_result_once_however_large() -> None:
    sizes = [0, 1, 70_000, 3, 2_000_000, 5]
    results = dict(spread(len(sizes), lambda task: b"x" * sizes[task], 3))
    assert [len(results[task]) for task in range(len(sizes))] == sizes


def test_spread_ends_its_processes_when_nobody_listens() -> None:
    results = spread(1000, lambda task: b"x" * 100_000, 2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
