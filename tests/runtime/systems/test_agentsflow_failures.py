"""What becomes of failures: retries, status, and what the result says (agentsflow §b)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agentsflow_flows import AT_ONCE, Listener, State, fails, fails_times, flow, same, writes
from flowrt import Edge, Node, Region, Retry
from flowrt.nodes.voting import Ballot


async def test_agentsflow_b_a_failure_is_local_and_the_result_tells_each_node_apart() -> None:
    edges = [
        Edge("start", "good"),
        Edge("start", "bad"),
        Edge("start", "unwanted", when=lambda s: False),
        Edge("good", "after_good"),
        Edge("bad", "after_bad"),
        Edge("after_bad", "later"),
    ]
    names = ("start", "good", "unwanted", "after_good", "after_bad", "later")
    nodes = [*(Node(name, writes(name)) for name in names), Node("bad", fails)]
    result = await flow(nodes, edges).run({})
    assert result.path == ["start", "good", "after_good"]
    assert result.failed == {"bad": "RuntimeError: broken"}
    assert result.skipped == ["unwanted"]
    assert result.blocked == ["after_bad", "later"]
    everything = {*result.path, *result.failed, *result.skipped, *result.blocked}
    assert everything == {node.name for node in nodes}


@pytest.mark.parametrize(
    ("broken", "status"), [("", "completed"), ("b", "failed"), ("bc", "failed"), ("a", "failed")]
)
async def test_agentsflow_b_a_run_with_an_unhandled_failure_is_failed_and_not_partial(
    broken: str, status: str
) -> None:
    """A run that also had a success is called partial there; here the lists say so."""
    nodes = [Node(name, fails if name in broken else writes(name)) for name in "abc"]
    result = await flow(nodes, [Edge("a", "b"), Edge("a", "c")]).run({})
    assert result.status == status
    assert set(result.failed) == set(broken)


async def test_agentsflow_b_a_run_in_which_nothing_completed_is_never_completed() -> None:
    result = await flow([Node("a", fails), Node("b", same)], [Edge("a", "b")]).run({})
    assert (result.status, result.path, result.terminal) == ("failed", [], None)


async def test_agentsflow_b_a_failure_is_told_when_all_tries_are_used_up_at_once() -> None:
    listener = Listener()
    made = flow([Node("a", fails, retry=AT_ONCE)], [])
    result = await made.run({}, observer=listener)
    assert result.results["a"].attempts == 3
    assert [(event.type, event.attempt) for event in listener.events if event.node] == [
        ("attempt_failed", 1),
        ("attempt_failed", 2),
        ("node_failed", 3),
    ]
    assert [event.data["again_in"] for event in listener.events[1:3]] == [0, 0]


async def test_agentsflow_b_without_retry_a_node_is_tried_once() -> None:
    result = await flow([Node("a", fails_times(1))], []).run({})
    assert (result.status, result.results["a"].attempts) == ("failed", 1)


async def test_agentsflow_b_a_node_that_succeeds_at_last_is_no_failure() -> None:
    nodes = [Node("a", fails_times(2), retry=AT_ONCE), Node("b", writes("b"))]
    result = await flow(nodes, [Edge("a", "b")]).run({})
    assert result.state == {"done": True, "b": True}
    assert (result.status, result.failed, result.results["a"].attempts) == ("completed", {}, 3)


async def test_agentsflow_b_a_failure_edge_is_only_taken_when_no_try_is_left() -> None:
    ran: list[str] = []

    async def rescue(state: State) -> State:
        ran.append("rescue")
        return state

    nodes = [Node("a", fails_times(2), retry=AT_ONCE), Node("rescue", rescue), Node("b", same)]
    edges = [Edge("a", "rescue", outcome="failed"), Edge("a", "b")]
    assert (await flow(nodes, edges).run({})).path == ["a", "b"]
    assert ran == []


def flaky_compute() -> Node:
    left = [2]

    def run(context: Any) -> int:
        left[0] -= 1
        return 1 // (1 - max(0, left[0]))

    return Node("n", run, "compute", retry=AT_ONCE)


def flaky_action() -> Node:
    left = [2]

    def action(context: Any) -> str:
        left[0] -= 1
        if left[0] > 0:
            raise OSError("busy")
        return "done"

    return Node("n", action, "action", retry=AT_ONCE)


def flaky_decision() -> Node:
    left = [2]

    def boss(ballot: Ballot) -> str:
        left[0] -= 1
        return "YES" if left[0] <= 0 else "PERHAPS"

    config = {"mode": "coordinator", "question": "?", "coordinator": boss}
    return Node("n", kind="decision", config=config, retry=AT_ONCE)


def flaky_region() -> Node:
    body = Region([Node("inner", fails_times(1))], [], "inner")
    return Node("n", kind="repeat", config={"over": [1]}, regions={"body": body}, retry=AT_ONCE)


@pytest.mark.parametrize("make", [flaky_compute, flaky_action, flaky_decision, flaky_region])
async def test_agentsflow_b_nodes_of_every_kind_are_retried(make: Any) -> None:
    """Nodes made by factories, start and end are not retried there."""
    result = await flow([make()], []).run({})
    assert (result.status, result.results["n"].attempts) == ("completed", 2)


async def test_agentsflow_b_a_try_begins_with_the_state_of_the_first() -> None:
    seen: list[State] = []

    async def run(state: State) -> State:
        seen.append(dict(state))
        if len(seen) < 3:
            raise ConnectionError("not yet")
        return {**state, "tries": len(seen)}

    result = await flow([Node("a", run, retry=AT_ONCE)], []).run({"n": 1})
    assert seen == [{"n": 1}] * 3
    assert result.state == {"n": 1, "tries": 3}


async def test_agentsflow_b_errors_that_a_retry_is_not_for_fail_at_once() -> None:
    retry = Retry(attempts=3, delay=0, on=(ConnectionError,))
    result = await flow([Node("a", fails, retry=retry)], []).run({})
    assert result.results["a"].attempts == 1


async def test_agentsflow_b_a_failure_leaves_what_runs_beside_it_alone() -> None:
    failed = asyncio.Event()

    async def breaks(state: State) -> State:
        failed.set()
        raise RuntimeError("broken")

    async def goes_on(state: State) -> State:
        await asyncio.wait_for(failed.wait(), 5)
        await asyncio.sleep(0)
        return {**state, "went_on": True}

    nodes = [Node("s", same), Node("bad", breaks), Node("good", goes_on), Node("z", writes("z"))]
    edges = [Edge("s", "bad"), Edge("s", "good"), Edge("good", "z")]
    result = await flow(nodes, edges).run({})
    assert (result.status, result.path) == ("failed", ["s", "good", "z"])
    assert result.state == {"went_on": True, "z": True}
