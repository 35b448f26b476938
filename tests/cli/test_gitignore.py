"""What git ignores is left out, as git itself reads it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from flow_sources import DANGLING
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import RunFlowlint

from flowlint.project.discovery import discover
from flowlint.project.patterns import Patterns
from flowlint.project.settings.finding import Configuration

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

PATHS = [
    *(
        f"{x}/{y}/{z}"
        for x in ("d", "a1", "b1")
        for y in ("a1", "bb", "d")
        for z in ("a.py", "b.py")
    ),
    "a.py",
    "b.py",
    "bb/a.py",
]
PIECES = ["a", "b", "*", "**", "?", "[ab]", "[!a]", "[b-d]", "/", "a1", "\\a", "a.py", "*.py", "d"]


def git(folder: Path, *arguments: str) -> list[str]:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["git", "-C", folder, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return done.stdout.splitlines()


def make(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("")


def ours(folder: Path, inner: str = "") -> set[str]:
    """The files that are taken of a repository, or of a folder in it."""
    found = discover([str(folder / inner)], Configuration(isolated=True)).files
    return {Path(file).relative_to(folder).as_posix() for file in found}


def theirs(folder: Path) -> set[str]:
    listed = git(folder, "ls-files", "--others", "--exclude-standard")
    return {path for path in listed if path.endswith(".py")}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q")
    make(folder, *PATHS)
    return folder


def lines(least: int) -> st.SearchStrategy[list[str]]:
    body = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)
    line = st.tuples(st.sampled_from(["", "", "!"]), body).map("".join)
    return st.lists(line, min_size=least, max_size=4)


def is_odd(line: str) -> bool:
    """Whether git reads stars in a way that it documents nowhere."""
    return any("**" in part and part != "**" for part in line.lstrip("!").split("/"))


@settings(deadline=None, max_examples=150)
@given(lines(1), lines(0))
@example(["*", "!*/", "!*.py"], [])
@example(["/*.py"], [])
@example(["*.py", "!a.py"], ["*.py"])
@example(["bb/"], ["!a.py"])
@example(["/*", "!/d"], ["b*"])
def test_files_are_those_that_git_sees(repository: Path, top: list[str], inner: list[str]) -> None:
    if any(is_odd(line) for line in (*top, *inner)):
        return
    (repository / ".gitignore").write_text("\n".join(top) + "\n")
    (repository / "d" / ".gitignore").write_text("\n".join(inner) + "\n")
    expected = theirs(repository)
    assert ours(repository) == expected
    is_shut = subprocess.run(["git", "-C", repository, "check-ignore", "-q", "d"], check=False)
    if is_shut.returncode:
        assert ours(repository, "d") == {path for path in expected if path.startswith("d/")}


def test_what_a_repository_keeps_to_itself_counts(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "a.py", "b/c.py", "b/d.py")
    (tmp_path / ".git" / "info" / "exclude").write_text("c.py\n")
    assert ours(tmp_path) == theirs(tmp_path) == {"a.py", "b/d.py"}


def test_a_repository_within_another_is_its_own(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "a.py", "inner/a.py", "inner/b.py")
    git(tmp_path / "inner", "init", "-q")
    (tmp_path / ".gitignore").write_text("a.py\n")
    (tmp_path / "inner" / ".gitignore").write_text("b.py\n")
    assert ours(tmp_path) == {"inner/a.py"}
    assert ours(tmp_path, "inner") == {"inner/a.py"}


def test_it_counts_without_a_repository_from_the_named_folder_on(tmp_path: Path) -> None:
    make(tmp_path, "x/a.py", "x/b.py")
    (tmp_path / ".gitignore").write_text("a.py\n")
    (tmp_path / "x" / ".gitignore").write_text("b.py\n")
    assert ours(tmp_path) == set()
    assert ours(tmp_path, "x") == {"x/a.py"}


def test_spaces_comments_and_bytes() -> None:
    patterns = Patterns(["# a", "\\#b", "c  ", "d\\ ", "\t", "", "[", "[]x]", "\\!e", "\udcff"])
    fitting = ["#b", "c", "d ", "]", "x", "!e", "\udcff"]
    assert [name for name in fitting if patterns.decide("", name)] == fitting
    assert [name for name in ("# a", "a", "d", "[", "e") if patterns.decide("", name)] == []


def test_named_files_are_taken_and_hooks_can_leave_them_out(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "gen/x.py")
    (tmp_path / "gen" / "bad.py").write_text(DANGLING)
    (tmp_path / ".gitignore").write_text("gen/\n")
    assert flowlint("check").code == 2
    assert flowlint("check", "gen/bad.py").code == 1
    assert flowlint("check", "gen").code == 1
    assert flowlint("check", "gen/bad.py", "--force-exclude").code == 0
    assert flowlint("check", "--no-respect-gitignore").code == 1
    assert flowlint("check", "gen/bad.py", "--force-exclude", "--no-respect-gitignore").code == 1
    (tmp_path / "flowlint.toml").write_text("respect-gitignore = false\n")
    assert flowlint("check").code == 1
