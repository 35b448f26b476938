"""Traces that were cut short or damaged: what is intact is used, what is lost is named."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from pathlib import Path

import pytest
from flowrt.errors import FlowError
from flowrt.stores.base import Event, Trace
from flowrt.stores.folder import FolderStore
from flowrt.stores.lines import event_line, read_trace
from flowrt.stores.projections import run_view, steps
from flowrt.stores.scrub import NO_SCRUBBER
from flowrt.stores.sqlite import SqliteStore
from hypothesis import given, settings
from hypothesis import strategies as st
from store_help import EVENTS, LASTING, event, manifest


@pytest.fixture
def store(tmp_path: Path) -> FolderStore:
    made = FolderStore(tmp_path)
    log = made.create(manifest(), {"flow": "demo"}, {})
    for each in EVENTS:
        log.append(each)
    log.close()
    return made


@pytest.fixture(params=sorted(LASTING))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def trace(tmp_path: Path, store: FolderStore) -> Path:
    return tmp_path / "run-1" / "trace.ndjson"


def test_a_trace_cut_anywhere_can_be_gone_on_with(store: FolderStore, trace: Path) -> None:
    whole = trace.read_bytes()
    ends = [index for index, byte in enumerate(whole) if byte == ord("\n")]
    for cut in range(len(whole) + 1):
        trace.write_bytes(whole[:cut])
        # A line that lacks only its end is whole.
        intact = sum(end <= cut for end in ends)
        fragment = cut not in (0, *ends) and cut - 1 not in ends
        read = store.trace("run-1")
        assert read.events == EVENTS[:intact], cut
        assert bool(read.lost) == fragment, cut
        log = store.open("run-1")
        opened = log.trace()
        assert opened.events == EVENTS[:intact], cut
        assert bool(opened.lost) == fragment, cut
        if fragment:
            assert opened.lost[0].startswith(f"line {intact + 1} was cut short"), cut
        following = event(intact + 1, data={"after": cut})
        log.append(following)
        assert log.trace().events == (*EVENTS[:intact], following), cut
        assert bool(log.trace().lost) == fragment, cut
        log.close()
        assert store.trace("run-1").events == (*EVENTS[:intact], following), cut
        assert store.trace("run-1").lost == (), cut


@pytest.mark.parametrize("tail", [b"\0" * 700, b"\xff\xfe", b'{"seq":6', b"[1]", b"6", b"{}"])
def test_rubbish_at_the_end_is_taken_away(store: FolderStore, trace: Path, tail: bytes) -> None:
    with trace.open("ab") as file:
        file.write(tail)
    log = store.open("run-1")
    assert log.trace().events == EVENTS
    assert log.trace().lost == ("line 6 was cut short and is taken away",)
    log.append(event(6))
    log.close()
    assert len(store.trace("run-1").events) == 6


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"garbage", "is not JSON"),
        (b"", "is not JSON"),
        (b"\xff\xff\xff", "is not JSON"),
        (b"[]", "is not an event"),
        (b'{"seq":"3","at":1,"type":"x"}', "is not an event"),
        (b'{"seq":true,"at":1,"type":"x"}', "is not an event"),
        (b'{"seq":3,"at":1,"type":"node_completed","data":[]}', "is not an event"),
        (b'{"seq":3,"type":"node_completed"}', "is not an event"),
        (b"[" * 100_000, "is not JSON"),
    ],
)
def test_a_damaged_line_costs_only_itself(
    store: FolderStore, trace: Path, line: bytes, reason: str
) -> None:
    lines = trace.read_bytes().splitlines(keepends=True)
    lines[2] = line + b"\n"
    trace.write_bytes(b"".join(lines))
    log = store.open("run-1")
    assert log.trace().events == (*EVENTS[:2], *EVENTS[3:])
    assert log.trace().lost == (f"line 3 {reason}", "event 3 is missing before line 4")
    log.append(event(6))
    log.close()
    assert len(store.trace("run-1").events) == 5


def test_lines_that_are_gone_are_named(store: FolderStore, trace: Path) -> None:
    lines = trace.read_bytes().splitlines(keepends=True)
    trace.write_bytes(lines[3] + lines[4])
    read = store.trace("run-1")
    assert read.events == EVENTS[3:]
    assert read.lost == ("events 1 to 3 are missing before line 1",)


def test_lines_out_of_order_are_not_used(store: FolderStore, trace: Path) -> None:
    lines = trace.read_bytes().splitlines(keepends=True)
    trace.write_bytes(b"".join([*lines[:3], lines[1], *lines[3:]]))
    read = store.trace("run-1")
    assert read.events == EVENTS
    assert read.lost == ("line 4 is out of order: event 2 where 4 was due",)


def test_a_number_that_was_damaged_does_not_hide_what_follows(
    store: FolderStore, trace: Path
) -> None:
    lines = trace.read_bytes().splitlines(keepends=True)
    # Lines of earlier versions have no checksum.
    lines = [re.sub(rb',"crc":\d+', b"", line) for line in lines]
    trace.write_bytes(b"".join(lines))
    assert store.trace("run-1").events == EVENTS
    lines[1] = lines[1].replace(b'"seq":2', b'"seq":9')
    trace.write_bytes(b"".join(lines))
    read = store.trace("run-1")
    assert read.events == (EVENTS[0], *EVENTS[2:])
    assert read.lost[0].startswith("line 2 is out of order")


def test_no_changed_byte_is_used(store: FolderStore, trace: Path) -> None:
    whole = trace.read_bytes()
    begins = whole.index(b"\n", whole.index(b"\n") + 1) + 1
    for place in range(begins, whole.index(b"\n", begins)):
        for mask in (1, 2, 16):
            changed = bytearray(whole)
            changed[place] ^= mask
            trace.write_bytes(changed)
            read = store.trace("run-1")
            assert EVENTS[2] not in read.events, place
            assert all(kept in EVENTS for kept in read.events), place
            assert read.lost, place


def test_what_lacks_at_the_end_is_named(kind: str, tmp_path: Path) -> None:
    store = LASTING[kind](tmp_path)
    log = store.create(manifest(), {"flow": "demo"}, {})
    for each in EVENTS:
        log.append(each)
    log.set_status(manifest(status="waiting"))
    log.close()
    assert store.trace("run-1").lost == ()
    for kept, lost in ((4, "event 5 is missing at the end"), (0, "events 1 to 5 are missing at")):
        _cut_after(kind, tmp_path, kept)
        assert store.trace("run-1").events == EVENTS[:kept]
        assert store.trace("run-1").lost[0].startswith(lost)
    log = store.open("run-1")
    assert log.trace().lost[0].startswith("events 1 to 5")
    # What follows takes no number of what was lost, so that the loss stays plain.
    log.append(event(6, "run_resumed"))
    log.close()
    assert [each.seq for each in store.trace("run-1").events] == [6]
    assert store.trace("run-1").lost[0].startswith("events 1 to 5 are missing before")


def _cut_after(kind: str, folder: Path, kept: int) -> None:
    if kind == "folder":
        file = folder / "runs" / "run-1" / "trace.ndjson"
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:kept]))
        return
    with sqlite3.connect(folder / "runs.db") as db:
        db.execute("DELETE FROM events WHERE id & 4294967295 > ?", (kept,))
    db.close()


def test_a_trace_that_is_gone_is_said_to_be(store: FolderStore, trace: Path) -> None:
    trace.unlink()
    assert store.trace("run-1").lost == ("the trace is missing",)
    log = store.open("run-1")
    assert log.trace().lost == ("the trace is missing",)
    log.append(event(1))


def test_a_damaged_manifest_is_told_from_the_trace(store: FolderStore, tmp_path: Path) -> None:
    log = store.open("run-1")
    log.append(event(6, "run_waiting"))
    log.close()
    file = tmp_path / "run-1" / "manifest.json"
    for content in (b"", b"{", b"[]", b'{"run_id":"run-1"}', b"\xff"):
        file.write_bytes(content)
        told = store.manifest("run-1")
        assert (told.flow, told.status, told.created_at) == ("demo", "waiting", 1000.125)
        assert told.error is not None
        assert "damaged" in told.error
        assert [run.run_id for run in store.runs()] == ["run-1"]
    store.open("run-1").close()


@pytest.mark.parametrize("name", ["definition.json", "input.json"])
def test_other_damaged_files_are_named(store: FolderStore, tmp_path: Path, name: str) -> None:
    (tmp_path / "run-1" / name).write_text("{")
    ask = store.definition if name == "definition.json" else store.run_input
    with pytest.raises(FlowError, match=name):
        ask("run-1")


def test_a_damaged_artifact_is_not_handed_out(store: FolderStore, tmp_path: Path) -> None:
    log = store.open("run-1")
    name = log.put_artifact(b"content", ".txt")
    (tmp_path / "run-1" / "artifacts" / name).write_bytes(b"other")
    with pytest.raises(KeyError):
        log.get_artifact(name)
    assert log.put_artifact(b"content", ".txt") == name
    assert log.get_artifact(name) == b"content"


def test_what_killed_writers_left_is_swept(store: FolderStore, tmp_path: Path) -> None:
    left = tmp_path / "run-1" / "projections" / ".live.json.1.1.tmp"
    left.write_text("{")
    (tmp_path / ".run-9.abcd.new").mkdir()
    assert [run.run_id for run in store.runs()] == ["run-1"]
    store.open("run-1").close()
    assert not left.exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_an_error_of_the_run(store: FolderStore, trace: Path) -> None:
    log = store.open("run-1")
    full = os.open("/dev/full", os.O_WRONLY)
    kept = os.dup(log._fd)
    os.dup2(full, log._fd)
    with pytest.raises(FlowError, match="run-1"):
        log.append(event(6))
    os.dup2(kept, log._fd)
    log.append(event(6))
    assert len(log.trace().events) == 6
    log.close()
    for fd in (full, kept):
        os.close(fd)


def test_damaged_rows_of_a_database_are_named(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "x.db")
    log = store.create(manifest(), {}, {})
    for each in EVENTS:
        log.append(each)
    log.close()
    with sqlite3.connect(tmp_path / "x.db") as db:
        db.execute("UPDATE events SET line = 'x' WHERE id & 4294967295 IN (3, 5)")
        db.execute("DELETE FROM events WHERE id & 4294967295 = 2")
    db.close()
    read = store.trace("run-1")
    assert read.events == (EVENTS[0], EVENTS[3])
    assert read.lost == (
        "row 3 is not JSON",
        "row 5 is not JSON",
        "events 2 to 3 are missing before row 4",
    )
    log = store.open("run-1")
    log.append(event(5))
    assert [each.seq for each in log.trace().events] == [1, 4, 5]
    assert "row 5 is not JSON" in log.trace().lost
    log.close()


def test_a_damaged_manifest_in_a_database_is_told_from_the_trace(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "x.db")
    log = store.create(manifest(), {"flow": "demo"}, {})
    log.append(event(1, "run_failed"))
    log.set_live({})
    with sqlite3.connect(tmp_path / "x.db") as db:
        db.execute("UPDATE runs SET manifest = '{'")
        db.execute("UPDATE live SET live = '{'")
    db.close()
    assert (store.manifest("run-1").flow, store.manifest("run-1").status) == ("demo", "failed")
    assert [run.run_id for run in store.runs()] == ["run-1"]
    assert store.live("run-1") is None
    log.close()


def test_a_database_can_be_asked_in_sql(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "x.db")
    log = store.create(manifest(), {}, {})
    for each in EVENTS:
        log.append(each)
    with sqlite3.connect(tmp_path / "x.db") as db:
        rows = db.execute("SELECT run_id, seq, type, node FROM trace ORDER BY seq").fetchall()
    db.close()
    assert rows[1] == ("run-1", 2, "node_started", "a")
    log.close()


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"no database at all" * 100)
    store = SqliteStore(tmp_path / "x.db")
    with pytest.raises(FlowError, match=r"x\.db"):
        list(store.runs())
    with pytest.raises(FlowError, match=r"x\.db"):
        store.create(manifest(), {}, {})
    with sqlite3.connect(tmp_path / "new.db") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    store = SqliteStore(tmp_path / "new.db")
    with pytest.raises(FlowError, match="later version"):
        list(store.runs())
    with pytest.raises(FlowError, match="later version"):
        store.create(manifest(), {}, {})


def test_reading_a_database_sees_what_others_write_meanwhile(tmp_path: Path) -> None:
    """Where nobody writes it is read as a file that does not change."""
    reading, writing = (SqliteStore(tmp_path / "x.db") for _ in range(2))
    assert list(reading.runs()) == []
    assert not (tmp_path / "x.db").exists()
    for number in range(3):
        log = writing.create(manifest(f"run-{number}"), {}, {})
        log.append(EVENTS[0])
        assert len(list(reading.runs())) == number + 1
        assert reading.trace(f"run-{number}").events == (EVENTS[0],)
        assert reading.is_open(f"run-{number}")
        log.close()
        assert not reading.is_open(f"run-{number}")
        if number == 1:
            writing.close()
            assert len(list(reading.runs())) == 2
            writing = SqliteStore(tmp_path / "x.db")
    reading.close()
    writing.close()


@pytest.mark.parametrize(
    ("rest", "outcome"),
    [("run_waiting", "waiting"), ("run_halted", "halted"), ("run_failed", "cancelled")],
)
def test_a_node_around_one_that_waits_was_not_interrupted(rest: str, outcome: str) -> None:
    events = [
        event(1, "run_started"),
        event(2, "node_started", node="around"),
        event(3, "node_waiting", node="held", scope="/around#1:try"),
        event(4, rest),
    ]
    made = steps(events)
    assert [(step["node"], step["outcome"]) for step in made] == [
        ("around", outcome),
        ("held", "waiting"),
    ]
    view = run_view(manifest(), Trace(tuple(events)), made)
    assert "interrupted" not in view["steps"]


def test_projections_tell_of_each_attempt(store: FolderStore, tmp_path: Path) -> None:
    events = [
        event(1, "run_started"),
        event(2, "node_started"),
        event(3, "attempt_failed", data={"error": "E: no"}),
        event(4, "node_started", attempt=2),
        event(5, "node_failed", attempt=2, data={"outcome": "timed_out", "error": "late"}),
        event(6, "node_skipped", node="b", attempt=0),
        event(7, "node_started", node="c"),
        event(8, node="d", data={"took": 0.5}),
    ]
    made = steps(events)
    assert [(step["node"], step["attempt"], step.get("outcome")) for step in made] == [
        ("a", 1, "failed"),
        ("a", 2, "timed_out"),
        ("b", 0, "skipped"),
        ("c", 1, None),
        ("d", 1, "ok"),
    ]
    assert made[0]["error"] == "E: no"
    assert made[1]["started_at"] < made[1]["ended_at"]
    assert made[4]["ended_at"] - made[4]["started_at"] == 0.5
    trace = read_trace([("line 1", event_line(events[0], NO_SCRUBBER))])
    assert run_view(manifest(), trace, [])["nodes"] == {}
    written = json.loads((tmp_path / "run-1" / "projections" / "run.json").read_text())
    assert written["nodes"] == {"a": "ok", "a/1/left/b ä": "failed"}
    assert written["events"] == 5


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@settings(deadline=None)
@given(
    st.text(),
    st.text(),
    st.integers(0, 9),
    st.integers(0, 9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.dictionaries(st.text(), json_values, max_size=3),
)
def test_any_event_is_one_line(
    scope: str, node: str, visit: int, attempt: int, at: float, data: dict[str, object]
) -> None:
    written = Event(1, at, "node_completed", scope, node, visit, attempt, data)
    line = event_line(written, NO_SCRUBBER)
    assert "\n" not in line
    assert read_trace([("line 1", line)]).events == (written,)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=30), max_size=6))
def test_no_bytes_break_the_reading(lines: list[bytes]) -> None:
    read = read_trace([(f"line {index}", line) for index, line in enumerate(lines)])
    assert len(read.events) + len(read.lost) >= len(lines)
