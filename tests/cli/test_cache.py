"""What runs keep for the next ones, and `flowlint clean`."""

from __future__ import annotations

import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cache_tree import PLAIN, make_project
from flow_sources import DANGLING, GOOD
from support import RunFlowlint, run_flowlint

from flowlint.cache.records import read_record, write_record

NAME = ".flowlint_cache"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "flowlint.toml").write_text("")
    (tmp_path / "flow.py").write_text(DANGLING)
    return tmp_path


def answers(cache: Path) -> list[Path]:
    return sorted(cache.glob("v-*/answers/*.json"))


def test_a_second_run_says_what_the_first_did(flowlint: RunFlowlint, tmp_path: Path) -> None:
    make_project(tmp_path)
    first = flowlint("check")
    assert (tmp_path / NAME).is_dir()
    assert flowlint("check") == first
    assert flowlint("check", "--no-cache") == first


def test_answers_are_used(flowlint: RunFlowlint, project: Path) -> None:
    flowlint("check")
    (answer,) = answers(project / NAME)
    record = read_record(str(answer))
    text = json.dumps(record).replace("publihs", "planted")
    write_record(str(answer), json.loads(text))
    assert "`planted`" in flowlint("check").out
    assert "`planted`" not in flowlint("check", "--no-cache").out


def test_files_without_flows_are_not_read_again(flowlint: RunFlowlint, project: Path) -> None:
    for number in range(60):
        (project / f"plain_{number}.py").write_text(PLAIN)
    time.sleep(2.1)  # what was written a moment ago is not remembered
    flowlint("check")
    (plain,) = (project / NAME).glob("v-*/plain/*.json")
    paths, _ = read_record(str(plain))
    assert sorted(paths) == sorted(f"plain_{number}.py" for number in range(60))


def test_nothing_fresh_is_remembered(flowlint: RunFlowlint, project: Path) -> None:
    for number in range(60):
        (project / f"plain_{number}.py").write_text(PLAIN)
    flowlint("check")
    for plain in (project / NAME).glob("v-*/plain/*.json"):
        assert read_record(str(plain))[0] == []


def test_git_sees_nothing_of_it(flowlint: RunFlowlint, project: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    flowlint("check")
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=project, check=True, capture_output=True, text=True
    )
    assert "8a477f597d28d172789f06886806bc55" in (project / NAME / "CACHEDIR.TAG").read_text()
    assert NAME not in status.stdout


