"""Loops, branches, tries and maps as regions (objectstack §b and §g)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowValidationError, Node, Region
from flowrt.stores.memory import MemoryStore
from objectstack_flows import (
    State,
    chain,
    compute,
    events,
    failing,
    flow,
    passing,
    region,
    step,
    steps,
)


def repeat(body: Region, **config: Any) -> Node:
    return Node("each", kind="repeat", config=config, regions={"body": body})


def attempt(tried: Region, catch: Region | None = None, **config: Any) -> Node:
    regions = {"try": tried} if catch is None else {"try": tried, "catch": catch}
    return Node("safely", kind="attempt", config=config, regions=regions)


@pytest.mark.parametrize(
    ("config", "regions", "says"),
    [
        ({"over": [1]}, {}, "`body`"),
        ({}, {"body": region(step("x"))}, "give one of `over` and `while`"),
        ({"over": [1], "max_iterations": 0}, {"body": region(step("x"))}, "`max_iterations`"),
    ],
)
def test_objectstack_b_a_loop_without_a_body_or_a_list_is_refused(
    config: Any, regions: Any, says: str
) -> None:
    with pytest.raises(FlowValidationError, match=says):
        flow([Node("each", kind="repeat", config=config, regions=regions)], [])


async def test_objectstack_b_a_loop_over_an_empty_list_runs_nothing_and_is_done() -> None:
    made = chain(repeat(region(step("x", failing)), over=[]), step("after"))
    result = await made.run({})
    assert result.path == ["each", "after"]
    assert result.outputs["each"]["iterations"] == 0


async def test_objectstack_b_iterations_see_item_and_index_and_nobody_else_does() -> None:
    seen: list[Any] = []

    async def look(state: State) -> State:
        seen.append((state["row"], state["at"]))
        return {**state, "row": "changed"}

    loop = repeat(region(step("x", look)), over="rows", item="row", index="at")
    result = await chain(loop, step("after")).run({"rows": ["a", "b"]})
    assert seen == [("a", 0), ("b", 1)]
    assert result.state == {"rows": ["a", "b"]}


@pytest.mark.parametrize(("given", "bound"), [({}, 1000), ({"max_iterations": 1200}, 1200)])
async def test_objectstack_b_a_loop_is_bounded_before_it_begins(given: Any, bound: int) -> None:
    ran: list[int] = []

    async def count(state: State) -> State:
        ran.append(1)
        return state

    made = flow([repeat(region(step("x", count)), over="rows", **given)], [])
    with pytest.raises(FlowError, match=f"{bound + 1} items .* more than the {bound}"):
        await made.run({"rows": [0] * (bound + 1)})
    assert ran == []
    await made.run({"rows": [0] * bound})
    assert len(ran) == bound


@pytest.mark.parametrize("count", [1, 2, 5])
async def test_objectstack_b_a_parallel_node_has_any_number_of_branches(count: int) -> None:
    branches = {f"b{n}": region(compute("x", str(n))) for n in range(count)}
    result = await flow([Node("split", kind="parallel", regions=branches)], []).run({})
    assert result.outputs["split"] == {f"b{n}": n for n in range(count)}


async def test_objectstack_b_branches_run_at_the_same_time() -> None:
    met = asyncio.Barrier(3)

    async def meets(state: State) -> State:
        await asyncio.wait_for(met.wait(), 10)
        return state

    branches = {name: region(step("x", meets)) for name in "abc"}
    made = chain(Node("split", kind="parallel", regions=branches), step("after"))
    assert (await made.run({})).path == ["x", "x", "x", "split", "after"]


def test_objectstack_b_a_parallel_node_without_branches_is_refused() -> None:
    with pytest.raises(FlowValidationError, match="branch"):
        flow([Node("split", kind="parallel")], [])


async def test_objectstack_b_catch_comes_after_the_last_try_and_learns_of_its_error() -> None:
    tries: list[int] = []

    async def risky(state: State) -> State:
        tries.append(1)
        raise ValueError(f"failure {len(tries)}")

    catch = region(compute("look", "state.why.message"))
    retry = {"attempts": 3, "delay": 0.001}
    node = attempt(region(step("risky", risky)), catch, retry=retry, error="why")
    result = await chain(node, step("after")).run({})
    failure = {"node": "risky", "message": "failure 3", "type": "ValueError"}
    assert result.outputs["safely"] == {
        "attempts": 3, "caught": True, "error": failure, "output": "failure 3"
    }  # fmt: skip
    assert (result.path[-1], result.state) == ("after", {})


@pytest.mark.parametrize("retry", [{"attempts": 101}, {"attempts": 0}, {"maxRetries": 1}])
def test_objectstack_b_retries_are_bounded(retry: Any) -> None:
    with pytest.raises(FlowValidationError, match=r"FL802|FL702"):
        flow([attempt(region(step("x")), retry=retry)], [])


async def test_objectstack_b_a_fault_edge_inside_a_region_comes_before_its_catch() -> None:
    nodes = [step("risky", failing), step("mend")]
    tried = Region(nodes, [Edge("risky", "mend", outcome="failed")], "risky")
    result = await flow([attempt(tried, region(step("caught")))], []).run({})
    assert result.path == ["mend", "safely"]
    assert result.outputs["safely"]["caught"] is False


async def test_objectstack_b_a_region_may_use_the_names_of_the_graph_around_it() -> None:
    inner = region(compute("a", "outputs.a + 1"), compute("b", "outputs.a * 10"))
    made = chain(compute("a", "1"), attempt(inner), compute("b", "outputs.a"))
    result = await made.run({})
    assert result.outputs["safely"]["output"] == 20
    assert (result.outputs["a"], result.outputs["b"]) == (1, 1)


@pytest.mark.parametrize(
    ("nodes", "edges", "code"),
    [
        ("aa", [], "FL104"),
        ("a", [("a", "outside")], "FL105"),
        ("ab", [], "FL106"),
        ("ab", [("a", "b"), ("b", "a")], "FL301"),
    ],
)
def test_objectstack_b_a_region_is_checked_as_a_flow_is(
    nodes: str, edges: list[tuple[str, str]], code: str
) -> None:
    inner = Region(steps(nodes), [Edge(*edge) for edge in edges], "a")
    with pytest.raises(FlowValidationError, match=code):
        chain(step("outside"), attempt(inner))


async def test_objectstack_b_regions_nest_deeper_than_thirty_two() -> None:
    inner = region(compute("leaf", "'here'"))
    for _ in range(40):
        inner = region(repeat(inner, over=[0]))
    made = Flow(nodes=inner.nodes, edges=[], entry="each")
    output = (await made.run({})).outputs["each"]
    for _ in range(39):
        (output,) = output["outputs"]
    assert output["outputs"] == ["here"]


def mapping(child: Flow, **config: Any) -> Flow:
    """A flow that runs another one for each item."""
    inner = {"flow": child.name, "input": {"row": "item"}, "output": "outputs.last"}
    call = Node("call", kind="subflow", config=inner)
    return flow([repeat(region(call), **config)], [], name="top")


async def test_objectstack_b_a_map_runs_one_flow_for_each_item_in_order() -> None:
    child = chain(step("first"), compute("last", "state.row * 2"), name="child")
    result = await mapping(child, over=[1, 2, 3]).run({}, flows={"child": child})
    assert result.outputs["each"]["outputs"] == [2, 4, 6]
    assert result.path == [*["first", "last", "call"] * 3, "each"]


async def test_objectstack_b_a_map_goes_on_with_the_item_that_waited() -> None:
    first = Node("ok", kind="checkpoint")
    child = chain(first, compute("last", "[state.row, outputs.ok]"), name="child")
    made, store = mapping(child, over=[1, 2]), MemoryStore()
    options: Any = {"store": store, "flows": {"child": child}}
    assert (await made.run({}, run_id="r", **options)).status == "waiting"
    for answer in ("one", "two"):
        result = await made.resume_run("r", signals={"ok": answer}, **options)
    assert result.outputs["each"]["outputs"] == [[1, "one"], [2, "two"]]
    done = [event.scope for event in events(store, "r", "node_completed") if event.node == "ok"]
    assert len(done) == len(set(done)) == 2


async def test_objectstack_b_a_map_fails_with_its_first_item_that_does() -> None:
    seen: list[int] = []

    async def risky(state: State) -> State:
        seen.append(state["row"])
        return await (failing if state["row"] == 2 else passing)(state)

    child = chain(step("risky", risky), compute("last", "1"), name="child")
    with pytest.raises(ValueError, match="no luck"):
        await mapping(child, over=[1, 2, 3]).run({}, flows={"child": child})
    assert seen == [1, 2]
