"""`flowlint check --watch`: the real program beside somebody who edits, renames and removes."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD
from support import PROGRAM, RunFlowlint, run_flowlint
from watching_process import PATIENCE, watching

pytest.importorskip("watchfiles", reason="watchfiles is not installed")

CLEAR = "\x1b[2J\x1b[H"


def save(path: Path, text: str) -> None:
    """Write as most editors do: beside the file, and then in its place."""
    draft = path.with_name(f"{path.name}.tmp")
    draft.write_text(text)
    os.replace(draft, path)


def bad_files(said: list[str]) -> list[str]:
    """The files in which there is a dangling edge."""
    return [line.partition(":")[0] for line in said if " FL105 " in line]


def check_same(said: list[str], folder: Path) -> None:
    """What is told of a change is what a run says that knows of none."""
    fresh = run_flowlint("check", "--output-format", "concise", "--no-cache", cwd=folder)
    assert said[1:] == fresh.out.splitlines()


def test_files_that_come_change_and_go(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(GOOD)
    with watching(tmp_path) as watch:
        assert watch.told() == ["No faults found: 1 flow in 1 file."]
        (tmp_path / "flow.py").write_text(DANGLING)
        said = watch.told()
        assert said[0] == "flow.py changed."
        assert bad_files(said) == ["flow.py"]
        check_same(said, tmp_path)
        save(tmp_path / "flow.py", GOOD)
        assert watch.told() == ["flow.py changed.", "No faults found: 1 flow in 1 file."]
        (tmp_path / "more.py").write_text(DANGLING)
        assert bad_files(watch.told()) == ["more.py"]
        (tmp_path / "more.py").rename(tmp_path / "other.py")
        said = watch.told()
        assert said[0] == "more.py and other.py changed."
        assert bad_files(said) == ["other.py"]
        (tmp_path / "other.py").unlink()
        assert watch.told() == ["other.py changed.", "No faults found: 1 flow in 1 file."]


def test_folders_that_come_change_and_go(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(GOOD)
    with watching(tmp_path) as watch:
        watch.told()
        watch.settle(tmp_path / "flow.py")
        (tmp_path / "new" / "inner").mkdir(parents=True)
        (tmp_path / "new" / "inner" / "flow.py").write_text(DANGLING)
        assert bad_files(watch.told()) == ["new/inner/flow.py"]
        (tmp_path / "new" / "inner" / "flow.py").write_text(GOOD)
        assert bad_files(watch.told()) == []
        (tmp_path / "new" / "inner" / "flow.py").write_text(DANGLING)
        assert bad_files(watch.told()) == ["new/inner/flow.py"]
        (tmp_path / "new").rename(tmp_path / "newer")
        assert bad_files(watch.told()) == ["newer/inner/flow.py"]
        (tmp_path / "newer" / "inner" / "flow.py").write_text(GOOD)
        said = watch.told()
        assert said[0] == "newer/inner/flow.py changed."
        check_same(said, tmp_path)


def test_what_is_left_out_is_passed_by(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("ignored*\n")
    (tmp_path / "flowlint.toml").write_text("extend-exclude = ['gen']\n")
    (tmp_path / "flow.py").write_text(GOOD)
    for folder in ("gen", "build", "ignored"):
        (tmp_path / folder).mkdir()
    with watching(tmp_path) as watch:
        watch.told()
        for name in ("gen/a.py", "build/a.py", "ignored/a.py", "ignored.py", "notes.txt"):
            (tmp_path / name).write_text(DANGLING)
        (tmp_path / "node_modules").mkdir()
        (tmp_path / "node_modules" / "a.py").write_text(DANGLING)
        (tmp_path / "flow.py").write_text(DANGLING)
        said = watch.told()
        assert said[0] == "flow.py changed."
        assert bad_files(said) == ["flow.py"]
        (tmp_path / ".gitignore").write_text("ignored/\n")
        said = watch.told()
        assert said[0].startswith(".gitignore and ignored.py changed.")
        assert bad_files(said) == ["flow.py", "ignored.py"]


def test_settings_that_change_break_and_are_mended(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "flow.py").write_text(DANGLING)
    shared = tmp_path / "shared.toml"
    (tmp_path / "app" / "flowlint.toml").write_text("output-format = 'concise'\n")
    with watching(tmp_path / "app", FLOWLINT_OUTPUT_FORMAT="") as watch:
        assert bad_files(watch.told()) == ["flow.py"]
        (tmp_path / "app" / "flowlint.toml").write_text("ignore = [")
        assert watch.told()[:2] == [
            "flowlint.toml changed.",
            "error: flowlint.toml: is not TOML: Invalid value",
        ]
        shared.write_text("ignore = ['FL105']\n")
        (tmp_path / "app" / "flowlint.toml").write_text(
            "extend = '../shared.toml'\noutput-format = 'concise'\n"
        )
        assert bad_files(watch.told()) == []
        shared.write_text("ignore = ['FL106']\n")
        said = watch.told()
        assert said[0].endswith("shared.toml changed.")
        assert bad_files(said) == ["flow.py"]
        (tmp_path / "app" / "flowlint.toml").write_text("output-format = 'sarif'\n")
        assert json.loads("\n".join(watch.told()[1:]))["runs"]


@pytest.mark.parametrize("mark", ["here/flows/pyproject.toml", ".git/HEAD", "nothing"])
def test_settings_that_come_in_folders_around_what_is_named(tmp_path: Path, mark: str) -> None:
    (tmp_path / "here" / "flows").mkdir(parents=True)
    (tmp_path / "here" / "flows" / "flow.py").write_text(DANGLING)
    (tmp_path / mark).parent.mkdir(exist_ok=True)
    (tmp_path / mark).write_text("")
    with watching(tmp_path / "here", "flows") as watch:
        assert bad_files(watch.told()) == ["flows/flow.py"]
        watch.settle(tmp_path / "here" / "flows" / "flow.py")
        outer = tmp_path if mark == ".git/HEAD" else tmp_path / "here"
        (outer / "flowlint.toml").write_text("ignore = ['FL105']\n")
        said = watch.told()
        assert said[0].endswith("flowlint.toml changed.")
        assert bad_files(said) == []


def test_settings_that_statistics_cannot_follow_are_told(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    with watching(tmp_path, "--statistics", FLOWLINT_OUTPUT_FORMAT="") as watch:
        watch.told()
        (tmp_path / "flowlint.toml").write_text("output-format = 'sarif'\n")
        assert "cannot show statistics" in watch.told()[1]
        (tmp_path / "flowlint.toml").unlink()
        assert "dangling-edge" in watch.told()[1]


def test_one_file_is_watched_with_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "flows").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "names.py").write_text('TARGET = "publish"\n')
    (tmp_path / "flows" / "flow.py").write_text(
        "from lib.names import TARGET\n"
        + GOOD.replace('"collect", "publish")', '"collect", TARGET)')
    )
    (tmp_path / "flows" / "other.py").write_text(DANGLING)
    with watching(tmp_path / "flows", "flow.py") as watch:
        assert watch.told() == ["No faults found: 1 flow in 1 file."]
        save(tmp_path / "lib" / "names.py", 'TARGET = "nobody"\n')
        assert " FL105 " in "\n".join(watch.told())
        save(tmp_path / "lib" / "names.py", 'TARGET = "publish"\n')
        assert watch.told()[1:] == ["No faults found: 1 flow in 1 file."]


def test_a_named_file_that_is_a_link_is_watched_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "real" / "flow.py").write_text(GOOD)
    (tmp_path / "here" / "flow.py").symlink_to("../real/flow.py")
    with watching(tmp_path / "here", "flow.py") as watch:
        watch.told()
        watch.settle(tmp_path / "real" / "flow.py")
        (tmp_path / "real" / "flow.py").write_text(DANGLING)
        assert bad_files(watch.told()) == ["flow.py"]


def test_what_it_writes_itself_is_no_change(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "flow.py").write_text(DANGLING)
    with watching(
        tmp_path, "--fix", "--output-file", "report.json", FLOWLINT_OUTPUT_FORMAT=""
    ) as watch:
        assert watch.told()[-1] == "Fixed 1 finding in 1 file."
        assert (tmp_path / "flow.py").read_text() == GOOD
        (tmp_path / "more.py").write_text(DANGLING)
        said = watch.told()
        assert said[0] == "more.py changed."
        assert said[-1] == "Fixed 1 finding in 1 file."
        (tmp_path / "more.py").unlink()
        assert watch.told()[0] == "more.py changed."
        assert json.loads((tmp_path / "report.json").read_text()) == []


def test_a_baseline_that_changes_is_gone_by(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    with watching(tmp_path, "--baseline", "known.json") as watch:
        assert "no such baseline" in "\n".join(watch.told())
        flowlint("check", "--baseline", "known.json", "--update-baseline")
        said = watch.told()
        assert said[0] == "known.json changed."
        assert bad_files(said) == []


def on_terminal(folder: Path, **env: str) -> str:
    """What a terminal gets: two checks with a change between them, ended by Ctrl-C."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "check", "--watch", "--color", "never"],
        cwd=folder,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, **env},
    )
    os.close(follower)
    said = b""
    for _ in range(2):
        before = said.count(b"Ctrl-C ends this.")
        while said.count(b"Ctrl-C ends this.") == before:
            said += os.read(leader, 1 << 16)
        (folder / "more.py").write_text(GOOD)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=PATIENCE) == 130
    os.close(leader)
    return said.decode().replace("\r\n", "\n")


