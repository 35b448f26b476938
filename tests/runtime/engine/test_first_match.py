"""First-match routing behaves as HydraFlow's does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowValidationError, Node, jsonl_checkpoint

State = dict[str, Any]


def appends(name: str) -> Callable[[State], Awaitable[State]]:
    async def run(state: State) -> State:
        return {**state, "ran": [*state.get("ran", []), name]}

    return run


def node(name: str) -> Node:
    return Node(name, appends(name))


def chain(*names: str, **options: Any) -> Flow:
    edges = [Edge(a, b) for a, b in pairwise(names)]
    return Flow(nodes=[node(n) for n in names], edges=edges, entry=names[0], **options)


class TestWalk:
    """HydraFlow §b: the order of things at each node, and where the walk goes on."""

    async def test_b1_the_kill_switch_is_asked_before_every_node(self) -> None:
        asked: list[int] = []

        def switch() -> bool:
            asked.append(1)
            return len(asked) == 2

        result = await chain("a", "b", "c", kill_switch=switch).run({})
        assert (result.halted, result.halted_at, result.path) == (True, "b", ["a"])
        assert result.terminal is None

    async def test_b1_it_is_not_asked_after_the_last_node(self) -> None:
        asked: list[int] = []
        await chain("a", "b", kill_switch=lambda: bool(asked.append(1))).run({})
        assert len(asked) == 2

    async def test_b2_max_steps_allows_exactly_as_many(self) -> None:
        result = await chain("a", "b", "c", max_steps=3).run({})
        assert result.terminal == "c"
        with pytest.raises(FlowError, match="2 steps"):
            await chain("a", "b", "c", max_steps=2).run({})
        with pytest.raises(FlowValidationError, match="max_steps is 0, which limits nothing"):
            chain("a", max_steps=0)

    async def test_b3_what_a_node_raises_goes_through_and_it_is_not_in_the_path(self) -> None:
        seen: list[str] = []

        async def broken(state: State) -> State:
            raise KeyError("k")

        flow = Flow(
            nodes=[node("a"), Node("b", broken)],
            edges=[Edge("a", "b")],
            entry="a",
            on_node=lambda name, state: seen.append(name),
            checkpoint=lambda name, state: seen.append(f"kept {name}"),
        )
        with pytest.raises(KeyError) as caught:
            await flow.run({})
        assert seen == ["a", "kept a"]
        assert "node `b`" in caught.value.__notes__[0]

    async def test_b5_hooks_come_in_order_and_may_be_async(self) -> None:
        seen: list[str] = []

        async def on_node(name: str, state: State) -> None:
            seen.append(f"node {name}")

        flow = chain(
            "a", "b", on_node=on_node, checkpoint=lambda name, state: seen.append(f"kept {name}")
        )
        await flow.run({})
        assert seen == ["node a", "kept a", "node b", "kept b"]

    async def test_b5_a_hook_that_raises_is_not_swallowed(self) -> None:
        kept: list[str] = []

        def on_node(name: str, state: State) -> None:
            raise RuntimeError("no")

        flow = chain("a", on_node=on_node, checkpoint=lambda name, state: kept.append(name))
        with pytest.raises(RuntimeError):
            await flow.run({})
        assert kept == []

    async def test_b6_the_first_edge_that_applies_is_taken(self) -> None:
        flow = Flow(
            nodes=[node(n) for n in "abcd"],
            edges=[
                Edge("a", "b", when=lambda s: s["n"] > 10),
                Edge("a", "c", when=lambda s: s["n"] > 1),
                Edge("a", "d"),
            ],
            entry="a",
        )
        assert (await flow.run({"n": 5})).path == ["a", "c"]
        assert (await flow.run({"n": 50})).path == ["a", "b"]
        assert (await flow.run({"n": 0})).path == ["a", "d"]

    async def test_b6_no_edge_that_applies_is_an_error(self) -> None:
        flow = Flow(
            nodes=[node("a"), node("b")],
            edges=[Edge("a", "b", when=lambda s: s["go"])],
            entry="a",
        )
        with pytest.raises(FlowError, match="no outgoing edge matched after node `a`"):
            await flow.run({"go": False})

    async def test_b6_what_a_guard_raises_goes_through(self) -> None:
        flow = Flow(
            nodes=[node("a"), node("b")],
            edges=[Edge("a", "b", when=lambda s: s["missing"])],
            entry="a",
        )
        with pytest.raises(KeyError):
            await flow.run({})

    async def test_cycles_and_self_loops_are_allowed(self) -> None:
        async def work(state: State) -> State:
            return {**state, "n": state["n"] + 1}

        flow = Flow(
            nodes=[Node("work", work, kind="loop"), node("done")],
            edges=[Edge("work", "work", when=lambda s: s["n"] < 3), Edge("work", "done")],
            entry="work",
            max_steps=9,
        )
        result = await flow.run({"n": 0})
        assert result.path == ["work", "work", "work", "done"]

    async def test_resume_starts_at_a_node_with_fresh_counters(self) -> None:
        flow = chain("a", "b", "c", max_steps=2)
        result = await flow.resume({}, "b")
        assert result.path == ["b", "c"]
        result = await flow.resume({}, from_node="c")
        assert result.path == ["c"]
        with pytest.raises(FlowValidationError, match="no node of it"):
            await flow.resume({}, "ghost")

    async def test_the_state_is_handed_on_by_reference(self) -> None:
        seen: list[State] = []

        async def same(state: State) -> State:
            state["n"] = 1
            return state

        state: State = {}
        flow = Flow(
            nodes=[Node("a", same)],
            edges=[],
            entry="a",
            on_node=lambda name, current: seen.append(current),
        )
        result = await flow.run(state)
        assert result.state is state and seen[0] is state

    async def test_a_node_that_returns_nothing_is_named(self) -> None:
        """HydraFlow hands None to the next node; flowrt says which node forgot to return."""

        async def forgets(state: State) -> None:
            state["x"] = 1

        flow = Flow(nodes=[Node("a", forgets), node("b")], edges=[Edge("a", "b")], entry="a")  # type: ignore[arg-type]
        with pytest.raises(FlowError, match="node `a` of flow `flow` returned nothing"):
            await flow.run({})

    async def test_sync_nodes_run_too(self) -> None:
        """HydraFlow runs the body and then fails; flowrt takes either kind of function."""

        def plain(state: State) -> State:
            return {**state, "plain": True}

        flow = Flow(nodes=[Node("a", plain), node("b")], edges=[Edge("a", "b")], entry="a")
        result = await flow.run({})
        assert result.state["plain"] and result.path == ["a", "b"]


class TestChecks:
    """HydraFlow §c: what is refused, and what HydraFlow accepts but cannot mean."""

    @pytest.mark.parametrize(
        ("nodes", "edges", "entry", "codes"),
        [
            (["a", "a"], [], "a", {"FL104"}),
            ([], [], "a", {"FL103"}),
            (["a"], [], "ghost", {"FL101"}),
            (["a"], [("ghost", "a")], "a", {"FL105"}),
            (["a"], [("a", "ghost")], "a", {"FL105"}),
            (["a", "b", "c"], [("a", "b")], "a", {"FL106"}),
            (["a", "b"], [("a", "ghost"), ("x", "b")], "q", {"FL101", "FL105"}),
        ],
    )
    def test_everything_wrong_is_told_at_once(
        self, nodes: list[str], edges: list[tuple[str, str]], entry: str, codes: set[str]
    ) -> None:
        with pytest.raises(FlowValidationError) as caught:
            Flow(nodes=[node(n) for n in nodes], edges=[Edge(*e) for e in edges], entry=entry)
        assert {found.code for found in caught.value.findings} >= codes
        for code in codes:
            assert code in str(caught.value)
        assert isinstance(caught.value, ValueError)

    def test_an_async_guard_is_refused_before_anything_runs(self) -> None:
        async def later(state: State) -> bool:
            return True

        with pytest.raises(FlowValidationError, match="FL208"):
            Flow(
                nodes=[node("a"), node("b")],
                edges=[Edge("a", "b", when=later)],  # type: ignore[arg-type]
                entry="a",
            )

    async def test_a_loop_that_only_max_steps_ends_is_accepted_and_stopped(self) -> None:
        flow = Flow(
            nodes=[node("spin")],
            edges=[Edge("spin", "spin", when=lambda s: True)],
            entry="spin",
            max_steps=10,
        )
        with pytest.raises(FlowError, match="10 steps"):
            await flow.run({})

    def test_hydraflow_c_options_have_to_be_named(self) -> None:
        with pytest.raises(TypeError):
            Flow([node("a")], [], "a")  # type: ignore[misc]


async def test_d_the_jsonl_hook_writes_a_line_for_each_node(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    await chain("a", "b", checkpoint=jsonl_checkpoint(path)).run({})
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["node"] for line in lines] == ["a", "b"]
    assert lines[1]["state"] == {"ran": ["a", "b"]}


def test_public_surface_of_the_attributes_tests_read() -> None:
    flow = chain("a", "b")
    assert flow.entry == "a"
    assert list(flow._nodes) == ["a", "b"]
    assert [(e.src, e.dst) for e in flow._edges if isinstance(e, Edge)] == [("a", "b")]
    assert list(flow._outgoing) == ["a"]
