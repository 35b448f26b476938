"""Standard input, progress, times, completion and first settings."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD, LANGGRAPH
from support import PROGRAM, Run, RunFlowlint


def piped(folder: Path, text: str, *arguments: str) -> Run:
    done = subprocess.run(
        [PROGRAM, "check", *arguments],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr)


def test_standard_input_is_checked_under_its_name(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "flowlint.toml").write_text("output-format = 'concise'\n")
    (tmp_path / "app" / "flow.py").write_text(GOOD)
    run = piped(tmp_path, DANGLING, "-", "--stdin-filename", "app/flow.py")
    assert run.code == 1
    assert run.out.startswith("app/flow.py:15:")
    assert piped(tmp_path, GOOD, "-", "--stdin-filename", "app/new.py").code == 0
    run = piped(tmp_path, DANGLING, "-")
    assert run.code == 1
    assert 'edges=[Edge("collect", "publihs")]' in run.out


def test_standard_input_can_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "flowlint.toml").write_text("extend-exclude = ['gen']\n")
    arguments = ["-", "--stdin-filename", "gen/flow.py"]
    assert piped(tmp_path, DANGLING, *arguments).code == 1
    assert piped(tmp_path, DANGLING, *arguments, "--force-exclude") == Run(0, "", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "a.py"], "`-` has to be the only path"),
        (["--stdin-filename", "a.py"], "--stdin-filename needs `-`"),
    ],
)
def test_wrong_use_of_standard_input(tmp_path: Path, arguments: list[str], said: str) -> None:
    run = piped(tmp_path, "", *arguments)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert said in run.err


def test_times_are_told_on_stderr_and_change_nothing(flowlint: RunFlowlint, tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"flow{number}.py").write_text(DANGLING)
    for jobs in ("1", "3"):
        plain = flowlint("check", "-j", jobs)
        run = flowlint("check", "-j", jobs, "--verbose")
        assert (run.code, run.out) == (plain.code, plain.out)
        told = run.err.removeprefix(plain.err)
        words = [line.split("  ")[0] for line in run.err.splitlines()]
        assert {"phase", "finding files", "reading", "analysing", "gathering"} <= {*words}
        assert "dangling-edge" in told
        assert "  6\n" in told


SLOW = """
import sys, time
import flowlint.pipeline as pipeline
analyse = pipeline.analyse_file
def slow(*arguments, **named):
    time.sleep(0.4)
    return analyse(*arguments, **named)
pipeline.analyse_file = slow
from flowlint.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def slowly(folder: Path, *, on_terminal: bool) -> tuple[int, str]:
    """Run a check that takes more than a second; its exit code and what it says on stderr."""

    leader, follower = pty.openpty() if on_terminal else os.pipe()
    done = subprocess.run(
        [sys.executable, "-c", SLOW, "check", "-j", "1", "--format", "concise"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=follower,
        env={**os.environ, "TERM": "xterm"},
        check=False,
    )
    os.close(follower)
    try:
        said = os.read(leader, 1 << 16).decode()
    except OSError:
        said = ""
    os.close(leader)
    return done.returncode, said


def test_long_runs_show_how_far_they_are_on_terminals_only(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"flow{number}.py").write_text(GOOD)
    code, said = slowly(tmp_path, on_terminal=True)
    assert code == 0
    assert "of 5 files that may hold flows" in said
    assert said.endswith("\r\x1b[K")
    assert slowly(tmp_path, on_terminal=False) == (0, "")


def test_shells_complete_commands_and_options(flowlint: RunFlowlint, tmp_path: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        run = flowlint("completion", shell)
        assert (run.code, run.err) == (0, "")
        assert "_FLOWLINT_COMPLETE" in run.out
    assert flowlint("completion", "tcsh").code == 2
    run = flowlint("completion")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "Choose from: bash, zsh, fish (see `flowlint completion --help`)" in run.err
    (tmp_path / "complete.bash").write_text(flowlint("completion", "bash").out)
    script = (
        f'PATH="{PROGRAM.parent}:$PATH"; source complete.bash;'
        "COMP_WORDS=(flowlint check --show-s); COMP_CWORD=2; _flowlint_completion flowlint;"
        'echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["--show-settings"]


def test_first_settings_come_from_what_is_there(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "lang.py").write_text(LANGGRAPH)
    run = flowlint("init")
    assert (run.code, run.out) == (0, "Wrote flowlint.toml: 2 flows found in 2 files.\n")
    text = (tmp_path / "flowlint.toml").read_text()
    assert "# Found here: 1 flow of hydraflow, 1 flow of langgraph." in text
    assert tomllib.loads(text)["select"] == ["all"]
    assert flowlint("check").code == 0
    again = flowlint("init")
    assert (again.code, again.out) == (2, "")
    assert again.err == "error: flowlint.toml states settings already: change them there\n"
    assert (tmp_path / "flowlint.toml").read_text() == text


def test_milder_rules_with_many_findings_are_left_for_later(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    unknown = "def build(nodes):\n    return Flow(nodes=nodes, edges=[], entry='a')\n"
    for number in range(12):
        (tmp_path / f"flow{number}.py").write_text(f"from flows import Edge, Flow\n\n\n{unknown}")
    before = json.loads(flowlint("check", "--format", "json").out)
    assert len(before) == 12
    assert flowlint("init").code == 0
    assert '"unresolved-flow",  # 12 findings' in (tmp_path / "flowlint.toml").read_text()
    assert json.loads(flowlint("check", "--format", "json").out) == []


def test_settings_in_pyproject_are_seen(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'flowlint-user'\n")
    assert flowlint("init").code == 0
    (tmp_path / "flowlint.toml").unlink()
    (tmp_path / "pyproject.toml").write_text("[tool.flowlint]\n")
    assert flowlint("init").err.startswith("error: pyproject.toml states settings already")
    assert not (tmp_path / "flowlint.toml").exists()
