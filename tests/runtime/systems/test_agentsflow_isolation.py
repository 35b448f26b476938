"""What branches, tries and failures leave behind for others: nothing (agentsflow §b and §g)."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from agentsflow_flows import AT_ONCE, State, broken_off, fails, fails_times, flow, same, writes
from flowrt import Edge, Flow, Node
from flowrt.errors import MergeConflictError

FORK = [Edge("s", "a"), Edge("s", "b"), Edge("a", "end"), Edge("b", "end")]


async def in_place(state: State) -> State:
    """Writes where it should not: into the state it was given."""
    state["n"] = state.get("n", 0) + 1
    state["log"].append(state["n"])
    await asyncio.sleep(0)
    return state


async def test_agentsflow_g_branches_that_write_in_place_are_told_of_their_conflict() -> None:
    """There `shared_data` is one for all, and the last one wins."""
    nodes = [Node("s", same), Node("a", in_place), Node("b", in_place), Node("end", same)]
    with pytest.raises(MergeConflictError, match="`a` and `b`"):
        await flow(nodes, FORK).run({"log": []})
    merged = await flow(nodes, FORK, merge={"n": "add", "log": "extend"}).run({"log": []})
    assert merged.state == {"n": 2, "log": [1, 1]}


async def test_agentsflow_g_what_one_branch_writes_in_place_no_other_sees() -> None:
    seen: list[State] = []

    async def looks(state: State) -> State:
        await asyncio.sleep(0.01)
        seen.append(dict(state))
        return state

    nodes = [Node("s", same), Node("a", in_place), Node("b", looks), Node("end", same)]
    result = await flow(nodes, FORK).run({"log": []})
    assert seen == [{"log": []}]
    assert result.state == {"n": 1, "log": [1]}


async def test_agentsflow_g_writes_in_place_before_a_fork_are_no_conflict_behind_it() -> None:
    nodes = [
        *(Node(name, same) for name in ("s", "x", "c", "d", "end")),
        Node("j", in_place),
        Node("k", writes("k")),
    ]
    edges = [Edge("s", "j"), Edge("s", "k"), Edge("j", "x"), Edge("x", "c"), Edge("x", "d")]
    edges += [Edge("c", "end"), Edge("d", "end"), Edge("k", "end")]
    result = await flow(nodes, edges, entry="s").run({"log": []})
    assert result.state == {"n": 1, "log": [1], "k": True}


async def test_agentsflow_g_two_joins_do_not_share_what_no_branch_wrote() -> None:
    nodes = [
        Node("s", same),
        *(Node(name, writes(name)) for name in "abcd"),
        Node("x", in_place),
        Node("y", in_place),
    ]
    edges = [Edge("s", name) for name in "abcd"]
    edges += [Edge("a", "x"), Edge("b", "x"), Edge("c", "y"), Edge("d", "y")]
    result = await flow(nodes, edges, merge={"n": "last", "log": "extend"}).run({"log": []})
    assert (result.outputs["x"]["log"], result.outputs["y"]["log"]) == ([1], [1])
    assert result.state["log"] == [1, 1]


@pytest.mark.parametrize("place", ["before", "after"])
async def test_agentsflow_g_actions_set_the_state_of_their_own_branch_only(place: str) -> None:
    seen: list[State] = []

    async def looks(state: State) -> State:
        await asyncio.sleep(0.01)
        seen.append(dict(state))
        return state

    action = {"type": "set-context", "key": "x", "value": 1}
    nodes = [Node("s", same), Node("a", same, **{place: [action]}), Node("b", looks)]
    given: State = {}
    result = await flow(nodes, [Edge("s", "a"), Edge("s", "b")]).run(given)
    assert (seen, given, result.state) == ([{}], {}, {"x": 1})


async def test_agentsflow_b_what_a_failed_try_wrote_in_place_the_next_one_does_not_see() -> None:
    tries: list[int] = []

    async def half(state: State) -> State:
        state["n"] = state.get("n", 0) + 1
        tries.append(state["n"])
        if len(tries) < 3:
            raise ConnectionError("not yet")
        return state

    result = await flow([Node("a", half, retry=AT_ONCE)], []).run({})
    assert (tries, result.state) == ([1, 1, 1], {"n": 1})


async def test_agentsflow_b_actions_before_a_node_that_is_retried_count() -> None:
    action = {"type": "set-context", "key": "x", "value": 1}
    node = Node("a", lambda context: 1, "compute", retry=AT_ONCE, before=[action])
    assert (await flow([node], []).run({})).state == {"x": 1}


async def test_agentsflow_b_a_failure_that_its_handler_did_not_take_up_fails_the_run() -> None:
    """Nothing completed here, so the run is not completed."""
    nodes = [Node("a", fails), Node("b", same), Node("rescue", same, join="all")]
    edges = [Edge("a", "b"), Edge("a", "rescue", outcome="failed"), Edge("b", "rescue")]
    result = await flow(nodes, edges).run({})
    assert (result.status, result.path) == ("failed", [])
    assert result.blocked == ["b", "rescue"]
    nodes.append(Node("other", writes("other")))
    both = await flow(nodes, [*edges, Edge("a", "other", outcome="failed")]).run({})
    assert (both.status, both.path) == ("completed", ["other"])


@pytest.mark.parametrize(("run", "said"), [(fails, "failed always"), (same, "ok always")])
async def test_agentsflow_b_actions_run_after_the_end_they_are_meant_for(
    run: Any, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """There all of them run after a failure, too."""
    caplog.set_level(logging.INFO, "flowrt.actions")
    after = [{"type": "log", "message": when, "when": when} for when in ("ok", "failed", "always")]
    await flow([Node("a", run, after=after)], []).run({})
    told = [record.getMessage() for record in caplog.records if record.name == "flowrt.actions"]
    assert told == said.split()


async def test_agentsflow_b_actions_for_failures_run_when_all_tries_are_used_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "flowrt.actions")
    after = [{"type": "log", "message": "gave up: {error}", "when": "failed"}]
    await flow([Node("a", fails_times(2), retry=AT_ONCE, after=after)], []).run({})
    assert caplog.records == []
    await flow([Node("a", fails_times(3), retry=AT_ONCE, after=after)], []).run({})
    assert [record.getMessage() for record in caplog.records] == ["gave up: not yet"]


@pytest.mark.parametrize("later", [1, 2])
async def test_agentsflow_g_one_write_that_comes_over_two_ways_is_no_conflict(later: int) -> None:
    """Nor is one that was written over on one of the ways."""
    nodes = [
        *(Node(name, same) for name in ("s", "end")),
        Node("j", writes("n", 1)),
        *(Node(name, writes(name)) for name in "kd"),
        Node("c", writes("n", later)),
    ]
    edges = [Edge("s", "j"), Edge("s", "k"), Edge("j", "c"), Edge("j", "d")]
    edges += [Edge(name, "end") for name in "cdk"]
    result = await flow(nodes, edges).run({})
    assert result.state == {"n": later, "k": True, "d": True}


async def test_agentsflow_g_two_writes_behind_one_are_a_conflict() -> None:
    nodes = [
        *(Node(name, same) for name in ("s", "end")),
        Node("j", writes("n", 1)),
        Node("k", writes("k")),
        Node("c", writes("n", 2)),
        Node("d", writes("n", 3)),
    ]
    edges = [Edge("s", "j"), Edge("s", "k"), Edge("j", "c"), Edge("j", "d")]
    edges += [Edge(name, "end") for name in "cdk"]
    with pytest.raises(MergeConflictError, match="`c` and `d` all wrote `n`"):
        await flow(nodes, edges).run({})


async def test_agentsflow_g_a_resumed_run_knows_who_wrote_what(tmp_path: Path) -> None:
    def make(ran: list[str]) -> Flow:
        names = ("s", "end", "k", "c1", "c2", "d1", "d2")
        nodes = [*(Node(name, writes(name)) for name in names), Node("j", writes("rows", [1, 2]))]
        edges = [Edge("s", "j"), Edge("s", "k"), Edge("j", "c1"), Edge("j", "d1")]
        edges += [Edge("c1", "c2"), Edge("d1", "d2")]
        return flow(nodes, [*edges, *(Edge(name, "end") for name in ("c2", "d2", "k"))])

    async for _, result, _ in broken_off(make, tmp_path, {}):
        assert (result.status, result.terminal) == ("completed", "end")
        assert result.state["rows"] == [1, 2]
