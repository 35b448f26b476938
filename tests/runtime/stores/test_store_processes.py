"""Stores shared by processes, of which any may be killed at any moment."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest
from flowrt.errors import FlowError, RunBusyError
from flowrt.stores.base import RunStore
from flowrt.stores.runs import open_store
from store_help import LASTING, event, manifest, start, told

KINDS = ("folder", "sqlite")

HEAD = """
import sys, time
from flowrt.stores.base import Event, Manifest
from flowrt.stores.runs import open_store
store = open_store(sys.argv[1])
"""

HOLD = (
    HEAD
    + """
log = store.open("run-1")
print("open", flush=True)
sys.stdin.readline()
"""
)

APPEND = (
    HEAD
    + """
log = store.open("run-1")
seq = len(log.trace().events)
print(seq, *log.trace().lost, flush=True)
while True:
    seq += 1
    log.append(Event(seq, time.time(), "node_completed", node="a", visit=seq, attempt=1,
                     data={"state": {"text": "x" * (seq % 700)}}))
    log.set_live({"seq": seq})
    print(seq, flush=True)
"""
)

LOOK = (
    HEAD
    + """
print("looks", flush=True)
while True:
    store.is_open("run-1")
"""
)

MANY = (
    HEAD
    + """
made = []
for number in range(8):
    name = f"{sys.argv[2]}-{number}"
    made.append(store.create(Manifest(name, "f", "running", 1.0, 1.0), {}, {}))
for seq in range(1, 41):
    for log in made:
        log.append(Event(seq, 1.0, "node_completed", node="a", data={"n": sys.argv[2]}))
for log in made:
    log.close()
print("done", flush=True)
"""
)

RACE = (
    HEAD
    + """
from flowrt.errors import FlowError
sys.stdin.readline()
try:
    log = store.create(Manifest("same", "f", "running", 1.0, 1.0), {}, {"by": sys.argv[2]})
    print("made", flush=True)
except FlowError as error:
    print(error, flush=True)
sys.stdin.readline()
"""
)


def spec(kind: str, path: Path) -> str:
    return f"folder:{path / 'runs'}" if kind == "folder" else f"sqlite:{path / 'runs.db'}"


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(kind: str, tmp_path: Path) -> RunStore:
    return LASTING[kind](tmp_path)


def test_two_processes_never_have_one_run(kind: str, store: RunStore, tmp_path: Path) -> None:
    store.create(manifest(), {}, {}).close()
    with start(HOLD, spec(kind, tmp_path)) as holder:
        assert told(holder) == "open"
        with pytest.raises(RunBusyError, match="run-1"):
            store.open("run-1")
        assert store.is_open("run-1")
        assert store.manifest("run-1").run_id == "run-1"
        assert store.trace("run-1").events == ()
        holder.kill()
        holder.wait()
    assert not store.is_open("run-1")
    log = store.open("run-1")
    log.append(event(1))
    with start(HOLD, spec(kind, tmp_path)) as second:
        assert told(second) == ""
        assert second.wait() == 1
    log.close()
    with start(HOLD, spec(kind, tmp_path)) as third:
        assert told(third) == "open"
        third.communicate("go\n")
        assert third.returncode == 0
    store.open("run-1").close()


def test_who_only_looks_keeps_nobody_from_a_run(kind: str, store: RunStore, tmp_path: Path) -> None:
    store.create(manifest(), {}, {}).close()
    watching = [start(LOOK, spec(kind, tmp_path)) for _ in range(2)]
    try:
        assert [told(process) for process in watching] == ["looks", "looks"]
        for _ in range(1000):
            store.open("run-1").close()
    finally:
        for process in watching:
            process.kill()
            process.communicate()


def test_another_store_of_the_same_place_sees_the_lock(kind: str, tmp_path: Path) -> None:
    first, second = LASTING[kind](tmp_path), LASTING[kind](tmp_path)
    log = first.create(manifest(), {}, {})
    with pytest.raises(RunBusyError):
        second.open("run-1")
    other = second.create(manifest("run-2"), {}, {})
    other.close()
    # Closing one run must not give back the lock of another.
    with pytest.raises(RunBusyError):
        second.open("run-1")
    log.close()
    second.open("run-1").close()


@pytest.mark.parametrize("delay", [0.0, 0.01, 0.05])
def test_an_event_whose_append_returned_is_never_lost(
    kind: str, store: RunStore, tmp_path: Path, delay: float
) -> None:
    store.create(manifest(), {}, {}).close()
    known = 0
    for _ in range(5):
        process = start(APPEND, spec(kind, tmp_path))
        assert int(told(process).split()[0]) >= known
        time.sleep(random.uniform(0, 0.02) + delay)
        process.kill()
        printed = [line for line in process.communicate()[0].split("\n")[:-1] if line]
        known = int(printed[-1]) if printed else known
        read = store.trace("run-1")
        numbers = [each.seq for each in read.events]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= known
        for each in read.events:
            assert len(each.data["state"]["text"]) == each.seq % 700
        live = store.live("run-1")
        assert live is None or live["seq"] <= len(numbers)
    log = store.open("run-1")
    log.append(event(len(log.trace().events) + 1))
    log.close()


def test_many_processes_write_many_runs(kind: str, tmp_path: Path) -> None:
    processes = [start(MANY, spec(kind, tmp_path), name) for name in "abcd"]
    assert [process.communicate()[0].strip() for process in processes] == ["done"] * 4
    store = LASTING[kind](tmp_path)
    runs = [run.run_id for run in store.runs()]
    assert len(runs) == 32
    for run_id in runs:
        read = store.trace(run_id)
        assert read.lost == ()
        assert [each.seq for each in read.events] == list(range(1, 41))
        assert {each.data["n"] for each in read.events} == {run_id[0]}


def test_one_of_several_begins_a_run(kind: str, tmp_path: Path) -> None:
    processes = [start(RACE, spec(kind, tmp_path), name) for name in "abcd"]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [told(process) for process in processes]
    for process in processes:
        process.communicate("end\n")
    assert said.count("made") == 1, said
    winner = "abcd"[said.index("made")]
    assert LASTING[kind](tmp_path).run_input("same") == {"by": winner}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_does_not_keep_the_run(kind: str, store: RunStore) -> None:
    log = store.create(manifest(), {}, {})
    log.append(event(1))
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            try:
                log.append(event(2))
            except FlowError:
                # The store itself can be used on.
                other = store.create(manifest("run-2"), {}, {})
                other.append(event(1))
                other.close()
                code = 0
            os.write(ready[1], b"x")
            os.read(go[0], 1)
        finally:
            os._exit(code)
    os.read(ready[0], 1)
    with pytest.raises(RunBusyError):
        store.open("run-1")
    log.append(event(2))
    log.close()
    again = store.open("run-1")
    assert len(again.trace().events) == 2
    assert len(store.trace("run-2").events) == 1
    again.close()
    os.write(go[1], b"x")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    for fd in (*ready, *go):
        os.close(fd)


def open_files() -> int:
    """How many files this process has open; other tests may have left some. 0: not known."""
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


def test_open_runs_cost_few_open_files(tmp_path: Path) -> None:
    """A database takes the same number of files for a thousand open runs as for one."""
    store = open_store(f"sqlite:{tmp_path / 'x.db'}")
    before = open_files()
    logs = [store.create(manifest(f"r{number}"), {}, {}) for number in range(1000)]
    assert open_files() - before < 20
    with pytest.raises(RunBusyError):
        store.open("r500")
    for log in logs:
        log.close()
    store.open("r500").close()
    store.close()
