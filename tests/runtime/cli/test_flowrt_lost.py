"""A trace that lost something: it is named, and what was changed is not used."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from flowrt_program import Flowrt, ran, start_flowrt, until, write_flow

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


def killed(flowrt: Flowrt, tmp_path: Path, store: str) -> None:
    """A run that was killed in its second node, after it had said that it was there."""
    nodes = 'Node("a", a), Node("slow", slow)'
    write_flow(tmp_path, "m.py", nodes=nodes, edges='Edge("a", "slow")')
    process = start_flowrt("run", "m.py", "--store", store, "--run-id", "r1", cwd=tmp_path)
    until(lambda: ran(tmp_path) == ["a", "slow"])
    until(lambda: flowrt("show", "r1", "--store", store, "--format", "json").state["now"])
    process.kill()
    process.communicate()


@pytest.mark.parametrize(
    ("how", "lost"),
    [("cut", "event 3 is missing at the end"), ("empty", "events 1 to 3 are missing at the end")],
)
def test_what_a_killed_run_lost_is_named_too(
    flowrt: Flowrt, tmp_path: Path, store: str, how: str, lost: str
) -> None:
    killed(flowrt, tmp_path, store)
    whole = flowrt("show", "r1", "--store", store, "--format", "json").state
    assert (whole["events"], whole["lost"]) == (3, [])
    change(tmp_path, store, how)
    shown = flowrt("show", "r1", "--store", store, "--format", "json").state
    assert shown["lost"] == [lost]
    (tmp_path / "fast").touch()
    resumed = flowrt("resume", "r1", "--store", store)
    assert resumed.code == 0, resumed.err
    assert lost in resumed.err
    assert ran(tmp_path).count("a") == (1 if how == "cut" else 2)


def damage(tmp_path: Path, store: str, part: str) -> None:
    """Overwrite the manifest, the definition or the input."""
    if store.startswith("folder"):
        (tmp_path / "runs" / "r1" / f"{part}.json").write_text("{")
        return
    with sqlite3.connect(tmp_path / "runs.db") as db:
        db.execute(f"UPDATE runs SET {part} = '{{'")
    db.close()


@pytest.mark.parametrize("part", ["manifest", "definition", "input"])
def test_what_is_intact_beside_a_damaged_part_is_shown(
    flowrt: Flowrt, tmp_path: Path, store: str, part: str
) -> None:
    waiting(flowrt, tmp_path, store)
    damage(tmp_path, store, part)
    shown = flowrt("show", "r1", "--store", store)
    assert shown.code == 0, shown.err
    assert "a completed in" in shown.out
    assert part in shown.out.partition("\nlost\n")[2]


def test_a_run_whose_definition_is_lost_is_gone_on_with_by_its_file(
    flowrt: Flowrt, tmp_path: Path, store: str
) -> None:
    waiting(flowrt, tmp_path, store)
    damage(tmp_path, store, "definition")
    refused = flowrt("resume", "r1", "--store", store, "--signal", "w")
    assert refused.code == 2
    assert "give the file with the flow, as in `flowrt resume r1 FILE`" in refused.err
    write_flow(tmp_path, "other.py", nodes='Node("a", a)', functions="")
    (tmp_path / "other.py").write_text((tmp_path / "other.py").read_text().replace("demo", "else"))
    other = flowrt("resume", "r1", "other.py", "--store", store, "--signal", "w")
    assert other.code == 2
    assert "is one of the flow `demo`" in other.err
    resumed = flowrt("resume", "r1", "m.py", "--store", store, "--signal", "w")
    assert resumed.code == 0, resumed.err
    assert "damaged; the flow in m.py is taken for it" in resumed.err
    assert ran(tmp_path) == ["a", "b"]
