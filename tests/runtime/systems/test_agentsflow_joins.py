"""Where nodes begin and meet: entries, joins, skips and loops (agentsflow §b)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from agentsflow_flows import State, fails, flow, same, writes
from flowrt import Edge, FlowValidationError, Node, Region
from flowrt.errors import StepLimitError

ROUTER = [
    Edge("a", "b", when="state.go == 'b'"),
    Edge("a", "c", when="state.go == 'c'"),
    Edge("b", "d"),
    Edge("c", "d"),
]
"""Two branches of which one is taken, and a node where they meet."""


@pytest.mark.parametrize("way", ["b", "c"])
async def test_agentsflow_b_exclusive_branches_are_joined(way: str) -> None:
    """Consequence 2: a definition that joins them never runs the join there."""
    result = await flow("abcd", ROUTER).run({"go": way})
    other = "c" if way == "b" else "b"
    assert (result.path, result.skipped) == (["a", way, "d"], [other])
    assert (result.status, result.terminal) == ("completed", "d")


async def test_agentsflow_b_a_join_where_no_way_is_taken_is_skipped_with_all_behind_it() -> None:
    result = await flow("abcde", [*ROUTER, Edge("d", "e")]).run({"go": "nowhere"})
    assert (result.path, result.skipped) == (["a"], ["b", "c", "d", "e"])


async def test_agentsflow_b_an_and_join_runs_only_when_every_way_was_taken() -> None:
    """The join of definitions and crews there."""
    nodes = [*(Node(name, writes(name)) for name in "abc"), Node("d", writes("d"), join="all")]
    result = await flow(nodes, ROUTER).run({"go": "b"})
    assert (result.path, result.skipped) == (["a", "b"], ["c", "d"])
    both = [Edge("a", "b"), Edge("a", "c"), Edge("b", "d"), Edge("c", "d")]
    assert (await flow(nodes, both).run({})).path == ["a", "b", "c", "d"]


async def test_agentsflow_b_a_join_waits_until_every_way_is_decided() -> None:
    """The long way is skipped late; until then the join does not run, and then it runs once."""
    ran: list[str] = []

    def notes(name: str) -> Any:
        async def run(state: State) -> State:
            ran.append(name)
            return {**state, name: True}

        return run

    edges = [
        Edge("a", "end"),
        Edge("a", "b"),
        Edge("b", "c"),
        Edge("c", "d", when="state.a == false"),
        Edge("d", "end"),
    ]
    names = ("a", "end", "b", "c", "d")
    result = await flow([Node(name, notes(name)) for name in names], edges).run({})
    assert ran == ["a", "b", "c", "end"]
    assert result.skipped == ["d"]


async def test_agentsflow_b_a_join_runs_when_one_way_failed_and_another_was_taken() -> None:
    edges = [Edge("a", "b"), Edge("a", "c"), Edge("b", "d"), Edge("c", "d")]
    nodes = [Node("a", same), Node("b", fails), Node("c", same), Node("d", same)]
    result = await flow(nodes, edges).run({})
    assert result.path == ["a", "c", "d"]
    assert (result.status, result.failed) == ("failed", {"b": "RuntimeError: broken"})


async def test_agentsflow_b_an_error_handler_joined_from_many_nodes_runs_for_any_of_them() -> None:
    """The failure handler of a real flow: all but one of its ways in are decided against."""
    steps = ["a", "b", "c"]
    edges = [Edge("a", "b"), Edge("b", "c")]
    edges += [Edge(step, "handler", outcome="failed") for step in steps]
    for broken in steps:
        nodes = [Node(step, fails if step == broken else writes(step)) for step in steps]
        result = await flow([*nodes, Node("handler", writes("handler"))], edges).run({})
        before = steps[: steps.index(broken)]
        assert result.path == [*before, "handler"]
        assert result.blocked == steps[len(before) + 1 :]
        assert result.status == "completed"


async def test_agentsflow_b_a_handler_that_nothing_needs_is_skipped() -> None:
    edges = [Edge("a", "b"), Edge("a", "h", outcome="failed"), Edge("b", "h", outcome="failed")]
    result = await flow("abh", edges).run({})
    assert (result.path, result.skipped, result.blocked) == (["a", "b"], ["h"], [])


async def test_agentsflow_b_edges_after_success_and_failure_to_one_node_always_run_it() -> None:
    edges = [Edge("a", "b"), Edge("a", "b", outcome="failed")]
    for run in (same, fails):
        result = await flow([Node("a", run), Node("b", writes("b"))], edges).run({})
        assert result.state == {"b": True}
        assert result.status == "completed"


async def test_agentsflow_b_the_order_in_which_nodes_are_added_changes_nothing() -> None:
    """Consequence 4: it decides there what is a back edge, and a loop may then never begin."""
    for order in permutations("abcd"):
        result = await flow("".join(order), ROUTER, entry="a").run({"go": "b"})
        assert (result.path, result.skipped) == (["a", "b", "d"], ["c"])


@pytest.mark.parametrize("order", list(permutations(["s", "dev", "qa", "done"])))
async def test_agentsflow_b_the_head_of_a_loop_runs_in_whatever_order_it_is_added(
    order: tuple[str, ...],
) -> None:
    """Consequences 3 and 4: there the head may wait for its own loop."""

    async def dev(state: State) -> State:
        return {**state, "tries": state.get("tries", 0) + 1}

    made = {
        "s": Node("s", same),
        "dev": Node("dev", dev),
        "qa": Node("qa", kind="gate"),
        "done": Node("done", same),
    }
    edges = [
        Edge("s", "dev"),
        Edge("dev", "qa"),
        Edge("qa", "dev", when="state.tries < 3"),
        Edge("qa", "done", when="state.tries >= 3"),
    ]
    flow_ = flow([made[name] for name in order], edges, "s", routing="first", max_steps=20)
    result = await flow_.run({})
    assert result.path == ["s", *["dev", "qa"] * 3, "done"]


async def test_agentsflow_b_a_loop_that_never_ends_is_stopped_by_max_steps() -> None:
    """Consequence 5: nothing limits it there."""
    edges = [Edge("a", "b"), Edge("b", "a", when="state.x == 1"), Edge("b", "c")]
    with pytest.raises(StepLimitError, match=r"its 50 steps \(max_steps\)"):
        await flow("abc", edges, routing="first", max_steps=50).run({"x": 1})


def test_agentsflow_b_a_loop_without_an_end_is_refused() -> None:
    with pytest.raises(FlowValidationError, match="FL301"):
        flow("ab", [Edge("a", "b"), Edge("b", "a")], routing="first")


def test_agentsflow_b_where_all_edges_are_taken_a_back_edge_is_refused() -> None:
    edges = [Edge("a", "b"), Edge("b", "a", when="state.x == 1"), Edge("b", "c")]
    with pytest.raises(FlowValidationError, match="FL303"):
        flow("abc", edges)


async def test_agentsflow_b_a_loop_is_a_node_and_what_is_beside_it_runs_once() -> None:
    """Consequence 5: what hangs on a loop from outside runs once; here the loop shows its body."""

    async def counts(state: State) -> State:
        return {**state, "n": state["n"] + 1}

    body = Region([Node("a", counts), Node("b", same)], [Edge("a", "b")], "a")
    config = {"while": "state.n < 3", "max_iterations": 10}
    nodes = [
        Node("s", same),
        Node("loop", kind="repeat", config=config, regions={"body": body}),
        Node("c", writes("c")),
    ]
    result = await flow(nodes, [Edge("s", "loop"), Edge("s", "c")]).run({"n": 0})
    assert result.state == {"n": 3, "c": True}
    assert [result.path.count(name) for name in "abc"] == [3, 3, 1]


def test_agentsflow_b_a_node_without_edges_is_refused_and_starts_nothing() -> None:
    """Consequence 6: such a node starts at once there."""
    with pytest.raises(FlowValidationError, match="FL106"):
        flow("abz", [Edge("a", "b")])


async def test_agentsflow_b_a_start_marker_begins_several_branches_at_once() -> None:
    """There every node without a way in is an entry."""
    nodes = [Node("start", kind="start"), *(Node(name, writes(name)) for name in "abc")]
    edges = [Edge("start", "a"), Edge("start", "b"), Edge("a", "c"), Edge("b", "c")]
    result = await flow(nodes, edges).run({})
    assert result.path == ["start", "a", "b", "c"]
