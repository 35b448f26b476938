"""HydraFlow §b: the order of things at each node, and where the walk goes on.

What is asked of both loops is asked twice: of the plain one, and of a run that is kept.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowResult, Node
from flowrt.stores.memory import MemoryStore

State = dict[str, Any]
Run = Callable[..., Awaitable[FlowResult]]


@pytest.fixture(params=["plain", "kept"])
def run(request: pytest.FixtureRequest) -> Run:
    async def carry_out(flow: Flow, state: State | None = None) -> FlowResult:
        store = MemoryStore() if request.param == "kept" else None
        return await flow.run({} if state is None else state, store=store)

    return carry_out


async def go(state: State) -> State:
    return state


def nodes(*names: str) -> list[Node]:
    return [Node(name, go) for name in names]


async def test_hydraflow_b_any_true_kill_switch_halts_even_before_the_entry(run: Run) -> None:
    flow = Flow(nodes=nodes("a", "b"), edges=[Edge("a", "b")], entry="a", kill_switch=lambda: 1)  # type: ignore[arg-type,return-value]
    result = await run(flow, {"x": 1})
    assert (result.halted, result.halted_at, result.terminal) == (True, "a", None)
    assert (result.path, result.state) == ([], {"x": 1})


async def test_hydraflow_b_the_kill_switch_is_asked_before_steps_are_counted(run: Run) -> None:
    asked: list[int] = []
    flow = Flow(
        nodes=nodes("a", "b"),
        edges=[Edge("a", "b")],
        entry="a",
        kill_switch=lambda: len(asked) == 1 or bool(asked.append(1)),
        max_steps=1,
    )
    assert (await run(flow)).halted_at == "b"


async def test_hydraflow_b_a_halted_run_keeps_the_state_of_its_last_node(
    run: Run, request: pytest.FixtureRequest
) -> None:
    async def counts(state: State) -> State:
        return {"n": state["n"] + 1}

    asked: list[int] = []

    def third() -> bool:
        asked.append(1)
        return len(asked) == 3

    chain = [Node(name, counts) for name in "abc"]
    edges = [Edge("a", "b"), Edge("b", "c")]
    result = await run(Flow(nodes=chain, edges=edges, entry="a", kill_switch=third), {"n": 0})
    assert (result.state, result.path, result.halted_at) == ({"n": 2}, ["a", "b"], "c")


async def test_hydraflow_b_switch_node_path_hooks_and_edges_follow_in_this_order(run: Run) -> None:
    seen: list[str] = []

    def step(name: str) -> Node:
        async def body(state: State) -> State:
            seen.append(f"run {name}")
            return {**state, "at": name}

        return Node(name, body)

    def asked() -> bool:
        seen.append("switch")
        return False

    async def kept(name: str, state: State) -> None:
        seen.append(f"checkpoint {name} {state['at']}")

    def guard(state: State) -> bool:
        seen.append(f"guard {state['at']}")
        return True

    flow = Flow(
        nodes=[step("a"), step("b")],
        edges=[Edge("a", "b", when=guard)],
        entry="a",
        kill_switch=asked,
        on_node=lambda name, state: seen.append(f"on_node {name} {state['at']}"),
        checkpoint=kept,
    )
    result = await run(flow)
    assert (result.path, result.terminal) == (["a", "b"], "b")
    assert seen == [
        "switch", "run a", "on_node a a", "checkpoint a a", "guard a",
        "switch", "run b", "on_node b b", "checkpoint b b",
    ]  # fmt: skip


async def test_hydraflow_b_steps_are_counted_anew_for_each_walk() -> None:
    flow = Flow(nodes=nodes("a", "b"), edges=[Edge("a", "b")], entry="a", max_steps=2)
    for _ in range(2):
        assert (await flow.run({})).path == ["a", "b"]
    assert (await flow.resume({}, "a")).path == ["a", "b"]


async def test_hydraflow_b_a_failed_node_is_told_to_no_hook(run: Run) -> None:
    told: list[str] = []

    async def fails(state: State) -> State:
        raise ValueError("no")

    flow = Flow(
        nodes=[*nodes("a"), Node("b", fails)],
        edges=[Edge("a", "b")],
        entry="a",
        on_node=lambda name, state: told.append(name),
        checkpoint=lambda name, state: told.append(name),
    )
    with pytest.raises(ValueError, match="no"):
        await run(flow)
    assert told == ["a", "a"]


@pytest.mark.parametrize("hook", ["on_node", "checkpoint"])
async def test_hydraflow_b_what_a_hook_raises_ends_the_run(run: Run, hook: str) -> None:
    ran: list[str] = []

    async def note(state: State) -> State:
        ran.append("b")
        return state

    async def breaks(name: str, state: State) -> None:
        raise OSError("the disk is full")

    flow = Flow(
        nodes=[*nodes("a"), Node("b", note)],
        edges=[Edge("a", "b")],
        entry="a",
        **{hook: breaks},  # type: ignore[arg-type]
    )
    with pytest.raises(OSError, match="the disk is full"):
        await run(flow)
    assert ran == []


@pytest.mark.parametrize(("answer", "path"), [("yes", ["a", "b"]), ([], ["a", "c"])])
async def test_hydraflow_b_a_guard_counts_by_its_truth(
    run: Run, answer: Any, path: list[str]
) -> None:
    edges = [Edge("a", "b", when=lambda state: answer), Edge("a", "c")]
    assert (await run(Flow(nodes=nodes("a", "b", "c"), edges=edges, entry="a"))).path == path


async def test_hydraflow_b_what_a_guard_raises_is_raised_as_it_is(run: Run) -> None:
    error = KeyError("missing")

    def guard(state: State) -> bool:
        raise error

    flow = Flow(nodes=nodes("a", "b"), edges=[Edge("a", "b", when=guard)], entry="a")
    with pytest.raises(KeyError) as caught:
        await run(flow)
    assert caught.value is error


async def test_hydraflow_b_no_edge_that_applies_is_an_error(run: Run) -> None:
    edges = [Edge("a", "b", when=lambda state: False), Edge("a", "c", when=lambda state: None)]  # type: ignore[arg-type,return-value]
    with pytest.raises(FlowError, match="no outgoing edge matched after node `a`"):
        await run(Flow(nodes=nodes("a", "b", "c"), edges=edges, entry="a"))


async def test_hydraflow_b_a_node_with_several_ways_in_joins_nothing(run: Run) -> None:
    edges = [
        Edge("a", "b", when=lambda state: False),
        Edge("a", "c"),
        Edge("b", "d"),
        Edge("c", "d"),
    ]
    flow = Flow(nodes=nodes("a", "b", "c", "d"), edges=edges, entry="a")
    assert (await run(flow)).path == ["a", "c", "d"]


async def test_hydraflow_b_nothing_is_tried_again_and_no_edge_is_for_errors(run: Run) -> None:
    tries: list[int] = []

    async def fails(state: State) -> State:
        tries.append(1)
        raise ConnectionError("no")

    flow = Flow(nodes=[Node("a", fails), *nodes("b")], edges=[Edge("a", "b")], entry="a")
    with pytest.raises(ConnectionError):
        await run(flow)
    assert tries == [1]


async def test_hydraflow_b_every_node_without_a_way_out_is_an_end(run: Run) -> None:
    edges = [Edge("a", "b", when=lambda state: state["left"]), Edge("a", "c")]
    flow = Flow(nodes=nodes("a", "b", "c"), edges=edges, entry="a")
    for left, end in ((True, "b"), (False, "c")):
        result = await run(flow, {"left": left})
        assert (result.terminal, result.path[-1]) == (end, end)


async def test_hydraflow_b_a_flow_may_have_no_end_at_all(run: Run) -> None:
    asked: list[int] = []

    def fifth() -> bool:
        asked.append(1)
        return len(asked) == 5

    edges = [Edge("a", "b"), Edge("b", "a")]
    result = await run(Flow(nodes=nodes("a", "b"), edges=edges, entry="a", kill_switch=fifth))
    assert (result.halted_at, result.path) == ("a", ["a", "b", "a", "b"])


async def test_hydraflow_b_of_two_edges_alike_the_second_is_dead(run: Run) -> None:
    flow = Flow(nodes=nodes("a", "b"), edges=[Edge("a", "b"), Edge("a", "b")], entry="a")
    assert (await run(flow)).path == ["a", "b"]
    assert [finding.name for finding in flow.findings] == ["duplicate-edge"]


async def test_hydraflow_b_what_a_node_returns_is_the_state_from_there_on(run: Run) -> None:
    seen: list[State] = []
    fresh = {"only": "this"}

    async def replaces(state: State) -> State:
        return fresh

    async def looks(state: State) -> State:
        seen.append(state)
        return state

    flow = Flow(
        nodes=[Node("a", replaces), Node("b", looks)],
        edges=[Edge("a", "b", when=lambda state: state is fresh)],
        entry="a",
    )
    result = await run(flow, {"x": 1})
    assert seen[0] is fresh
    assert result.state is fresh
