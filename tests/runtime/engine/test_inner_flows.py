"""Flows run inside a flow: their own bounds and hooks, and those of the flow around them."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowResult, Node, Permissions, Region
from flowrt.errors import MergeConflictError, PermissionRefusedError, StepLimitError
from flowrt.stores.memory import MemoryStore

State = dict[str, Any]


async def add(state: State) -> State:
    return {**state, "n": state.get("n", 0) + 1}


def more(state: State) -> bool:
    return bool(state["n"] < 5)


def call(name: str = "call", flow: str = "inner", **config: Any) -> Node:
    return Node(name, kind="subflow", config={"flow": flow, "into": "got", **config})


def outer(*nodes: Node, **options: Any) -> Flow:
    edges = [Edge(a.name, b.name) for a, b in itertools.pairwise(nodes)]
    return Flow(nodes=nodes, edges=edges, entry=nodes[0].name, name="outer", **options)


def inner(name: str = "inner", **options: Any) -> Flow:
    """Counts to five in five steps, and says so."""
    nodes = [Node("count", add, "loop"), Node("say", add)]
    edges = [Edge("count", "count", more), Edge("count", "say")]
    return Flow(nodes=nodes, edges=edges, entry="count", name=name, **options)


async def run(flow: Flow, *flows: Flow, **options: Any) -> FlowResult:
    return await flow.run({}, flows={each.name: each for each in flows}, **options)


async def test_the_step_limit_of_an_inner_flow_holds() -> None:
    with pytest.raises(StepLimitError, match="flow `inner` took its 3 steps"):
        await run(outer(call()), inner(max_steps=3))
    assert (await run(outer(call(), call("twice")), inner(max_steps=6))).status == "completed"


async def test_the_step_limit_of_the_outer_flow_counts_inner_steps() -> None:
    with pytest.raises(StepLimitError, match="flow `outer` took its 4 steps"):
        await run(outer(call(), max_steps=4), inner())


@pytest.mark.parametrize("stopping", ["inner", "outer"])
async def test_the_kill_switch_of_either_halts_the_run(stopping: str) -> None:
    asked: list[str] = []

    def stop() -> bool:
        asked.append("?")
        return len(asked) > 3

    switches = {stopping: stop}
    result = await run(
        outer(call(), kill_switch=switches.get("outer")), inner(kill_switch=switches.get("inner"))
    )
    assert (result.status, result.halted, result.halted_at) == ("halted", True, "count")


async def test_hooks_belong_to_the_flow_whose_node_it_is() -> None:
    heard: list[str] = []
    watched = outer(call(), on_node=lambda node, _: heard.append(f"outer {node}"))
    told = inner(on_node=lambda node, _: heard.append(f"inner {node}"))
    await run(watched, told)
    assert heard == ["inner count"] * 5 + ["inner say", "outer call"]


async def test_states_are_merged_as_the_inner_flow_says() -> None:
    nodes = [Node(name, add) for name in "abcd"]
    edges = [Edge("a", "b"), Edge("a", "c"), Edge("b", "d"), Edge("c", "d")]

    def diamond(**options: Any) -> Flow:
        return Flow(nodes=nodes, edges=edges, entry="a", name="inner", routing="all", **options)

    with pytest.raises(MergeConflictError):
        await run(outer(call(), merge={"n": "add"}), diamond())
    result = await run(outer(call()), diamond(merge={"n": "add"}))
    assert result.state["got"]["n"] == 4


async def test_the_input_of_an_inner_flow_is_what_it_was_given() -> None:
    node = Node("tell", lambda world: world.input, kind="compute")
    told = Flow(nodes=[node], edges=[], entry="tell", name="inner")
    asks = call(input={"x": "input.x"}, output="outputs.tell")
    result = await outer(asks).run({"x": 3, "y": 4}, flows={"inner": told})
    assert result.state["got"] == {"x": 3}


@pytest.mark.parametrize("nested", [False, True])
async def test_permissions_of_inner_flows_are_checked_before_anything_runs(nested: bool) -> None:
    ran: list[str] = []
    strict = inner(permissions=Permissions("approve-all", reason="it writes"))
    middle = Flow(nodes=[call()], edges=[], entry="call", name="middle")
    region = Region([call(flow="middle")], [], "call")
    inside = Node("try", kind="attempt", regions={"try": region}) if nested else call()
    flow = outer(Node("first", add), inside, on_node=lambda node, _: ran.append(node))
    for granted in (None, "approve-reads"):
        with pytest.raises(PermissionRefusedError, match=r"`inner` needs .*: it writes"):
            await run(flow, strict, middle, granted=granted)
    assert ran == []
    assert (await run(flow, strict, middle, granted="approve-all")).status == "completed"


async def test_flows_beside_each_other_are_not_deep() -> None:
    branches = {f"b{i}": Region([call()], [], "call") for i in range(20)}
    split = Node("split", kind="parallel", regions=branches, config={"merge": {"got": "first"}})
    result = await run(outer(split), inner())
    assert result.status == "completed"


async def test_flows_that_run_themselves_come_to_an_end() -> None:
    endless = Flow(nodes=[call()], edges=[], entry="call", name="inner")
    with pytest.raises(FlowError, match="nested deeper than 16 at `inner`"):
        await run(endless, endless)


async def test_steps_of_an_inner_flow_are_told_with_their_parent() -> None:
    store = MemoryStore()
    result = await run(outer(call()), inner(), store=store)
    assert result.run_id is not None
    events = store.trace(result.run_id).events
    begun = next(event for event in events if event.type == "region_started")
    assert begun.data == {"kind": "flow", "iteration": None, "parent": "call"}
    inside = [event.node for event in events if event.scope == begun.scope and event.node]
    assert inside == ["count"] * 5 + ["say"]
    ended = next(event for event in events if event.type == "region_ended")
    assert (ended.scope, ended.data["outcome"]) == (begun.scope, "ok")


async def test_slots_are_of_the_flow_whose_node_runs() -> None:
    inside: list[str] = []
    most: list[int] = []

    async def busy(state: State) -> State:
        inside.append("x")
        most.append(len(inside))
        await asyncio.sleep(0)
        inside.pop()
        return dict(state)

    nodes = [Node(name, busy) for name in "abc"]
    edges = [Edge("a", "b"), Edge("a", "c")]
    wide = Flow(nodes=nodes, edges=edges, entry="a", name="inner", routing="all", max_parallel=1)
    await run(outer(call(), routing="all", max_parallel=1), wide)
    assert most == [1, 1, 1]
