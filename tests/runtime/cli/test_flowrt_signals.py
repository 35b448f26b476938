"""Which pause a signal answers: one answer is for one question."""

from __future__ import annotations

from pathlib import Path

import pytest
from flowrt import Edge, Flow, Node, Region, open_store
from flowrt.errors import NotResumableError
from flowrt_program import Flowrt

BRANCHES = """
flowrt: 1
name: both
entry: parts
nodes:
  - name: parts
    kind: parallel
    branches:
      legal: &ask
        entry: approve
        nodes:
          - {name: approve, kind: ask, config: {question: "Good?", options: [y, n], into: said}}
      money: *ask
"""
MIXED = """
flowrt: 1
name: mixed
entry: begin
routing: all
nodes:
  - {name: begin, kind: start}
  - {name: c, kind: checkpoint}
  - {name: w, kind: wait, config: {signal: c}}
edges:
  - {from: begin, to: c}
  - {from: begin, to: w}
"""
SIGNALS = """
flowrt: 1
name: signals
entry: begin
routing: all
nodes:
  - {name: begin, kind: start}
  - {name: one, kind: wait, config: {signal: go, into: one}}
  - {name: two, kind: wait, config: {signal: go, into: two}}
edges:
  - {from: begin, to: one}
  - {from: begin, to: two}
"""


def waits(flowrt: Flowrt) -> list[str]:
    return [wait["signal"] for wait in flowrt("show", "last", "--format", "json").state["waits"]]


def test_questions_of_one_name_are_answered_one_by_one(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "both.yaml").write_text(BRANCHES)
    ran = flowrt("run", "both.yaml")
    assert ran.code == 3
    assert "legal/approve: Good?" in ran.err
    assert "--signal 'money/approve=\"y\"'" in ran.err
    assert waits(flowrt) == ["legal/approve", "money/approve"]
    refused = flowrt("resume", "last", "--signal", 'approve="y"')
    assert refused.code == 2
    assert "name one of `legal/approve`, `money/approve`" in refused.err
    assert waits(flowrt) == ["legal/approve", "money/approve"]
    assert flowrt("resume", "last", "--signal", 'legal/approve="y"').code == 3
    # The other one is the only one now, so its key will do.
    assert waits(flowrt) == ["approve"]
    ended = flowrt("resume", "last", "--signal", 'approve="n"')
    assert ended.code == 1, ended.err
    replayed = flowrt("replay", "last", "--format", "json").lines
    outputs = {
        event["scope"]: event["data"].get("output")
        for event in replayed
        if event["type"] == "node_completed" and event["node"] == "approve"
    }
    assert outputs == {
        "/parts#1:parallel-branch.legal[0]": "y",
        "/parts#1:parallel-branch.money[1]": "n",
    }


def test_several_are_answered_at_once_or_none(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "mixed.yaml").write_text(MIXED)
    assert flowrt("run", "mixed.yaml").code == 3
    assert waits(flowrt) == ["/c", "/w"]
    refused = flowrt("resume", "last", "--signal", "w", "--signal", "nobody")
    assert refused.code == 2
    assert waits(flowrt) == ["/c", "/w"]
    refused = flowrt("resume", "last", "--signal", "c")
    assert refused.code == 2
    assert "name one of `/c`, `/w`" in refused.err
    assert flowrt("resume", "last", "--signal", "/c", "--signal", "w=1").code == 0


def test_a_signal_is_for_all_that_wait_for_it(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "signals.yaml").write_text(SIGNALS)
    ran = flowrt("run", "signals.yaml")
    assert ran.code == 3
    assert "alone: --signal /two" in ran.err
    ended = flowrt("resume", "last", "--signal", "go=5")
    assert [ended.state[name]["payload"] for name in ("one", "two")] == [5, 5]
    flowrt("run", "signals.yaml")
    assert flowrt("resume", "last", "--signal", "/two=6").code == 3
    ended = flowrt("resume", "last", "--signal", "go=7")
    assert [ended.state[name]["payload"] for name in ("one", "two")] == [7, 6]


async def test_what_is_waited_for_is_told_by_names_that_mean_one(tmp_path: Path) -> None:
    ask = Node("approve", kind="ask", config={"question": "Good?", "key": "sign"})
    parts = {name: Region([ask], [], "approve", name=name) for name in ("legal", "money")}
    flow = Flow(
        nodes=[Node("parts", kind="parallel", regions=parts), Node("end", kind="end")],
        edges=[Edge("parts", "end")],
        entry="parts",
    )
    store = open_store(tmp_path)
    result = await flow.run({}, store=store, run_id="r")
    assert result.waiting_on == ["legal/approve", "money/approve"]
    assert store.manifest("r").waiting_on == ("legal/approve", "money/approve")
    with pytest.raises(NotResumableError, match="several pauses"):
        await flow.resume_run("r", store, signals={"sign": True})
    answers = {"legal/approve": True, "money/approve": False}
    assert (await flow.resume_run("r", store, signals=answers)).status == "completed"


async def test_what_a_node_left_behind_that_has_ended_waits_no_more(tmp_path: Path) -> None:
    async def fails(state: dict[str, object]) -> dict[str, object]:
        raise ValueError("no")

    parts = {
        "left": Region([Node("approve", kind="checkpoint")], [], "approve", name="left"),
        "right": Region([Node("fails", fails)], [], "fails", name="right"),
    }
    both = Node("both", kind="parallel", regions=parts)
    flow = Flow(
        nodes=[both, Node("approve", kind="checkpoint")],
        edges=[Edge("both", "approve", outcome="failed")],
        entry="both",
    )
    store = open_store(tmp_path)
    result = await flow.run({}, store=store, run_id="r")
    assert result.waiting_on == ["approve"]
    assert (await flow.resume_run("r", store, signals={"approve": 1})).status == "completed"
