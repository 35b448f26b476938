"""Which edges are taken after a node (agentsflow §b, edge firing)."""

from __future__ import annotations

from typing import Any

import pytest
from agentsflow_flows import fails, flow, same, times_out, writes
from flowrt import Edge, FlowError, FlowValidationError, Node
from flowrt.authoring import Outcome


async def test_agentsflow_b_every_edge_that_applies_is_taken_and_not_only_the_first() -> None:
    edges = [
        Edge("a", "b", when=lambda s: True),
        Edge("a", "c", when=lambda s: False),
        Edge("a", "d"),
    ]
    result = await flow("abcd", edges).run({})
    assert sorted(result.path) == ["a", "b", "d"]
    assert result.skipped == ["c"]


async def test_agentsflow_b_an_edge_without_condition_means_on_success() -> None:
    """There `always` and `on_success` are the same; here an edge counts after ok unless it says."""
    edges = [Edge("a", "b"), Edge("a", "c", outcome="ok")]
    assert (await flow("abc", edges).run({})).path == ["a", "b", "c"]
    broken = flow([Node("a", fails), Node("b", same), Node("c", same)], edges)
    assert (await broken.run({})).blocked == ["b", "c"]


async def test_agentsflow_b_a_guarded_edge_does_not_count_after_a_failure() -> None:
    asked: list[int] = []
    edges = [Edge("a", "b", when=lambda s: bool(asked.append(1)) or True)]
    result = await flow([Node("a", fails), Node("b", same)], edges).run({})
    assert (asked, result.path, result.blocked) == ([], [], ["b"])


@pytest.mark.parametrize(
    ("run", "taken"), [(same, "ok"), (fails, "failed"), (times_out, "timed_out")]
)
async def test_agentsflow_b_on_error_and_on_timeout_edges_are_taken_after_just_that_end(
    run: Any, taken: str
) -> None:
    """A timeout also fires `on_error` there; here each end has its own edges."""
    ends: tuple[Outcome, ...] = ("ok", "failed", "timed_out")
    nodes = [Node("a", run), *(Node(end, writes(end)) for end in ends)]
    result = await flow(nodes, [Edge("a", end, outcome=end) for end in ends]).run({})
    assert result.state == {taken: True}
    assert result.status == "completed"


@pytest.mark.parametrize("run", [fails, times_out])
async def test_agentsflow_b_one_handler_for_errors_and_timeouts_has_two_edges(run: Any) -> None:
    edges = [Edge("a", "rescue", outcome="failed"), Edge("a", "rescue", outcome="timed_out")]
    result = await flow([Node("a", run), Node("rescue", writes("rescue"))], edges).run({})
    assert (result.path, result.status) == (["rescue"], "completed")


async def test_agentsflow_b_a_node_has_a_timeout_that_fires_on_timeout_edges() -> None:
    """There is none there: a timeout has to come from the node itself."""

    async def hangs(state: dict[str, Any]) -> dict[str, Any]:
        import asyncio

        await asyncio.sleep(60)
        return state

    edges = [Edge("a", "late", outcome="timed_out"), Edge("a", "broken", outcome="failed")]
    nodes = [Node("a", hangs, timeout=0.01), Node("late", writes("late")), Node("broken", same)]
    result = await flow(nodes, edges).run({})
    assert (result.path, result.blocked) == (["late"], ["broken"])
    assert "took longer than its 0.01 s" in result.failed["a"]


async def test_agentsflow_b_a_guard_that_raises_fails_its_node_and_is_not_taken_for_no() -> None:
    """There it is a warning and counts as no."""
    edges = [Edge("a", "b", when=lambda s: bool(s["gone"])), Edge("a", "c")]
    result = await flow("abc", edges).run({})
    assert result.status == "failed"
    where = "in the guard on the edge from `a` to `b` of flow `flow`"
    assert result.failed == {"a": f"KeyError: 'gone' ({where})"}
    assert result.blocked == ["b", "c"]


async def test_agentsflow_b_a_cel_guard_that_cannot_be_evaluated_fails_its_node() -> None:
    result = await flow("ab", [Edge("a", "b", when="state.gone.x == 1")]).run({})
    assert result.status == "failed"
    assert "`state.gone.x == 1` cannot be evaluated" in result.failed["a"]


@pytest.mark.parametrize(
    ("when", "code"), [("", "FL601"), ("ctx.x == 1", "FL602"), ("error == ''", "FL602")]
)
def test_agentsflow_b_empty_predicates_and_unknown_names_are_refused(when: str, code: str) -> None:
    """There an empty one always fires, `ctx` never does, and `error` is always empty."""
    with pytest.raises(FlowValidationError, match=code):
        flow("ab", [Edge("a", "b", when=when)])


