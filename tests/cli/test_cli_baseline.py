"""`flowlint check --baseline`: only what is new is told."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD
from support import PROGRAM, RunFlowlint

ENTRY = {"path": "flow.py", "rule": "dangling-edge", "flow": "build", "node": "collect", "count": 1}
OTHER = GOOD.replace('entry="collect"', 'entry="colect"')


@pytest.fixture
def recorded(flowlint: RunFlowlint, tmp_path: Path) -> Path:
    """A folder with one flow whose finding is recorded."""
    (tmp_path / "flow.py").write_text(DANGLING)
    run = flowlint("check", "--baseline", "known.json", "--update-baseline")
    assert (run.code, run.err) == (0, "Recorded 1 finding in known.json.\n")
    return tmp_path / "known.json"


def entries(path: Path) -> list[dict[str, object]]:
    data = json.loads(path.read_text())
    assert data["schema"] == "flowlint.baseline/1"
    found: list[dict[str, object]] = data["findings"]
    return found


def test_what_is_recorded_is_not_told(flowlint: RunFlowlint, recorded: Path) -> None:
    assert entries(recorded) == [ENTRY]
    run = flowlint("check", "--baseline", "known.json", "--format", "json")
    assert (run.code, json.loads(run.out)) == (0, [])
    assert run.err == "1 more finding is recorded in known.json.\n"


def test_what_is_new_is_told(flowlint: RunFlowlint, recorded: Path, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(OTHER)
    run = flowlint("check", "--baseline", "known.json", "--format", "json")
    assert run.code == 1
    assert [found["name"] for found in json.loads(run.out)] == ["unknown-entry"]


def test_lines_do_not_matter(flowlint: RunFlowlint, recorded: Path, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text("import os\n\n\n" + DANGLING)
    assert flowlint("check", "--baseline", "known.json").code == 0


def test_more_of_the_same_is_told(flowlint: RunFlowlint, recorded: Path, tmp_path: Path) -> None:
    more = DANGLING.replace("edges=[", 'edges=[Edge("collect", "nowhere"), ')
    (tmp_path / "flow.py").write_text(more)
    run = flowlint("check", "--baseline", "known.json", "--format", "json", "--select", "FL105")
    assert run.code == 1
    assert len(json.loads(run.out)) == 2


def test_paths_are_those_from_the_folder_of_the_baseline(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "flow.py").write_text(DANGLING)
    flowlint("check", "--baseline", "ci/known.json", "--update-baseline")
    assert [entry["path"] for entry in entries(tmp_path / "ci" / "known.json")] == [
        "../src/flow.py"
    ]
    run = flowlint("check", str(tmp_path / "src"), "--baseline", str(tmp_path / "ci/known.json"))
    assert run.code == 0


def test_what_is_gone_fails_the_run_until_it_is_taken_out(
    flowlint: RunFlowlint, recorded: Path, tmp_path: Path
) -> None:
    (tmp_path / "flow.py").write_text(GOOD)
    before = recorded.read_text()
    run = flowlint("check", "--baseline", "known.json")
    assert run.code == 1
    assert run.err == (
        "error: known.json records what is no longer there: "
        "flow.py: dangling-edge at `collect` in `build`\n"
        "Run the same with --prune-baseline to take this out of the baseline.\n"
    )
    assert flowlint("check", "--baseline", "known.json", "--allow-stale-baseline").code == 0
    assert flowlint("check", "--baseline", "known.json", "--exit-zero").code == 0
    assert recorded.read_text() == before
    run = flowlint("check", "--baseline", "known.json", "--prune-baseline")
    assert (run.code, run.err) == (0, "Took 1 finding out of known.json: no longer there.\n")
    assert entries(recorded) == []
    assert flowlint("check", "--baseline", "known.json").code == 0


def test_pruning_records_nothing_new(flowlint: RunFlowlint, recorded: Path, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(OTHER)
    run = flowlint("check", "--baseline", "known.json", "--prune-baseline")
    assert run.code == 1
    assert entries(recorded) == []


@pytest.mark.parametrize("paths", [(), ("flow.py",)], ids=["all", "the file"])
def test_fixing_takes_out_what_it_fixed(
    flowlint: RunFlowlint, recorded: Path, tmp_path: Path, paths: tuple[str, ...]
) -> None:
    run = flowlint("check", "--baseline", "known.json", "--fix", *paths)
    assert (run.code, run.err) == (0, "Took 1 finding out of known.json: no longer there.\n")
    assert (tmp_path / "flow.py").read_text() == GOOD
    assert entries(recorded) == []


def test_fixing_takes_out_no_more_than_it_fixed(
    flowlint: RunFlowlint, recorded: Path, tmp_path: Path
) -> None:
    """The run sees one of two findings, as the function that builds them is called elsewhere."""
    recorded.write_text(recorded.read_text().replace('"count": 1', '"count": 2'))
    run = flowlint("check", "flow.py", "--baseline", "known.json", "--fix")
    assert run.code == 0
    assert entries(recorded) == [ENTRY]


def test_fixes_that_could_not_be_written_stay_recorded(tmp_path: Path) -> None:
    large = DANGLING + "# more\n" * 10_000
    (tmp_path / "flow.py").write_text(large)
    options = ["check", "--no-cache", "--baseline", "known.json"]
    subprocess.run([PROGRAM, *options, "--update-baseline"], cwd=tmp_path, check=True)
    run = subprocess.run(
        ["bash", "-c", 'ulimit -f 8; exec "$@"', "bash", PROGRAM, *options, "--fix"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "flow.py: cannot be written: File too large" in run.stderr
    assert "Fixed" not in run.stdout
    assert (tmp_path / "flow.py").read_text() == large
    assert entries(tmp_path / "known.json") == [ENTRY]


def test_counts_shrink(flowlint: RunFlowlint, tmp_path: Path) -> None:
    twice = DANGLING.replace("edges=[", 'edges=[Edge("collect", "nowhere"), ')
    (tmp_path / "flow.py").write_text(twice)
    select = ("--select", "FL105")
    flowlint("check", "--baseline", "known.json", "--update-baseline", *select)
    assert [entry["count"] for entry in entries(tmp_path / "known.json")] == [2]
    (tmp_path / "flow.py").write_text(DANGLING)
    run = flowlint("check", "--baseline", "known.json", *select)
    assert run.code == 1
    assert "(1 of 2 left)" in run.err
    flowlint("check", "--baseline", "known.json", "--prune-baseline", *select)
    assert [entry["count"] for entry in entries(tmp_path / "known.json")] == [1]


@pytest.mark.parametrize(
    ("name", "text", "arguments"),
    [
        ("other.py", GOOD, ("other.py",)),
        ("other.py", GOOD, ("--ignore", "dangling-edge")),
        ("flow.py", GOOD + "def broken(:\n", ()),
    ],
    ids=["another file", "another rule", "a file that cannot be read whole"],
)
def test_what_was_not_looked_for_may_still_be_there(
    flowlint: RunFlowlint,
    recorded: Path,
    tmp_path: Path,
    name: str,
    text: str,
    arguments: tuple[str, ...],
) -> None:
    (tmp_path / name).write_text(text)
    if name == "other.py":
        (tmp_path / "flow.py").write_text(GOOD)
    run = flowlint("check", "--baseline", "known.json", *arguments)
    assert "no longer there" not in run.err
    flowlint("check", "--baseline", "known.json", "--update-baseline", *arguments)
    assert ENTRY in entries(recorded)


def test_a_file_that_is_gone(flowlint: RunFlowlint, recorded: Path, tmp_path: Path) -> None:
    (tmp_path / "flow.py").rename(tmp_path / "moved.py")
    (tmp_path / "moved.py").write_text(GOOD)
    assert flowlint("check", "moved.py", "--baseline", "known.json").code == 0
    run = flowlint("check", "--baseline", "known.json")
    assert run.code == 1
    assert "flow.py: dangling-edge" in run.err


def test_the_file_is_the_same_for_the_same_findings(flowlint: RunFlowlint, tmp_path: Path) -> None:
    for name in ("b.py", "a.py", "c.py"):
        (tmp_path / name).write_text(DANGLING)
    update = ("--baseline", "known.json", "--update-baseline")
    flowlint("check", "c.py", "a.py", "b.py", *update)
    first = (tmp_path / "known.json").read_bytes()
    stat = (tmp_path / "known.json").stat()
    flowlint("check", "b.py", "c.py", "a.py", "-j1", *update)
    assert (tmp_path / "known.json").read_bytes() == first
    assert (tmp_path / "known.json").stat().st_ino == stat.st_ino
    assert [entry["path"] for entry in entries(tmp_path / "known.json")] == ["a.py", "b.py", "c.py"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"{", "is no JSON (line 1)"),
        (b"[]", "is no baseline"),
        (b"\xff\xfe", "UTF-8"),
        (b'{"schema": "flowlint.baseline/9"}', "flowlint.baseline/9"),
        (b'{"schema": "flowlint.baseline/1"}', "no list of `findings`"),
        (b'{"schema": "flowlint.baseline/1", "findings": [3]}', "finding 1"),
        (b'{"schema": "flowlint.baseline/1", "findings": [{"path": "a"}]}', "`rule` of finding 1"),
        (
            b'{"schema": "flowlint.baseline/1", "findings": '
            b'[{"path": "a", "rule": "b", "count": true}]}',
            "`count` of finding 1",
        ),
        (
            b'{"schema": "flowlint.baseline/1", "findings": '
            b'[{"path": "a", "rule": "b", "flow": 1, "count": 1}]}',
            "`flow` of finding 1",
        ),
        (None, "no such baseline"),
    ],
)
def test_a_damaged_baseline_is_one_sentence(
    flowlint: RunFlowlint, tmp_path: Path, text: bytes | None, reason: str
) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    if text is not None:
        (tmp_path / "known.json").write_bytes(text)
    run = flowlint("check", "--baseline", "known.json", "--format", "concise")
    assert run.code == 2
    told = [line for line in run.err.splitlines() if line.startswith("error: ")]
    assert len(told) == 1
    assert told[0].startswith("error: known.json: ")
    assert reason in told[0]


def test_options_need_a_baseline(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(GOOD)
    for option in ("--update-baseline", "--prune-baseline", "--allow-stale-baseline"):
        run = flowlint("check", option)
        assert run.code == 2
        assert f"{option} needs --baseline FILE" in run.err


def test_nothing_is_recorded_when_not_all_could_be_checked(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    run = flowlint("check", "flow.py", "gone.py", "--baseline", "known.json", "--update-baseline")
    assert run.code == 2
    assert not os.path.exists(tmp_path / "known.json")