def test_a_terminal_is_cleared_for_each_check(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(GOOD)
    said = on_terminal(tmp_path, TERM="xterm")
    _, first, second = said.split(CLEAR)
    assert first.startswith("No faults found: 1 flow in 1 file.\n")
    assert second.startswith("more.py changed.\nNo faults found: 2 flows in 2 files.\n")


def test_a_dumb_terminal_and_a_pipe_get_plain_lines(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(GOOD)
    assert "\x1b" not in on_terminal(tmp_path, TERM="dumb")
    with watching(tmp_path, TERM="xterm") as watch:
        assert "\x1b" not in "\n".join(watch.told())


def test_ctrl_c_ends_it_silently_as_it_does_other_runs(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    with watching(tmp_path) as watch:
        watch.told()
        assert watch.interrupted() == (130, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-"], "--watch and `-` do not go together"),
        (["--fix", "--diff"], "--watch and --diff do not go together"),
        (["--add-ignore"], "--watch and --add-ignore do not go together"),
        (["--baseline", "b", "--update-baseline"], "--watch and --update-baseline do not"),
        (["--baseline", "b", "--prune-baseline"], "--watch and --prune-baseline do not"),
        (["--show-settings"], "--watch and --show-settings do not go together"),
        (["--show-files"], "--watch and --show-files do not go together"),
        (["nowhere.py"], "--watch needs paths that are there, and nowhere.py is not"),
        (["-c", "selct=FL1"], "unknown setting `selct`"),
    ],
)
def test_what_cannot_be_watched_is_one_sentence(
    flowlint: RunFlowlint, tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    run = flowlint("check", "--watch", *arguments)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert said in run.err
    assert (tmp_path / "flow.py").read_text() == DANGLING


def test_settings_that_are_wrong_from_the_start_end_it(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    (tmp_path / "flowlint.toml").write_text("selct = []\n")
    run = flowlint("check", "--watch")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: flowlint.toml:1: unknown setting `selct`")


def test_without_the_package_the_cure_is_told(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "watchfiles.py").write_text("raise ImportError\n")
    (tmp_path / "flow.py").write_text(GOOD)
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path / "lib"), os.environ.get("PYTHONPATH", "")])}
    run = flowlint("check", "--watch", env=env)
    assert (run.code, run.out) == (2, "")
    cure = "--watch needs the package watchfiles: install it with `pip install 'flowls[watch]'`"
    assert run.err == f"error: {cure} (see `flowlint check --help`)\n"
    assert flowlint("check", env=env).code == 0
