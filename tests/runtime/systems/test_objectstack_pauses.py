"""Runs that wait, and other flows that they wait in (objectstack §b and §g)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import time
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowValidationError, Node, Permissions
from flowrt.errors import (
    NotResumableError,
    PermissionRefusedError,
    RunBusyError,
    RunNotFoundError,
)
from flowrt.stores.memory import MemoryStore
from flowrt.stores.runs import open_store
from objectstack_flows import (
    State,
    chain,
    compute,
    events,
    failing,
    flow,
    region,
    step,
)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def calls(name: str, into: str | None = None, **config: Any) -> Node:
    """A node that runs another flow."""
    extra = {"into": into} if into else {}
    return Node("call", kind="subflow", config={"flow": name, **config, **extra})


async def test_objectstack_b_a_subflow_gets_its_input_and_its_output_is_kept() -> None:
    child = chain(compute("sum", "state.a + state.b"), name="child")
    config = {"input": {"a": "n", "b": "size(state.rows)"}, "output": "outputs.sum"}
    made = flow([calls("child", into="got", **config)], [])
    state = {"n": 1, "rows": [0, 0]}
    assert (await made.run(state, flows={"child": child})).state == {**state, "got": 3}


async def test_objectstack_b_a_subflow_fails_its_node_which_fault_edges_follow() -> None:
    flows = {"child": flow([step("x", failing)], [], name="child")}
    with pytest.raises(ValueError, match="no luck"):
        await flow([calls("child")], []).run({}, flows=flows)
    nodes = [calls("child"), compute("why", "results.call.error")]
    result = await flow(nodes, [Edge("call", "why", outcome="failed")]).run({}, flows=flows)
    assert result.outputs["why"] == "ValueError: no luck"


async def down(state: State) -> State:
    return {**state, "left": state["left"] - 1}


def nested() -> Flow:
    """A flow that runs itself as often as its state says."""
    nodes = [Node("more", kind="gate"), step("down", down), calls("self"), step("deep")]
    edges = [
        Edge("more", "down", when="state.left > 0"),
        Edge("more", "deep"),
        Edge("down", "call"),
    ]
    return flow(nodes, edges, name="self")


async def test_objectstack_b_flows_nest_sixteen_deep_and_no_deeper() -> None:
    made = nested()
    result = await made.run({"left": 16}, flows={"self": made})
    assert (result.path.count("deep"), result.path.count("call")) == (1, 16)
    with pytest.raises(FlowError, match="nested deeper than 16 at `self`"):
        await made.run({"left": 17}, flows={"self": made})


async def test_objectstack_b_a_subflow_that_waits_lets_the_run_wait(store: MemoryStore) -> None:
    child = chain(Node("ok", kind="checkpoint"), compute("got", "outputs.ok"), name="child")
    middle = flow([calls("child", output="outputs.got")], [], name="middle")
    top = chain(calls("middle", output="outputs.call", into="got"), step("after"), name="top")
    options: Any = {"store": store, "flows": {"child": child, "middle": middle}}
    result = await top.run({}, run_id="r", **options)
    assert (result.status, result.waiting_on) == ("waiting", ["ok"])
    (wait,) = events(store, "r", "node_waiting")
    assert wait.scope == "/call#1:flow.middle/call#1:flow.child"
    result = await top.resume_run("r", signals={"ok": "yes"}, **options)
    assert (result.status, result.state) == ("completed", {"got": "yes"})
    assert result.path == ["ok", "got", "call", "call", "after"]


def waits(name: str, **config: Any) -> Node:
    return Node(name, kind="wait", config=config)


async def test_objectstack_b_a_wait_goes_on_with_the_signal_it_names(store: MemoryStore) -> None:
    made = chain(waits("pay", signal="paid"), step("after"))
    result = await made.run({}, store=store, run_id="r")
    assert result.waiting_on == ["paid"]
    with pytest.raises(NotResumableError, match="it waits for `paid`"):
        await made.resume_run("r", store, signals={"else": 1})
    result = await made.resume_run("r", store, signals={"paid": 7})
    assert result.outputs["pay"] == {"waited_for": "signal", "payload": 7, "timed_out": False}
    assert result.path == ["pay", "after"]


async def test_objectstack_b_all_that_wait_for_a_key_get_its_signal(store: MemoryStore) -> None:
    branches = {name: region(waits(name, signal="paid")) for name in ("a", "b")}
    branches["c"] = region(waits("c", signal="sent"))
    made = flow([Node("all", kind="parallel", regions=branches)], [])
    result = await made.run({}, store=store, run_id="r")
    assert sorted(set(result.waiting_on)) == ["paid", "sent"]
    result = await made.resume_run("r", store, signals={"paid": 1})
    assert (result.status, result.waiting_on) == ("waiting", ["sent"])
    assert (await made.resume_run("r", store, signals={"sent": 2})).status == "completed"


async def test_objectstack_b_without_a_key_the_node_s_name_is_one(store: MemoryStore) -> None:
    made = flow([Node("a", kind="checkpoint"), Node("b", kind="ask", config={"question": "?"})],
                [Edge("a", "b")])  # fmt: skip
    assert (await made.run({}, store=store, run_id="r")).waiting_on == ["a"]
    assert (await made.resume_run("r", store, signals={"a": 1})).waiting_on == ["b"]
    result = await made.resume_run("r", store, signals={"b": "fine"})
    assert (result.status, result.outputs["b"]) == ("completed", "fine")


async def test_objectstack_b_a_timer_lets_a_kept_run_wait_and_go_on_by_itself(
    store: MemoryStore,
) -> None:
    made = chain(waits("later", duration="PT0.2S", pause_above=0), step("after"))
    assert (await made.run({}, store=store, run_id="r")).status == "waiting"
    (wait,) = events(store, "r", "node_waiting")
    await asyncio.sleep(max(0.0, wait.data["until"] - time()) + 0.01)
    assert (await made.resume_run("r", store)).path == ["later", "after"]


@pytest.mark.parametrize("duration", ["1000", "1 hour", "P1M", ""])
def test_objectstack_b_a_timer_that_nobody_understands_is_refused(duration: str) -> None:
    with pytest.raises(FlowValidationError, match=f"`{duration}` is no duration") as caught:
        flow([waits("later", duration=duration)], [Edge("later", "ghost")])
    assert {found.code for found in caught.value.findings} == {"FL105", "FL701"}


APPROVAL: Any = {"question": "Fine?", "options": ["approve", "reject", "revise"]}


def approval() -> Flow:
    nodes = [
        Node("review", kind="ask", config=APPROVAL),
        Node("rework", kind="checkpoint"),
        step("approved"),
        step("rejected"),
    ]
    edges = [
        Edge("review", "approved", when="output == 'approve'"),
        Edge("review", "rejected", when="output == 'reject'"),
        Edge("review", "rework"),
        Edge("rework", "review"),
    ]
    return flow(nodes, edges, max_steps=9)


@pytest.mark.parametrize(("answer", "end"), [("approve", "approved"), ("reject", "rejected")])
async def test_objectstack_b_the_answer_picks_the_way(
    store: MemoryStore, answer: str, end: str
) -> None:
    await approval().run({}, store=store, run_id="r")
    result = await approval().resume_run("r", store, signals={"review": answer})
    assert result.path == ["review", end]


async def test_objectstack_b_what_is_to_be_revised_comes_back_to_be_asked_again(
    store: MemoryStore,
) -> None:
    await approval().run({}, store=store, run_id="r")
    for signals in ({"review": "revise"}, {"rework": None}):
        result = await approval().resume_run("r", store, signals=signals)
        assert result.status == "waiting"
    result = await approval().resume_run("r", store, signals={"review": "approve"})
    assert result.path == ["review", "rework", "review", "approved"]


async def test_objectstack_b_what_a_signal_brings_overwrites_nothing(
    store: MemoryStore,
) -> None:
    made = flow([Node("ok", kind="checkpoint")], [])
    await made.run({"n": 1}, store=store, run_id="r")
    payload = {"$error": "x", "n": 2, "state": {}}
    result = await made.resume_run("r", store, signals={"ok": payload})
    assert (result.state, result.outputs) == ({"n": 1}, {"ok": payload})


async def test_objectstack_g_a_screen_is_a_typed_question(store: MemoryStore) -> None:
    form = {
        "type": "object",
        "properties": {"amount": {"type": "integer"}},
        "required": ["amount"],
    }
    made = flow([Node("form", kind="ask", config={"question": "Fill in", "answer": form})], [])
    await made.run({}, store=store, run_id="r")
    (wait,) = events(store, "r", "node_waiting")
    assert wait.data["data"]["schema"] == form
    result = await made.resume_run("r", store, signals={"form": {"amount": "much"}})
    assert result.status == "waiting"
    result = await made.resume_run("r", store, signals={"form": {"amount": 5}})
    assert result.outputs["form"] == {"amount": 5}


class TestResuming:
    """What a resume is told that cannot be done; nothing is written then."""

    async def test_objectstack_b_an_unknown_run(self, store: MemoryStore) -> None:
        with pytest.raises(RunNotFoundError, match="no run `gone`"):
            await approval().resume_run("gone", store)

    async def test_objectstack_b_a_run_that_somebody_else_has(self, store: MemoryStore) -> None:
        await approval().run({}, store=store, run_id="r")
        held = store.open("r")
        with pytest.raises(RunBusyError):
            await approval().resume_run("r", store, signals={"review": "approve"})
        held.close()
        result = await approval().resume_run("r", store, signals={"review": "approve"})
        assert result.status == "completed"

    async def test_objectstack_b_an_id_that_another_run_has(self, store: MemoryStore) -> None:
        await approval().run({}, store=store, run_id="r")
        before = store.trace("r").events
        with pytest.raises(FlowError, match="`r`"):
            await approval().run({}, store=store, run_id="r")
        assert store.trace("r").events == before

    async def test_objectstack_b_a_store_that_cannot_be_read(self, tmp_path: Path) -> None:
        (tmp_path / "x.db").write_bytes(b"no database" * 200)
        with pytest.raises(FlowError, match=r"x\.db"):
            await approval().resume_run("r", open_store(f"sqlite:{tmp_path}/x.db"))

    async def test_objectstack_b_a_signal_that_nothing_waits_for(self, store: MemoryStore) -> None:
        await approval().run({}, store=store, run_id="r")
        before = store.trace("r").events
        with pytest.raises(NotResumableError, match="waits for `review`"):
            await approval().resume_run("r", store, signals={"rework": 1})
        assert store.trace("r").events == before

    async def test_objectstack_b_a_run_that_has_ended(self, store: MemoryStore) -> None:
        await chain(step("a")).run({}, store=store, run_id="r")
        with pytest.raises(NotResumableError, match="has ended: completed"):
            await chain(step("a")).resume_run("r", store)

    async def test_objectstack_b_a_resume_without_the_permission(self, store: MemoryStore) -> None:
        made = chain(
            Node("ok", kind="checkpoint"), step("a"), permissions=Permissions("approve-reads")
        )
        await made.run({}, store=store, run_id="r", granted="approve-reads")
        with pytest.raises(PermissionRefusedError, match="`approve-reads`"):
            await made.resume_run("r", store, signals={"ok": 1})
        assert store.manifest("r").status == "waiting"
