"""All-matching routing: joins, skips and failures that stay local."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowValidationError, Node, Region, Switch
from flowrt.authoring import Merge
from flowrt.errors import MergeConflictError

State = dict[str, Any]


def writes(key: str, value: Any = True) -> Any:
    async def run(state: State) -> State:
        return {**state, key: value}

    return run


async def fails(state: State) -> State:
    raise RuntimeError("broken")


def flow(
    nodes: dict[str, Any],
    edges: list[Edge | Switch],
    joins: dict[str, str] | None = None,
    merge: dict[str, Merge] | None = None,
    **options: Any,
) -> Flow:
    made = [
        Node(name, run, join=(joins or {}).get(name, "any"))  # type: ignore[arg-type]
        for name, run in nodes.items()
    ]
    return Flow(
        nodes=made, edges=edges, entry=next(iter(nodes)), routing="all", merge=merge, **options
    )


DIAMOND = [Edge("a", "b"), Edge("a", "c"), Edge("b", "d"), Edge("c", "d")]


async def test_a_diamond_runs_the_join_once_with_what_both_wrote() -> None:
    result = await flow({n: writes(n) for n in "abcd"}, DIAMOND).run({})
    assert sorted(result.path) == ["a", "b", "c", "d"] and result.path[-1] == "d"
    assert result.state == {"a": True, "b": True, "c": True, "d": True}
    assert (result.status, result.terminal) == ("completed", "d")


async def test_branches_run_beside_each_other() -> None:
    met = asyncio.Barrier(2)

    async def meets(state: State) -> State:
        await asyncio.wait_for(met.wait(), 5)
        return state

    nodes = {"a": writes("a"), "b": meets, "c": meets, "d": writes("d")}
    assert (await flow(nodes, DIAMOND).run({})).status == "completed"


async def test_max_parallel_limits_them() -> None:
    now, most = 0, 0

    async def counts(state: State) -> State:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.01)
        now -= 1
        return state

    names = [f"n{i}" for i in range(6)]
    nodes = {"a": writes("a"), **dict.fromkeys(names, counts)}
    edges: list[Edge | Switch] = [Edge("a", name) for name in names]
    await flow(nodes, edges, max_parallel=2).run({})
    assert most == 2


async def test_a_way_not_taken_is_skipped_and_so_is_what_follows_it() -> None:
    edges: list[Edge | Switch] = [
        Edge("a", "b", when=lambda s: False),
        Edge("a", "c"),
        Edge("b", "x"),
        Edge("c", "d"),
        Edge("x", "d"),
    ]
    result = await flow({n: writes(n) for n in "abcxd"}, edges).run({})
    assert result.skipped == ["b", "x"]
    assert result.path == ["a", "c", "d"]


async def test_join_all_demands_every_way() -> None:
    edges: list[Edge | Switch] = [
        Edge("a", "b"),
        Edge("a", "c", when=lambda s: False),
        Edge("b", "d"),
        Edge("c", "d"),
    ]
    nodes = {n: writes(n) for n in "abcd"}
    assert (await flow(nodes, edges).run({})).path == ["a", "b", "d"]
    result = await flow(nodes, edges, joins={"d": "all"}).run({})
    assert result.path == ["a", "b"] and result.skipped == ["c", "d"]


async def test_a_failure_stays_local() -> None:
    edges: list[Edge | Switch] = [
        Edge("a", "b"),
        Edge("a", "c"),
        Edge("b", "x"),
        Edge("c", "d"),
    ]
    nodes = {n: writes(n) for n in "acxd"} | {"b": fails}
    nodes = {name: nodes[name] for name in "abcxd"}
    result = await flow(nodes, edges).run({})
    assert result.status == "failed"
    assert result.failed == {"b": "RuntimeError: broken"}
    assert result.blocked == ["x"] and result.path == ["a", "c", "d"]


async def test_nothing_that_ran_is_never_called_completed() -> None:
    result = await flow({"a": fails, "b": writes("b")}, [Edge("a", "b")]).run({})
    assert (result.status, result.path, result.blocked) == ("failed", [], ["b"])


async def test_outcome_edges_take_up_a_failure() -> None:
    edges: list[Edge | Switch] = [Edge("a", "b"), Edge("a", "rescue", outcome="failed")]
    nodes = {"a": fails, "b": writes("b"), "rescue": writes("rescued")}
    result = await flow(nodes, edges).run({})
    assert result.path == ["rescue"] and result.state == {"rescued": True}
    assert result.status == "completed" and result.blocked == ["b"]


async def test_two_branches_that_write_one_key_need_a_merge() -> None:
    nodes = {"a": writes("a"), "b": writes("x", 1), "c": writes("x", 2), "d": writes("d")}
    with pytest.raises(MergeConflictError, match="x"):
        await flow(nodes, DIAMOND).run({})
    result = await flow(nodes, DIAMOND, merge={"x": "last"}).run({})
    assert result.state["x"] == 2


async def test_what_came_before_the_fork_is_no_conflict() -> None:
    async def grows(state: State) -> State:
        return {**state, "log": [*state["log"], len(state["log"])]}

    nodes = dict.fromkeys("abcd", grows)
    result = await flow(nodes, DIAMOND, merge={"log": "extend"}).run({"log": []})
    assert result.state["log"] == [0, 1, 1, 3]


async def test_a_switch_leads_by_value() -> None:
    async def classify(state: State) -> State:
        return {**state, "route": state["n"]}

    edges: list[Edge | Switch] = [Switch("a", "$.route", {"1": "b", "2": "c"}, default="d")]
    nodes = {"a": classify, "b": writes("b"), "c": writes("c"), "d": writes("d")}
    for number, name in ((1, "b"), (2, "c"), (7, "d")):
        assert (await flow(nodes, edges).run({"n": number})).path == ["a", name]


async def test_a_switch_without_a_case_names_value_and_cases() -> None:
    edges: list[Edge | Switch] = [Switch("a", "$.route", {"x": "b"})]
    nodes = {"a": writes("route", "y"), "b": writes("b")}
    result = await flow(nodes, edges).run({})
    assert result.status == "failed"
    assert "no case `y`, only `x`" in result.failed["a"]


async def test_cel_guards() -> None:
    pytest.importorskip("cel")
    edges: list[Edge | Switch] = [
        Edge("a", "b", when="state.n > 3 && 'x' in state.tags"),
        Edge("a", "c", when="state.n <= 3"),
    ]
    nodes = {n: writes(n) for n in "abc"}
    assert (await flow(nodes, edges).run({"n": 5, "tags": ["x"]})).path == ["a", "b"]
    assert (await flow(nodes, edges).run({"n": 1, "tags": []})).path == ["a", "c"]


def test_cycles_are_refused() -> None:
    with pytest.raises(FlowValidationError, match="FL303"):
        flow({n: writes(n) for n in "ab"}, [Edge("a", "b"), Edge("b", "a")])


async def test_the_kill_switch_stops_what_has_not_started() -> None:
    seen: list[str] = []

    def run(name: str) -> Any:
        async def node(state: State) -> State:
            seen.append(name)
            return state

        return node

    nodes = {n: run(n) for n in "abcd"}
    result = await flow(nodes, DIAMOND, kill_switch=lambda: len(seen) >= 2).run({})
    assert result.halted and result.status == "halted"
    assert "d" not in seen


async def test_a_hook_error_is_not_swallowed() -> None:
    def hook(name: str, state: State) -> None:
        if name == "b":
            raise FlowError("hook")

    result = await flow({n: writes(n) for n in "abcd"}, DIAMOND, on_node=hook).run({})
    assert result.status == "failed" and "hook" in result.failed["b"]


@pytest.mark.parametrize("routing", ["first", "all"])
async def test_nodes_in_regions_take_slots_and_the_node_around_them_takes_none(
    routing: Any,
) -> None:
    inside: list[str] = []
    most: list[int] = []

    async def busy(state: State) -> State:
        inside.append("x")
        most.append(len(inside))
        await asyncio.sleep(0)
        inside.pop()
        return dict(state)

    def branch() -> Region:
        return Region([Node("x", busy), Node("y", busy)], [Edge("x", "y")], "x", routing)

    split = Node("split", kind="parallel", regions={name: branch() for name in "abc"})
    made = Flow(nodes=[split], edges=[], entry="split", routing=routing, max_parallel=2)
    result = await asyncio.wait_for(made.run({}), 5)
    assert result.status == "completed"
    assert (len(most), max(most)) == (6, 2)
