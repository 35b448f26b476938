"""Streams that are closed or full: one sentence where somebody can read it, never a traceback."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD
from support import PROGRAM, Run

COMMANDS = [
    "check good.py",
    "check bad.py",
    "check bad.py --format json",
    "graph good.py",
    "graph good.py --format mermaid",
    "rule",
    "rule FL301",
    "--help",
    "--version",
    "check --help",
]

HAS_FULL = Path("/dev/full").exists()
FULL_DISK = ["2> /dev/full"] if HAS_FULL else []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "bad.py").write_text(DANGLING)
    return tmp_path


def shell(command: str, redirection: str, folder: Path) -> Run:
    done = subprocess.run(
        f'"{PROGRAM}" {command} {redirection}',
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("command", COMMANDS)
def test_closed_output_is_told(folder: Path, command: str) -> None:
    told = Run(2, "", "error: standard output is closed\n")
    assert shell(command, ">&-", folder) == told
    assert shell(command, "<&- >&-", folder) == told
    assert shell(command, ">&- 2>&-", folder) == Run(2, "", "")


@pytest.mark.skipif(not HAS_FULL, reason="needs a disk that is always full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_told(folder: Path, command: str) -> None:
    told = "error: the output cannot be written: No space left on device\n"
    assert shell(command, "> /dev/full", folder) == Run(2, "", told)
    assert shell(command, "> /dev/full 2> /dev/full", folder) == Run(2, "", "")


@pytest.mark.parametrize(
    ("command", "code"),
    [("check good.py", 0), ("check bad.py", 1), ("check nowhere", 2), ("check --nope", 2), ("", 2)],
)
def test_errors_that_nobody_can_read_keep_the_exit_code(
    folder: Path, command: str, code: int
) -> None:
    for redirection in ("2>&-", "0<&- 2>&-", *FULL_DISK):
        assert shell(command, redirection, folder).code == code


def test_a_reader_that_has_seen_enough_is_no_failure(folder: Path) -> None:
    script = f'set -o pipefail; "{PROGRAM}" rule --all --output-format json | head -n 1'
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[\n", "")


def test_a_reader_that_has_gone_ends_it_silently(folder: Path) -> None:
    for command in ("rule", "check . --format json", "--help"):
        assert shell(command, "| true", folder) == Run(0, "", "")