def test_what_is_no_project_is_not_littered(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    flowlint("check")
    assert os.listdir(tmp_path) == ["flow.py"]


def test_it_lies_in_the_project_of_what_is_checked(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "inner" / "src").mkdir(parents=True)
    (tmp_path / "inner" / "pyproject.toml").write_text("")
    (tmp_path / "inner" / "src" / "flow.py").write_text(DANGLING)
    flowlint("check", "inner/src/flow.py")
    assert len(answers(tmp_path / "inner" / NAME)) == 1


@pytest.mark.parametrize(
    ("arguments", "env"),
    [
        (("--no-cache",), {}),
        (("-n",), {}),
        ((), {"FLOWLINT_NO_CACHE": "1"}),
        (("-",), {}),
    ],
)
def test_runs_that_keep_nothing(
    project: Path, arguments: tuple[str, ...], env: dict[str, str]
) -> None:
    run_flowlint("check", *arguments, cwd=project, env=env)
    assert not (project / NAME).exists()


def test_where_it_is_to_be(flowlint: RunFlowlint, project: Path) -> None:
    flowlint("check", "--cache-dir", "by_option")
    run_flowlint("check", cwd=project, env={"FLOWLINT_CACHE_DIR": "by_environment"})
    (project / "flowlint.toml").write_text('cache-dir = "sub/by_setting"\n')
    flowlint("check", "flow.py")
    for name in ("by_option", "by_environment", "sub/by_setting"):
        assert len(answers(project / name)) == 1, name
    assert not (project / NAME).exists()


def test_a_place_that_cannot_be_one(flowlint: RunFlowlint, project: Path) -> None:
    plain = flowlint("check", "--no-cache")
    run = flowlint("check", "--cache-dir", "flow.py")
    assert run.code == plain.code == 1
    assert run.out == plain.out
    assert run.err.startswith(f"warning: {project / 'flow.py'}: cannot be used as a cache: ")
    assert (project / "flow.py").read_text() == DANGLING


@pytest.mark.parametrize(
    "damage",
    [b"", b"\n", b"not ours", b"\x80\x04cos\nsystem\n(S'touch evil'\ntR.", b"[" * 100_000],
)
def test_damaged_files_are_found_out_anew(
    flowlint: RunFlowlint, project: Path, damage: bytes
) -> None:
    first = flowlint("check")
    for file in (project / NAME).rglob("*.json"):
        file.write_bytes(damage)
    assert flowlint("check") == first
    assert flowlint("check") == first
    assert not (project / "evil").exists()


@pytest.mark.parametrize(
    "content",
    [
        None,
        1,
        [],
        {},
        [1, 2, 3, 4, 5, 6, 7],
        [".", {}, {}, {}, {}, [[]], []],
        [".", [], 1, {}, 0, 0, 0],
    ],
)
def test_well_kept_nonsense_is_found_out_anew(
    flowlint: RunFlowlint, project: Path, content: object
) -> None:
    first = flowlint("check")
    for file in (project / NAME).rglob("*.json"):
        write_record(str(file), content)
    assert flowlint("check") == first


def test_runs_at_once(flowlint: RunFlowlint, tmp_path: Path) -> None:
    make_project(tmp_path)
    alone = flowlint("check", "--no-cache")
    with ThreadPoolExecutor(6) as pool:
        runs = list(pool.map(lambda _: flowlint("check"), range(12)))
    assert {run.out for run in runs} == {alone.out}
    assert not list((tmp_path / NAME).rglob("*.tmp"))


def test_comments_are_looked_at_after_it(flowlint: RunFlowlint, project: Path) -> None:
    (project / "pyproject.toml").write_text("")
    flowlint("check")
    settings = ("-c", 'severity.dangling-edge="warning"')
    assert "warning[dangling-edge]" in flowlint("check", *settings).out
    assert flowlint("check", "--ignore", "dangling-edge").code == 0
    (project / "flow.py").write_text(f"# flowlint: ignore-file[FL105, FL301]\n{DANGLING}")
    first = flowlint("check")
    assert "FL903" in first.out and "FL105:" not in first.out
    assert flowlint("check") == first


def test_fixes_are_kept_whole(flowlint: RunFlowlint, project: Path) -> None:
    diff = flowlint("check", "--diff")
    assert flowlint("check", "--diff") == diff
    flowlint("check", "--fix")
    assert "publihs" not in (project / "flow.py").read_text()
    assert flowlint("check").code == 0


def test_clean_removes_the_caches_of_a_project(flowlint: RunFlowlint, project: Path) -> None:
    (project / "inner").mkdir()
    (project / "inner" / "pyproject.toml").write_text("")
    (project / "inner" / "flow.py").write_text(GOOD)
    flowlint("check")
    flowlint("check", "inner/flow.py")
    run = flowlint("clean")
    assert run.code == 0
    assert run.out.splitlines() == [f"Removed {NAME}", f"Removed inner/{NAME}"]
    assert not list(project.rglob("*.json"))
    assert not (project / NAME).exists()
    again = flowlint("clean")
    assert (again.code, again.out) == (0, "There is no cache here.\n")


def test_clean_removes_nothing_else(flowlint: RunFlowlint, project: Path) -> None:
    (project / ".gitignore").write_text("mine\n")
    flowlint("check", "--cache-dir", ".")
    assert len(answers(project)) == 1
    run = flowlint("clean", "--cache-dir", ".")
    assert run.code == 0
    assert sorted(os.listdir(project)) == [".gitignore", "flow.py", "flowlint.toml"]
    assert (project / ".gitignore").read_text() == "mine\n"
    assert flowlint("clean", "nowhere").code == 2


def test_clean_leaves_a_link_to_a_cache(flowlint: RunFlowlint, project: Path) -> None:
    (project / "elsewhere").mkdir()
    (project / NAME).symlink_to("elsewhere")
    flowlint("check")
    assert len(answers(project / "elsewhere")) == 1
    run = flowlint("clean")
    assert (run.code, run.out, run.err) == (0, f"Removed {NAME}\n", "")
    assert (project / NAME).is_symlink()
    assert os.listdir(project / "elsewhere") == []


def test_what_nobody_uses_is_dropped(flowlint: RunFlowlint, project: Path) -> None:
    flowlint("check")
    cache = project / NAME
    (answer,) = answers(cache)
    (own,) = cache.glob("v-*")
    old = time.time() - 40 * 24 * 3600
    left = answer.with_name("left.json")
    left.write_text("")
    other = cache / "v-other"
    other.mkdir()
    (other / "swept").write_text("")
    for path in (left, own / "swept", other / "swept"):
        os.utime(path, (old, old))
    flowlint("check")
    assert sorted(os.listdir(cache)) == [".gitignore", "CACHEDIR.TAG", own.name]
    assert answers(cache) == [answer]


def test_other_releases_of_what_reads_files_are_not_trusted(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    run_flowlint("check", cwd=project)
    shadow = tmp_path_factory.mktemp("shadow")
    (shadow / "PyYAML-0.0.1.dist-info").mkdir()
    run_flowlint("check", cwd=project, env={"PYTHONPATH": str(shadow)})
    assert len(list((project / NAME).glob("v-*"))) == 2
    run_flowlint("check", cwd=project)
    assert len(list((project / NAME).glob("v-*"))) == 2
