"""What the result of a run tells, whichever way through the engine the run took."""

from __future__ import annotations

from typing import Any

import pytest
from flowrt import Edge, Flow, FlowResult, Node
from flowrt.authoring import Routing


def node(name: str, *, sync: bool = False, fails: bool = False) -> Node:
    async def run(state: dict[str, Any]) -> dict[str, Any]:
        if fails:
            state["half"] = name
            raise ValueError(f"{name} fails")
        return {**state, name: True}

    def run_at_once(state: dict[str, Any]) -> dict[str, Any]:
        return {**state, name: True}

    return Node(name, run_at_once if sync else run)


def told(result: FlowResult) -> tuple[Any, ...]:
    results = {
        name: (each.node, each.outcome, each.attempts, each.output, each.error)
        for name, each in result.results.items()
    }
    return result.state, result.path, result.terminal, result.outputs, results


@pytest.mark.parametrize("stop", [None, 0, 2])
async def test_the_plain_loop_tells_what_the_whole_engine_does(stop: int | None) -> None:
    def halts() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    tellings = []
    for sync in (False, True):
        left = 99 if stop is None else stop
        flow = Flow(
            nodes=[node("a"), node("b"), node("c", sync=sync)],
            edges=[
                Edge("a", "b"),
                Edge("b", "a", when=lambda s: not s.setdefault("again", False) and _mark(s)),
                Edge("b", "c"),
            ],
            entry="a",
            kill_switch=halts,
        )
        assert (flow.plan.table is None) == sync
        result = await flow.run({"n": 1})
        tellings.append(told(result))
        for name in result.results:
            each = result.results[name]
            assert 0 < each.started_at <= each.ended_at
    assert tellings[0] == tellings[1]
    assert len(tellings[0][4]) == {None: 3, 0: 0, 2: 2}[stop]


def _mark(state: dict[str, Any]) -> bool:
    state["again"] = True
    return True


async def test_results_of_the_plain_loop_are_a_mapping_like_any_other() -> None:
    flow = Flow(nodes=[node("a"), node("b")], edges=[Edge("a", "b")], entry="a")
    result = await flow.run({})
    assert list(result.results) == ["a", "b"]
    assert result.results == dict(result.results)
    assert result.results["b"] is result.results["b"]
    assert "nobody" not in result.results
    assert "outcome='ok'" in repr(result.results)


def spread(routing: Routing, *nodes: Node, **more: Any) -> Flow:
    begin = Node("begin", kind="start")
    edges = [Edge("begin", each.name) for each in nodes]
    edges += [Edge(each.name, f"after_{each.name}") for each in nodes]
    after = [node(f"after_{each.name}", fails=each.name == "x") for each in nodes]
    return Flow(nodes=[begin, *nodes, *after], edges=edges, entry="begin", routing=routing, **more)


async def test_a_run_that_failed_has_the_state_of_what_completed() -> None:
    result = await spread("all", node("x"), node("y", fails=True)).run({"n": 1})
    assert result.status == "failed"
    # What a node wrote that then failed is not there.
    assert result.state == {"n": 1, "x": True}
    assert (result.path, sorted(result.failed)) == (["begin", "x"], ["after_x", "y"])


async def test_a_halted_run_has_the_state_of_what_completed() -> None:
    left = 3

    def halts() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    result = await spread("all", node("x"), node("z"), kill_switch=halts).run({"n": 1})
    assert result.status == "halted"
    assert result.state == {"n": 1, "x": True, "z": True}


async def test_what_cannot_be_merged_is_as_it_was_in_a_run_that_failed() -> None:
    async def writes(state: dict[str, Any]) -> dict[str, Any]:
        return {**state, "n": state["n"] + 1, "added": object()}

    both = Node("left", writes), Node("right", writes), node("y", fails=True)
    result = await spread("all", *both).run({"n": 1})
    assert result.state == {"n": 1, "after_left": True, "after_right": True}
    merged = await spread("all", *both, merge={"n": "add", "added": "last"}).run({"n": 1})
    assert merged.state["n"] == 3
    assert "added" in merged.state


async def test_a_run_that_waits_has_the_state_of_what_completed() -> None:
    result = await spread("all", node("z"), Node("w", kind="checkpoint")).run({"n": 1})
    assert result.status == "waiting"
    assert result.state == {"n": 1, "z": True, "after_z": True}


async def test_what_only_skipped_nodes_would_have_taken_up_is_kept() -> None:
    flow = Flow(
        nodes=[
            Node("begin", kind="start"),
            node("a"),
            node("b"),
            Node("meet", kind="end", join="all"),
            node("other"),
        ],
        edges=[
            Edge("begin", "a"),
            Edge("begin", "b"),
            Edge("a", "meet"),
            Edge("b", "meet", when="state.n > 1"),
            Edge("b", "other", when="state.n <= 1"),
        ],
        entry="begin",
        routing="all",
    )
    result = await flow.run({"n": 1})
    assert (result.status, result.skipped) == ("completed", ["meet"])
    assert result.state == {"n": 1, "a": True, "b": True, "other": True}


async def test_a_node_whose_hook_failed_did_complete() -> None:
    def hook(name: str, state: dict[str, Any]) -> None:
        if name == "x":
            raise ValueError("no")

    result = await spread("all", node("x"), node("z"), on_node=hook).run({})
    assert "x" in result.path
    assert "x" in result.failed
    assert result.blocked == ["after_x"]
    assert result.state["after_z"] is True
