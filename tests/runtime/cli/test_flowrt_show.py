"""`flowrt show`, `list` and `replay`."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from flowrt_program import Flowrt, ran, start_flowrt, until, write_flow

LOOP = (
    'Node("each", kind="repeat", config={"over": [1, 2]},'
    ' regions={"body": Region([Node("one", one), Node("b", b)], [Edge("one", "b")], "one")})'
)
BOTH = (
    'Node("both", kind="parallel", regions={'
    '"left": Region([Node("a", a)], [], "a"), "right": Region([Node("b", b)], [], "b")})'
)


def steps(out: str) -> list[str]:
    """The lines of a replay without their times and durations."""
    lines = [line[14:] for line in out.splitlines()[1:]]
    begins = re.compile(r" runs( \(attempt \d+\))?$")
    return [re.sub(r" in [\d.]+ m?s", "", line) for line in lines if not begins.search(line)]


def test_what_runs_now_is_seen_from_outside(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("talks", talks, kind="compute")')
    process = start_flowrt("run", "flow.py", "--run-id", "r1", cwd=tmp_path)
    try:
        until(lambda: "reading page 7" in flowrt("show", "r1").out)
        out = flowrt("show", "r1").out
        assert "status   running\n" in out
        now = next(line for line in out.splitlines() if line.startswith("  talks: "))
        assert re.fullmatch(
            r"  talks: running, attempt 1, for [\d.]+ m?s, "
            r"last heartbeat [\d.]+ m?s ago: reading page 7",
            now,
        )
        data = json.loads(flowrt("show", "r1", "--format", "json").out)
        assert data["status"] == "running"
        assert [node["node"] for node in data["now"]] == ["talks"]
    finally:
        process.kill()
        process.communicate(timeout=30)
    data = json.loads(flowrt("show", "r1", "--format", "json").out)
    assert (data["status"], data["now"]) == ("interrupted", [])
    assert [node["node"] for node in data["under_way"]] == ["talks"]
    under_way = flowrt("show", "r1").out.partition("\nwas under way\n")[2].splitlines()[0]
    assert re.fullmatch(
        r"  talks: running, attempt 1, since [\d :-]+, last heartbeat [\d :-]+: reading page 7",
        under_way,
    )


def test_a_node_that_keeps_the_loop_busy_is_seen_as_well(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("slow", slow)')
    process = start_flowrt("run", "flow.py", "--run-id", "r1", cwd=tmp_path)
    try:
        until(lambda: "  slow: running, attempt 1" in flowrt("show", "last").out)
    finally:
        process.kill()
        process.communicate(timeout=30)


def test_what_is_lost_of_a_trace_is_named(flowrt: Flowrt, tmp_path: Path, flow: str) -> None:
    assert flowrt("run", flow, "--run-id", "r1").code == 0
    trace = tmp_path / ".flowrt/runs/r1/trace.ndjson"
    lines = trace.read_text().splitlines(keepends=True)
    trace.write_text("".join([*lines[:1], "{broken\n", *lines[2:]]))
    out = flowrt("show", "r1").out
    assert "\nlost\n  line 2 is not JSON\n" in out
    assert "b completed" in out
    replay = flowrt("replay", "r1")
    assert replay.code == 0
    assert "error: lost of the trace: line 2 is not JSON\n" in replay.err
    trace.write_text("")
    gone = flowrt("replay", "r1")
    assert (gone.code, gone.err) == (2, "error: nothing is left of the trace of run `r1`\n")


def test_long_runs_are_shown_from_their_end(flowrt: Flowrt, tmp_path: Path) -> None:
    nodes = LOOP.replace("[1, 2]", "list(range(100))")
    write_flow(tmp_path, "flow.py", nodes=nodes)
    assert flowrt("run", "flow.py", "--run-id", "r1").code == 0
    out = flowrt("show", "r1").out
    assert "lines before: --all shows them)" in out
    assert "iteration 99" in out
    assert "iteration 0\n" not in out
    assert "iteration 0\n" in flowrt("show", "r1", "--all").out


def test_runs_are_listed_the_newest_first(flowrt: Flowrt, tmp_path: Path, flow: str) -> None:
    nothing = flowrt("list")
    assert (nothing.code, nothing.out, nothing.err) == (0, "", "no runs\n")
    flowrt("run", flow, "--run-id", "r1")
    write_flow(tmp_path, "flow.py", nodes='Node("ok", kind="checkpoint")')
    flowrt("run", flow, "--run-id", "r2")
    write_flow(tmp_path, "flow.py", nodes='Node("fails", fails)')
    flowrt("run", flow, "--run-id", "r3")
    head, *rows = flowrt("list").out.splitlines()
    assert head.split() == ["RUN", "FLOW", "STATUS", "BEGAN"]
    assert [row.split()[:3] for row in rows] == [
        ["r3", "demo", "failed"],
        ["r2", "demo", "waiting"],
        ["r1", "demo", "completed"],
    ]
    assert rows[0].endswith("ValueError: no luck today")
    assert rows[1].endswith("waits for ok")
    assert flowrt("list", "--status", "waiting").out.splitlines()[1:] != []
    assert len(flowrt("list", "-n", "1").out.splitlines()) == 2
    data = json.loads(flowrt("list", "--format", "json", "--status", "completed").out)
    assert [run["run_id"] for run in data] == ["r1"]


@pytest.mark.parametrize("store", ["runs", "sqlite:runs.db"])
def test_a_run_whose_process_is_gone_is_listed_as_interrupted(
    flowrt: Flowrt, tmp_path: Path, store: str
) -> None:
    write_flow(
        tmp_path, "flow.py", nodes='Node("ok", kind="checkpoint"), Node("slow", slow)',
        edges='Edge("ok", "slow")',
    )  # fmt: skip
    given = ("--store", store)
    assert flowrt("run", "flow.py", "--run-id", "r1", *given).code == 3

    def listed(*arguments: str) -> list[str]:
        return [run["status"] for run in json.loads(flowrt("list", *arguments, *given).out)]

    process = start_flowrt("resume", "r1", "--signal", "ok", *given, cwd=tmp_path)
    try:
        until(lambda: ran(tmp_path) == ["slow"])
        assert listed("--format", "json") == ["running"]
        assert listed("--format", "json", "--status", "waiting") == []
    finally:
        process.kill()
        process.communicate(timeout=30)
    assert flowrt("list", *given).out.splitlines()[1].split()[:3] == ["r1", "demo", "interrupted"]
    assert listed("--format", "json", "--status", "interrupted") == ["interrupted"]
    assert listed("--format", "json", "--status", "running") == []


@pytest.mark.parametrize("store", ["kept/runs", "sqlite:kept/runs.db"])
def test_looking_at_runs_writes_nothing(flowrt: Flowrt, tmp_path: Path, store: str) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("ok", kind="checkpoint")')
    looks = (("list",), ("show", "r1"), ("replay", "r1"), ("show", "r1", "--format", "json"))
    for command, *arguments in looks:
        run = flowrt(command, *arguments, "--store", store)
        assert run.code == (0 if command == "list" else 2)
        assert "r1" in run.err or run.err == "no runs\n"
    assert not (tmp_path / "kept").exists()

    assert flowrt("run", "flow.py", "--run-id", "r1", "--store", store).code == 3
    kept = list((tmp_path / "kept").rglob("*"))
    before = {path: path.stat().st_mtime_ns for path in kept}
    for path in kept:
        path.chmod(0o555 if path.is_dir() else 0o444)
    (tmp_path / "kept").chmod(0o555)
    try:
        for look in looks:
            run = flowrt(*look, "--store", store)
            assert (run.code, run.err) == (0, "")
            assert "r1" in run.out
    finally:
        (tmp_path / "kept").chmod(0o755)
        for path in kept:
            path.chmod(0o755)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").rglob("*")} == before


def test_a_replay_tells_regions_with_node_iteration_and_kind(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    write_flow(tmp_path, "flow.py", nodes=f'Node("a", a), {LOOP}', edges='Edge("a", "each")')
    flowrt("run", "flow.py", "--run-id", "r1")
    before = ran(tmp_path)
    run = flowrt("replay", "r1")
    assert (run.code, run.err) == (0, "")
    assert steps(run.out) == [
        "started at a",
        "a completed -> each",
        "  loop-body of each, iteration 0",
        "    one completed -> b",
        "    b completed",
        "  loop-body of each, iteration 1",
        "    one completed -> b",
        "    b completed",
        "each completed",
        "completed: a -> one -> b -> one -> b -> each",
    ]
    assert ran(tmp_path) == before


def test_a_replay_tells_branches_apart(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes=BOTH)
    assert flowrt("run", "flow.py", "--run-id", "r1").code == 0
    told = steps(flowrt("replay", "r1").out)
    assert "  parallel-branch `left` of both" in told
    assert "  parallel-branch `right` of both" in told


def test_a_replay_counts_tries(flowrt: Flowrt, tmp_path: Path) -> None:
    node = (
        'Node("sync", kind="attempt", config={"retry": {"attempts": 2, "delay": 0}}, regions={'
        '"try": Region([Node("x", fails)], [], "x"), "catch": Region([Node("a", a)], [], "a")})'
    )
    write_flow(tmp_path, "flow.py", nodes=node)
    assert flowrt("run", "flow.py", "--run-id", "r1").code == 0
    told = steps(flowrt("replay", "r1").out)
    regions = [line.strip() for line in told if line.endswith(" of sync")]
    assert regions == ["try 1 of sync", "try 2 of sync", "catch of sync"]


def test_a_replay_tells_retries(flowrt: Flowrt, tmp_path: Path) -> None:
    node = 'Node("flaky", flaky, retry=Retry(attempts=3, delay=0.01, factor=1))'
    write_flow(tmp_path, "flow.py", nodes=node)
    assert flowrt("run", "flow.py", "--run-id", "r1").code == 0
    told = steps(flowrt("replay", "r1").out)
    assert told[1:4] == [
        "flaky: attempt 1 failed: ConnectionError: try again; again",
        "flaky: attempt 2 failed: ConnectionError: try again; again",
        "flaky completed (attempt 3)",
    ]


def test_a_replay_keeps_the_pace(flowrt: Flowrt, tmp_path: Path) -> None:
    source = "async def naps(state):\n    await asyncio.sleep(1)\n    return state\n"
    write_flow(tmp_path, "flow.py", nodes='Node("naps", naps)', functions=source)
    flowrt("run", "flow.py", "--run-id", "r1")
    begin = time.monotonic()
    assert flowrt("replay", "r1", "--speed", "1").code == 0
    assert time.monotonic() - begin > 1
    assert flowrt("replay", "r1", "--speed", "0").code == 2
    begin = time.monotonic()
    assert flowrt("replay", "r1", "--speed", "1000").code == 0
    assert time.monotonic() - begin < 5


def test_a_replay_goes_step_by_step(flowrt: Flowrt, flow: str) -> None:
    flowrt("run", flow, "--run-id", "r1")
    whole = flowrt("replay", "r1").out
    assert flowrt("replay", "r1", "--step", stdin="\n\n").out == whole
    events = flowrt("replay", "r1", "--format", "json").lines
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
