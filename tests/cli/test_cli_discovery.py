"""Which files a run takes, and that neither order nor processes change what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD, LANGGRAPH
from support import RunFlowlint

from flowlint.project.discovery import discover
from flowlint.project.root import Roots


def test_walks_into_everything_but_excluded_folders(tmp_path: Path) -> None:
    for name in (
        "a.py",
        "pkg/b.py",
        "pkg/c.ipynb",
        "pkg/d.pyi",
        "pkg/e.txt",
        ".git/x.py",
        ".venv/x.py",
        "node_modules/x/y.py",
        "pkg/__pycache__/x.py",
        "lib/site-packages/x.py",
        "build/x.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    environment = tmp_path / "my environment"
    environment.mkdir()
    (environment / "pyvenv.cfg").write_text("")
    (environment / "x.py").write_text("")
    found = discover([str(tmp_path)])
    names = sorted(Path(file).relative_to(tmp_path).as_posix() for file in found.files)
    assert names == ["a.py", "pkg/b.py", "pkg/c.ipynb"]
    assert found.problems == ()


def test_a_named_path_is_always_taken_and_only_once(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    script = tmp_path / "build" / "script"
    script.write_text("")
    named = str(script)
    again = str(tmp_path / "build" / ".." / "build" / "script")
    assert discover([named, again]).files == (named,)
    (tmp_path / "build" / "x.py").write_text("")
    assert len(discover([str(tmp_path / "build")]).files) == 1


def test_links_are_not_followed_but_named_links_are(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.py").write_text("")
    (tree / "loop").symlink_to(tree)
    (tree / "dead.py").symlink_to(tree / "nowhere.py")
    (tmp_path / "named").symlink_to(tree)
    assert len(discover([str(tree)]).files) == 1
    assert len(discover([str(tmp_path / "named")]).files) == 1
    assert discover([str(tree / "loop" / "a.py")]).files == (str(tree / "loop" / "a.py"),)


def test_what_is_no_file_is_a_problem(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "dead.py").symlink_to(tmp_path / "nowhere.py")
    found = discover([str(tmp_path / "pipe.py"), str(tmp_path / "dead.py")])
    assert found.files == ()
    assert [problem.message for problem in found.problems] == [
        "is neither a file nor a folder",
        "is a link to nowhere",
    ]
    assert discover([str(tmp_path)]).files == ()


def test_links_in_a_loop_are_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "a.py").symlink_to("b.py")
    (tmp_path / "b.py").symlink_to("a.py")
    (problem,) = discover([str(tmp_path / "a.py")]).problems
    assert problem.message == "is one of several links that lead to each other in a loop"


def test_deep_trees(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["d"] * 300)
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("")
    assert len(discover([str(tmp_path)]).files) == 1


def test_the_root_is_the_nearest_parent_that_is_marked(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    roots = Roots()
    assert roots.of(str(inner / "x.py")) == str(tmp_path)
    (tmp_path / "a" / ".git").mkdir()
    assert Roots().of(str(inner / "x.py")) == str(tmp_path / "a")


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A tree large enough to be spread over processes."""
    tree = tmp_path / "tree"
    for number in range(600):
        path = tree / f"pkg{number % 7}" / f"m{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    for number in range(12):
        (tree / f"pkg{number % 5}" / f"flow{number}.py").write_text(DANGLING)
        (tree / f"pkg{number % 3}" / f"lang{number}.py").write_text(LANGGRAPH)
    return tree


def test_processes_do_not_change_the_output(flowlint: RunFlowlint, many: Path) -> None:
    for command in (["check"], ["check", "--format", "json"], ["graph"]):
        runs = {flowlint(*command, str(many), "-j", jobs) for jobs in ("1", "2", "5")}
        assert len(runs) == 1
        assert runs.pop().out.count("\n") > 12


def test_order_of_paths_does_not_change_the_findings(flowlint: RunFlowlint, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.py").write_text(DANGLING)
    forth = flowlint("check", "a.py", "b.py", "c.py", "--format", "json")
    back = flowlint("check", "c.py", "b.py", "a.py", ".", "--format", "json")
    assert json.loads(forth.out) == json.loads(back.out)
    assert len(json.loads(forth.out)) == 3


def loaded(arguments: list[str], cwd: Path) -> set[str]:
    """The modules that a run has imported when it ends."""
    code = (
        "import sys; from flowlint.cli.main import main; main(sys.argv[1:]);"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


def test_a_tree_without_flows_imports_nothing_dear(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("x = 1\n")
    modules = loaded(["check", "."], tmp_path)
    dear = {"libcst", "networkx", "pydantic", "json", "subprocess", "multiprocessing"}
    assert not modules & dear
    below = ("flowlint.languages", "flowlint.rules", "flowlint.values", "flowlint.pipeline")
    assert not [name for name in modules if name.startswith(below)]
    assert {name for name in modules if name.startswith("flowlint.dialects")} == {
        "flowlint.dialects",
        "flowlint.dialects.needles",
    }


def test_a_tree_with_flows_needs_no_graph_library(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    modules = loaded(["check", "."], tmp_path)
    assert not modules & {"networkx", "pydantic"}
