"""Failures beside the nodes: guards, switches that stop, bounds, cancellation, depth."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowValidationError, Node, Region, Retry
from flowrt.errors import (
    NodeCancelledError,
    NodeResultError,
    StepLimitError,
    UnroutableError,
)
from flowrt.stores.memory import MemoryStore

State = dict[str, Any]


@pytest.fixture(params=["plain", "kept"])
def store(request: pytest.FixtureRequest) -> MemoryStore | None:
    return MemoryStore() if request.param == "kept" else None


async def passes(state: State) -> State:
    return state


async def fails(state: State) -> State:
    raise ValueError("the node")


def broken_guard(state: State) -> bool:
    raise ZeroDivisionError("the guard")


async def later() -> bool:
    return False


def later_guard(state: State) -> bool:
    return later()  # type: ignore[return-value]


def pair(*edges: Edge, **options: Any) -> Flow:
    nodes = [Node("a", options.pop("run", passes), options.pop("kind", "step")), Node("b", passes)]
    return Flow(nodes=nodes, edges=edges or [Edge("a", "b")], entry="a", **options)


@pytest.mark.parametrize("routing", ["first", "all"])
async def test_a_guard_that_fails_after_a_failure_does_not_hide_it(routing: Any) -> None:
    kept = MemoryStore()
    flow = pair(Edge("a", "b", broken_guard, outcome="failed"), run=fails, routing=routing)
    with pytest.raises(ZeroDivisionError) as caught:
        result = await flow.run({}, store=kept, run_id="r")
        assert result.status == "failed"
        raise ZeroDivisionError(result.failed["a"]) from ValueError("the node")
    assert str(caught.value.__cause__) == "the node"
    (failure,) = [event for event in kept.trace("r").events if event.type == "node_failed"]
    assert failure.data["error"] == "ValueError: the node"


async def test_a_guard_that_has_to_be_awaited_is_an_error(store: MemoryStore | None) -> None:
    flow = pair(Edge("a", "b", later_guard), Edge("a", "b"))
    with pytest.raises(FlowError, match=r"guard on the edge from `a` to `b` .* is async"):
        await flow.run({}, store=store)


async def test_a_kill_switch_that_has_to_be_awaited_is_an_error(store: MemoryStore | None) -> None:
    flow = pair(kill_switch=lambda: later_guard({}))
    with pytest.raises(FlowError, match="the kill switch of flow `flow` is async"):
        await flow.run({}, store=store)


@pytest.mark.parametrize("value", [None, 3, [("a", 1)]])
async def test_a_step_has_to_return_a_dict(store: MemoryStore | None, value: Any) -> None:
    async def odd(state: State) -> State:
        return value  # type: ignore[no-any-return]

    returned = "nothing" if value is None else f"a {type(value).__name__}"
    with pytest.raises(NodeResultError, match=f"node `a` of flow `flow` returned {returned}"):
        await pair(run=odd).run({}, store=store)


async def test_where_all_edges_are_taken_a_gate_has_to_let_something_through() -> None:
    kept = MemoryStore()
    gate = pair(Edge("a", "b", "state.open"), kind="gate", routing="all")
    result = await gate.run({"open": False}, store=kept, run_id="r")
    assert (result.status, result.blocked) == ("failed", ["b"])
    assert result.failed["a"].startswith(UnroutableError.__name__)
    again = await gate.resume_run("r", kept)
    assert (again.status, again.path) == ("failed", ["a"])
    assert (await gate.run({"open": True})).path == ["a", "b"]
    step = pair(Edge("a", "b", "state.open"), routing="all")
    assert (await step.run({"open": False})).skipped == ["b"]


async def test_the_step_limit_ends_the_run_and_no_region_makes_up_for_it() -> None:
    ran: list[str] = []

    def noted(name: str) -> Node:
        return Node(name, lambda _: ran.append(name), kind="compute")

    tried = Node(
        "tried",
        kind="attempt",
        config={"retry": {"attempts": 4, "delay": 60}},
        regions={
            "try": Region([noted("x"), noted("y")], [Edge("x", "y")], "x"),
            "catch": Region([noted("caught")], [], "caught"),
        },
        retry=Retry(attempts=3, delay=60),
    )
    kept = MemoryStore()

    def flow(limit: int) -> Flow:
        edges = [Edge("tried", "e", outcome="failed")]
        return Flow(nodes=[tried, noted("e")], edges=edges, entry="tried", max_steps=limit)

    with pytest.raises(StepLimitError, match="would go on with `y`"):
        await asyncio.wait_for(flow(2).run({}, store=kept, run_id="r"), 10)
    assert ran == ["x"]
    result = await flow(20).resume_run("r", kept)
    assert (result.status, ran) == ("completed", ["x", "y"])


async def test_the_step_limit_of_an_inner_flow_can_be_made_up_for() -> None:
    inner = pair(name="inner", max_steps=1)
    call = Node("call", kind="subflow", config={"flow": "inner"})
    edges = [Edge("call", "b", outcome="failed")]
    outer = Flow(nodes=[call, Node("b", passes)], edges=edges, entry="call")
    assert (await outer.run({}, flows={"inner": inner})).path[-1] == "b"


async def gives_up(state: State) -> State:
    task = asyncio.ensure_future(asyncio.sleep(60))
    asyncio.get_running_loop().call_soon(task.cancel)
    await task
    return state


@pytest.mark.parametrize("routing", ["first", "all"])
async def test_a_node_whose_own_work_was_cancelled_can_be_followed(routing: Any) -> None:
    kept = MemoryStore()
    edges = [Edge("a", "b", outcome="cancelled"), Edge("a", "c", outcome="failed")]
    nodes = [
        Node("a", gives_up, retry=Retry(attempts=3, delay=60)),
        Node("b", passes),
        Node("c", passes),
    ]
    flow = Flow(nodes=nodes, edges=edges, entry="a", routing=routing)
    result = await asyncio.wait_for(flow.run({}, store=kept, run_id="r"), 10)
    assert (result.path, result.results["a"].outcome) == (["b"], "cancelled")
    (ended,) = [event for event in kept.trace("r").events if event.type == "node_failed"]
    assert ended.data["outcome"] == "cancelled"


async def test_unfollowed_it_fails_the_run() -> None:
    kept = MemoryStore()
    flow = pair(run=gives_up)
    with pytest.raises(NodeCancelledError, match="what node `a` waited for was cancelled"):
        await flow.run({}, store=kept, run_id="r")
    assert kept.manifest("r").status == "failed"


async def test_cancelling_the_run_is_no_outcome_of_a_node() -> None:
    kept = MemoryStore()

    async def waits(state: State) -> State:
        await asyncio.sleep(60)
        return state

    flow = pair(Edge("a", "b", outcome="cancelled"), run=waits)
    task = asyncio.ensure_future(flow.run({}, store=kept, run_id="r"))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert kept.manifest("r").status == "cancelled"


class Stubborn:
    """A node that goes on when it is asked to stop."""

    def __init__(self) -> None:
        self.began = asyncio.Event()

    async def __call__(self, state: State) -> State:
        self.began.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return {**state, "stubborn": True}
        return state


async def test_a_cancellation_that_a_node_does_not_heed_ends_the_run(
    store: MemoryStore | None,
) -> None:
    ran: list[str] = []
    stubborn = Stubborn()

    async def stays(state: State) -> State:
        return await stubborn(state)

    async def after(state: State) -> State:
        ran.append("after")
        return state

    flow = Flow(nodes=[Node("a", stays), Node("b", after)], edges=[Edge("a", "b")], entry="a")
    task = asyncio.ensure_future(flow.run({}, store=store, run_id="r"))
    await stubborn.began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ran == []
    assert store is None or store.manifest("r").status == "cancelled"


async def test_a_cancelled_branch_goes_no_further_than_the_node_that_does_not_heed_it() -> None:
    ran: list[str] = []
    stubborn = Stubborn()

    async def stays(state: State) -> State:
        return await stubborn(state)

    async def after(state: State) -> State:
        ran.append("after")
        return state

    async def breaks(state: State) -> State:
        await stubborn.began.wait()
        raise ValueError("it broke")

    branches = {
        "one": Region([Node("a", stays), Node("b", after)], [Edge("a", "b")], "a", name="one"),
        "two": Region([Node("c", breaks)], [], "c", name="two"),
    }
    flow = Flow(nodes=[Node("both", kind="parallel", regions=branches)], edges=[], entry="both")
    for store in (None, MemoryStore()):
        stubborn.began.clear()
        with pytest.raises(ValueError, match="it broke"):
            await flow.run({}, store=store)
        assert ran == []


async def test_a_request_to_stop_from_before_is_not_meant_for_the_run() -> None:
    flow = pair(run=passes)

    async def cleans_up() -> list[list[str]]:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            runs = [await flow.run({}), await flow.run({}, store=MemoryStore())]
        return [run.path for run in runs]

    task = asyncio.ensure_future(cleans_up())
    await asyncio.sleep(0)
    task.cancel()
    assert await task == [["a", "b"], ["a", "b"]]


def nested(depth: int) -> Flow:
    """Attempts within attempts, each of which counts before it tries the next."""

    async def count(state: State) -> State:
        return {"n": state["n"] + 1}

    node = Node("n", count)
    for _ in range(depth):
        region = Region([Node("count", count), node], [Edge("count", node.name)], "count")
        node = Node("t", kind="attempt", regions={"try": region})
    return Flow(nodes=[node], edges=[], entry="t")


async def test_regions_stand_in_up_to_64_others() -> None:
    result = await nested(64).run({"n": 0}, store=MemoryStore(), run_id="r")
    assert result.state == {"n": 65}
    for depth in (65, 300):
        with pytest.raises(FlowValidationError, match="stand in 64 others"):
            nested(depth)


@pytest.mark.parametrize("state", [[1], "text", 3])
async def test_a_run_begins_with_a_dict(store: MemoryStore | None, state: Any) -> None:
    ran = []

    async def first(given: State) -> State:
        ran.append(given)
        return {}

    flow = Flow(nodes=[Node("first", first)], edges=[], entry="first", name="f")
    said = f"flow `f` is run with a state of type {type(state).__name__}"
    with pytest.raises(FlowError, match=said):
        await flow.run(state, store=store)
    with pytest.raises(FlowError, match=said):
        await flow.resume(state, "first")
    assert ran == []
    assert store is None or list(store.runs()) == []


async def test_what_merges_is_named_when_it_fails() -> None:
    def broken(one: Any, other: Any) -> Any:
        raise KeyError("pages")

    def writes(name: str) -> Node:
        return Node(name, lambda state: {**state, "k": name})

    nodes = [Node("a", kind="start"), writes("b"), writes("c"), Node("d", kind="end", join="all")]
    edges = [Edge("a", "b"), Edge("a", "c"), Edge("b", "d"), Edge("c", "d")]
    store = MemoryStore()
    for merge, notes in (
        ({"k": broken}, ["in what merges `k`", "where ways of flow `f` meet"]),
        ({}, ["where ways of flow `f` meet"]),
    ):
        flow = Flow(nodes=nodes, edges=edges, entry="a", routing="all", name="f", merge=merge)  # type: ignore[arg-type]
        with pytest.raises((KeyError, FlowError)) as raised:
            await flow.run({}, store=store, run_id=f"r{len(notes)}")
        assert raised.value.__notes__ == notes
    assert store.manifest("r2").error == "KeyError: 'pages' (in what merges `k`)"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"store": "runs"}, "a store of type str: it has to be a run store"),
        ({"store": MemoryStore}, "a store that is the class MemoryStore: it has to be"),
        ({"services": 3}, "services of type int: they have to be a mapping by their names"),
        ({"flows": ["other"]}, "flows of type list: they have to be a mapping by their names"),
    ],
)
async def test_what_a_run_is_given_has_to_be_of_its_kind(given: Any, says: str) -> None:
    flow = Flow(nodes=[Node("a", kind="end")], edges=[], entry="a", name="f")
    with pytest.raises(FlowError, match=re.escape(f"flow `f` is run with {says}")) as caught:
        await flow.run({}, **given)
    assert "\n" not in str(caught.value)
    again = {"store": MemoryStore(), **given}
    with pytest.raises(FlowError, match=re.escape(f"flow `f` is run with {says}")):
        await flow.resume_run("r", **again)


async def test_a_run_is_gone_on_with_from_a_store() -> None:
    flow = Flow(nodes=[Node("a", kind="end")], edges=[], entry="a", name="f")
    with pytest.raises(FlowError, match="flow `f` is run with a store of type NoneType"):
        await flow.resume_run("r", None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["signals", "secrets"])
async def test_answers_and_secrets_are_given_by_name(name: str) -> None:
    flow = Flow(nodes=[Node("a", kind="checkpoint")], edges=[], entry="a", name="f")
    store = MemoryStore()
    await flow.run({}, store=store, run_id="r")
    with pytest.raises(FlowError, match=f"flow `f` is run with {name} of type list"):
        await flow.resume_run("r", store, **{name: ["a"]})  # type: ignore[arg-type]
