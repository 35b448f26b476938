"""What AgentCrew.run_flow does, and how many nodes run at a time (agentsflow §b and §g)."""

from __future__ import annotations

import asyncio

import pytest
from agentsflow_flows import State, fails, flow, same, writes
from flowrt import Edge, FlowValidationError, Node
from flowrt.errors import StepLimitError

CREW = [
    Edge("research", "facts"),
    Edge("research", "style"),
    Edge("facts", "publish"),
    Edge("style", "publish"),
]
"""A fan-out and the node that waits for all of it."""


def crew(**runs: object) -> list[Node]:
    names = ("research", "facts", "style", "publish")
    return [Node(name, runs.get(name) or writes(name), join="all") for name in names]  # type: ignore[arg-type]


async def test_agentsflow_b_a_crew_joins_all_and_needs_no_conditions() -> None:
    result = await flow(crew(), CREW).run({})
    assert result.path == ["research", "facts", "style", "publish"]
    assert (result.status, result.terminal) == ("completed", "publish")


async def test_agentsflow_b_in_a_crew_an_error_blocks_all_that_needs_it() -> None:
    result = await flow(crew(style=fails), CREW).run({})
    assert result.path == ["research", "facts"]
    assert (result.status, result.blocked) == ("failed", ["publish"])


async def test_agentsflow_b_a_node_begins_when_its_own_ways_are_done_and_not_in_waves() -> None:
    """There the slowest of a wave holds up all of the next."""
    behind = asyncio.Event()

    async def slow(state: State) -> State:
        await asyncio.wait_for(behind.wait(), 30)
        return state

    async def second(state: State) -> State:
        behind.set()
        return state

    nodes = [Node("s", same), Node("slow", slow), Node("first", same), Node("second", second)]
    edges = [Edge("s", "slow"), Edge("s", "first"), Edge("first", "second")]
    result = await flow(nodes, edges).run({})
    assert result.path == ["s", "first", "second", "slow"]


def test_agentsflow_b_a_flow_without_a_first_node_is_refused_before_it_runs() -> None:
    """There it is an error of the run, as are names that were never added."""
    with pytest.raises(FlowValidationError, match="FL101"):
        flow(crew(), CREW, entry="nobody")
    with pytest.raises(FlowValidationError, match="FL105"):
        flow(crew(), [*CREW, Edge("publish", "nobody")])


async def test_agentsflow_b_a_run_past_its_steps_is_an_error() -> None:
    """The `max_iterations` of a crew; a flow has no such bound there."""
    assert (await flow(crew(), CREW, max_steps=4).run({})).status == "completed"
    with pytest.raises(StepLimitError, match="its 3 steps"):
        await flow(crew(), CREW, max_steps=3).run({})


class Counter:
    """How many nodes run at a time, at most."""

    def __init__(self) -> None:
        self.now = self.most = 0

    async def run(self, state: State) -> State:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(5):
            await asyncio.sleep(0)
        self.now -= 1
        return state


@pytest.mark.parametrize(("limit", "most"), [(1, 1), (3, 3), (None, 8)])
async def test_agentsflow_b_max_parallel_is_kept_and_without_it_all_run_at_once(
    limit: int | None, most: int
) -> None:
    """`max_parallel_tasks` of a definition is not read there, that of a crew is."""
    counter = Counter()
    names = [f"n{number}" for number in range(8)]
    nodes = [Node("s", same), *(Node(name, counter.run) for name in names)]
    edges = [Edge("s", name) for name in names]
    result = await flow(nodes, edges, max_parallel=limit).run({})
    assert counter.most == most
    assert sorted(result.path) == ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "s"]


async def test_agentsflow_g_runs_of_one_flow_share_nothing() -> None:
    """There the nodes are copied for each run."""
    both = asyncio.Barrier(2)

    async def meets(state: State) -> State:
        await asyncio.wait_for(both.wait(), 30)
        return {**state, "met": True}

    nodes = [Node("a", meets), Node("b", writes("b"))]
    made = flow(nodes, [Edge("a", "b", when="state.n == 1")])
    one, two = await asyncio.gather(made.run({"n": 1}), made.run({"n": 2}))
    assert (one.path, one.skipped, one.state) == (["a", "b"], [], {"n": 1, "met": True, "b": True})
    assert (two.path, two.skipped, two.state) == (["a"], ["b"], {"n": 2, "met": True})


async def test_agentsflow_g_a_kill_switch_and_steps_bound_a_run_that_takes_all_edges() -> None:
    """There is neither there: both are asked for."""
    started: list[str] = []

    def starts(name: str) -> Node:
        async def run(state: State) -> State:
            started.append(name)
            return state

        return Node(name, run)

    nodes = [starts(name) for name in "abcd"]
    edges = [Edge("a", "b"), Edge("b", "c"), Edge("c", "d")]
    result = await flow(nodes, edges, kill_switch=lambda: len(started) == 2).run({})
    assert (result.status, result.halted_at, started) == ("halted", "c", ["a", "b"])