async def test_agentsflow_b_a_guard_after_a_failure_reads_the_error() -> None:
    edges = [
        Edge("a", "b", when="result.error.contains('broken')", outcome="failed"),
        Edge("a", "c", when="result.error.contains('asleep')", outcome="failed"),
    ]
    nodes = [Node("a", fails), Node("b", writes("b")), Node("c", writes("c"))]
    assert (await flow(nodes, edges).run({})).path == ["b"]


async def test_agentsflow_b_guards_see_the_output_of_the_node() -> None:
    def count(context: Any) -> dict[str, int]:
        return {"n": 5}

    edges = [Edge("a", "b", when="output.n > 4"), Edge("a", "c", when="output.n > 5")]
    nodes = [Node("a", count, "compute"), Node("b", same), Node("c", same)]
    assert (await flow(nodes, edges).run({})).path == ["a", "b"]


async def test_agentsflow_b_a_predicate_counts_whatever_the_condition_is() -> None:
    """There a predicate beside another condition than on_condition is kept and never asked."""
    nodes = [Node("a", fails), Node("b", same), Node("c", same)]
    edges = [
        Edge("a", "b", when=lambda s: False, outcome="failed"),
        Edge("a", "c", when=lambda s: True, outcome="failed"),
    ]
    assert (await flow(nodes, edges).run({})).path == ["c"]


def test_agentsflow_b_an_unknown_condition_is_refused_and_does_not_always_fire() -> None:
    with pytest.raises(FlowValidationError, match="on_sucess"):
        flow("ab", [Edge("a", "b", outcome="on_sucess")])  # type: ignore[arg-type]


def test_agentsflow_b_an_async_predicate_is_refused_and_does_not_always_fire() -> None:
    async def later(state: dict[str, Any]) -> bool:
        return False

    with pytest.raises(FlowValidationError, match="FL208"):
        flow("ab", [Edge("a", "b", when=later)])  # type: ignore[arg-type]


async def test_agentsflow_b_an_async_predicate_in_disguise_fails_its_node() -> None:
    async def later() -> bool:
        return True

    result = await flow("ab", [Edge("a", "b", when=lambda s: later())]).run({})  # type: ignore[arg-type,return-value]
    assert (result.status, result.blocked) == ("failed", ["b"])
    assert "is async: it has to answer at once" in result.failed["a"]


async def test_agentsflow_b_priority_is_read_where_the_first_edge_is_taken() -> None:
    """It is declared and never read there."""
    edges = [
        Edge("a", "b", when=lambda s: True),
        Edge("a", "c", when=lambda s: True, priority=2),
        Edge("a", "d", when=lambda s: True, priority=1),
    ]
    nodes = [Node("a", kind="gate"), *(Node(name, writes(name)) for name in "bcd")]
    assert (await flow(nodes, edges, routing="first").run({})).path == ["a", "c"]
    assert (await flow(nodes, edges).run({})).path == ["a", "b", "c", "d"]


async def test_agentsflow_b_priority_orders_the_guards_where_all_are_taken() -> None:
    asked: list[str] = []

    def guard(name: str) -> Any:
        return lambda state: bool(asked.append(name)) or True

    edges = [Edge("a", "b", guard("b")), Edge("a", "c", guard("c"), priority=1)]
    await flow("abc", edges).run({})
    assert asked == ["c", "b"]


async def test_agentsflow_b_where_the_first_is_taken_no_edge_is_an_error() -> None:
    """There a run in which nothing matches is completed."""
    edges = [Edge("a", "b", when=lambda s: False)]
    nodes = [Node("a", kind="gate"), Node("b", same)]
    with pytest.raises(FlowError, match="no outgoing edge matched after node `a`"):
        await flow(nodes, edges, routing="first").run({})


async def test_agentsflow_b_where_all_are_taken_no_edge_skips_and_ends_at_the_path_taken() -> None:
    edges = [Edge("a", "b", when=lambda s: False), Edge("b", "c")]
    result = await flow("abc", edges).run({})
    assert (result.status, result.terminal) == ("completed", "a")
    assert (result.path, result.skipped) == (["a"], ["b", "c"])


async def test_agentsflow_b_a_gate_that_lets_nothing_through_fails() -> None:
    nodes = [Node("a", kind="gate"), Node("b", same), Node("c", same)]
    edges = [Edge("a", "b", when="state.n > 1"), Edge("a", "c", when="state.n > 2")]
    result = await flow(nodes, edges).run({"n": 0})
    assert (result.status, result.blocked) == ("failed", ["b", "c"])
    assert "no outgoing edge matched after node `a`" in result.failed["a"]
