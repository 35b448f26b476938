"""A trace that lost something: it is named, and what was changed is not used."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from flowrt_program import Flowrt, ran, write_flow

STORES = ["folder:runs", "sqlite:runs.db"]


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def waiting(flowrt: Flowrt, tmp_path: Path, store: str) -> None:
    nodes = 'Node("a", a), Node("w", kind="checkpoint"), Node("b", b)'
    write_flow(tmp_path, "m.py", nodes=nodes, edges='Edge("a", "w"), Edge("w", "b")')
    assert flowrt("run", "m.py", "--store", store, "--run-id", "r1").code == 3


def change(tmp_path: Path, store: str, how: str) -> None:
    """Cut the trace after two events, empty it, or change a value in its second line."""
    keep = {"cut": 2, "empty": 0, "change": 99}[how]
    if store.startswith("folder"):
        file = tmp_path / "runs" / "r1" / "trace.ndjson"
        content = b"".join(file.read_bytes().splitlines(keepends=True)[:keep])
        file.write_bytes(content.replace(b'"a":1', b'"a":7') if how == "change" else content)
        return
    with sqlite3.connect(tmp_path / "runs.db") as db:
        db.execute("DELETE FROM events WHERE id & 4294967295 > ?", (keep,))
        if how == "change":
            db.execute("""UPDATE events SET line = replace(line, '"a":1', '"a":7')""")
    db.close()


@pytest.mark.parametrize(
    ("how", "lost"),
    [
        ("cut", "missing at the end"),
        ("empty", "events 1 to 5 are missing at the end"),
        ("change", "was changed: its checksum does not fit"),
    ],
)
def test_what_is_lost_is_named(
    flowrt: Flowrt, tmp_path: Path, store: str, how: str, lost: str
) -> None:
    waiting(flowrt, tmp_path, store)
    whole = flowrt("show", "r1", "--store", store, "--format", "json").state
    assert (whole["events"], whole["lost"]) == (5, [])
    change(tmp_path, store, how)
    assert lost in flowrt("show", "r1", "--store", store).out.partition("\nlost\n")[2]
    shown = flowrt("show", "r1", "--store", store, "--format", "json").state
    assert any(lost in line for line in shown["lost"])
    signal = () if how in ("cut", "empty") else ("--signal", "w")
    resumed = flowrt("resume", "r1", "--store", store, *signal)
    assert resumed.code == (0 if signal else 3), resumed.err
    assert lost in resumed.err
    # What was lost of `a` is done again; a value that was changed is not taken over.
    assert ran(tmp_path).count("a") == (1 if how == "cut" else 2)
    if signal:
        assert resumed.state["a"] == 1


def test_a_run_that_had_ended_is_not_gone_on_with(
    flowrt: Flowrt, tmp_path: Path, store: str
) -> None:
    write_flow(tmp_path, "m.py", nodes='Node("a", a), Node("b", b)', edges='Edge("a", "b")')
    assert flowrt("run", "m.py", "--store", store, "--run-id", "r1").code == 0
    change(tmp_path, store, "cut")
    refused = flowrt("resume", "r1", "--store", store)
    assert refused.code == 2
    assert "has ended: completed" in refused.err
    assert "missing at the end" in refused.err
    assert ran(tmp_path) == ["a", "b"]
