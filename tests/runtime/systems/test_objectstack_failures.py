"""What a failure leads to, and what is known of it (objectstack §b and §g)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowValidationError, Node, Retry, Switch
from flowrt.definition.load import from_dict
from flowrt.errors import NodeTimeoutError, StepLimitError
from flowrt.stores.memory import MemoryStore
from objectstack_flows import Edges, State, compute, events, failing, flow, region, step, steps

TWO_FAULTS: Edges = [
    Edge("a", "b"),
    Edge("a", "c", outcome="failed"),
    Edge("a", "d", outcome="failed"),
]


def broken(*more: Node, edges: Edges = TWO_FAULTS, **options: Any) -> Flow:
    """`a` fails; `b`, `c` and `d` are there to follow it."""
    return flow([step("a", failing), *steps("bcd"), *more], edges, **options)


async def test_objectstack_b_a_failure_follows_the_first_fault_edge_only() -> None:
    store = MemoryStore()
    result = await broken().run({}, store=store, run_id="r")
    assert (result.status, result.path) == ("completed", ["c"])
    (failure,) = events(store, "r", "node_failed")
    assert (failure.node, failure.data["routes"], failure.data["handled"]) == (
        "a",
        [[1, "c"]],
        True,
    )


async def test_objectstack_b_where_all_are_taken_so_are_all_fault_edges() -> None:
    result = await broken(routing="all").run({})
    assert (result.status, sorted(result.path)) == ("completed", ["c", "d"])
    assert (result.failed, result.blocked) == ({"a": "ValueError: no luck"}, ["b"])


async def test_objectstack_b_the_condition_of_a_fault_edge_counts() -> None:
    edges = [
        Edge("a", "b"),
        Edge("a", "c", when="state.n > 1", outcome="failed"),
        Edge("a", "d", when="result.error.contains('luck')", outcome="failed"),
    ]
    assert (await broken(edges=edges).run({"n": 5})).path == ["c"]
    assert (await broken(edges=edges).run({"n": 0})).path == ["d"]


async def test_objectstack_b_a_switch_on_the_outcome_leads_by_how_a_node_ended() -> None:
    edges = [Switch("a", "$result.outcome", {"ok": "b", "failed": "c"}, default="d")]
    assert (await broken(edges=edges).run({})).path == ["c"]


def rescue(run: Any) -> Flow:
    nodes = [step("a", failing), Node("c", run, kind="compute")]
    return flow(nodes, [Edge("a", "c", outcome="failed")])


async def test_objectstack_b_what_follows_learns_which_node_failed_and_why() -> None:
    def look(context: Any) -> Any:
        failure = context.results["a"]
        return failure.node, failure.outcome, failure.error, "a" in context.outputs

    result = await rescue(look).run({})
    assert result.outputs["c"] == ("a", "failed", "ValueError: no luck", False)


async def test_objectstack_b_the_failure_is_still_known_after_a_pause() -> None:
    store = MemoryStore()
    nodes = [step("a", failing), Node("ok", kind="checkpoint"), compute("c", "results.a.error")]
    made = flow(nodes, [Edge("a", "ok", outcome="failed"), Edge("ok", "c")])
    await made.run({}, store=store, run_id="r")
    result = await made.resume_run("r", store, signals={"ok": 1})
    assert result.outputs["c"] == "ValueError: no luck"


async def test_objectstack_b_the_failure_can_be_put_into_the_state() -> None:
    note = {"type": "set-context", "key": "why", "value_from": "results.a.error"}
    nodes = [step("a", failing), step("c", before=[note])]
    result = await flow(nodes, [Edge("a", "c", outcome="failed")]).run({})
    assert result.state == {"why": "ValueError: no luck"}


async def too_slow(state: State) -> State:
    await asyncio.sleep(60)
    return state


async def test_objectstack_b_a_timeout_is_a_failure_with_edges_of_its_own() -> None:
    nodes = [step("a", too_slow, timeout=0.01), *steps("bc")]
    edges = [Edge("a", "b", outcome="failed"), Edge("a", "c", outcome="timed_out")]
    assert (await flow(nodes, edges).run({})).path == ["c"]
    with pytest.raises(NodeTimeoutError, match="node `a` took longer"):
        await flow(nodes[:2], edges[:1]).run({})


@pytest.mark.parametrize("routing", ["first", "all"])
async def test_objectstack_b_what_fails_later_does_not_lead_back_to_an_earlier_fault_edge(
    routing: Any,
) -> None:
    store = MemoryStore()
    nodes = [step("a"), step("b", failing), step("rescue")]
    edges = [Edge("a", "b"), Edge("a", "rescue", outcome="failed")]
    made = flow(nodes, edges, routing=routing)
    if routing == "first":
        with pytest.raises(ValueError, match="no luck"):
            await made.run({}, store=store, run_id="r")
    else:
        assert (await made.run({}, store=store, run_id="r")).status == "failed"
    assert store.manifest("r").status == "failed"
    assert [event.node for event in events(store, "r", "node_completed")] == ["a"]


async def test_objectstack_b_a_failure_without_a_fault_edge_fails_the_run() -> None:
    store = MemoryStore()
    with pytest.raises(ValueError, match="no luck") as caught:
        await flow([step("a", failing), step("b")], [Edge("a", "b")]).run(
            {}, store=store, run_id="r"
        )
    assert caught.value.__notes__ == ["in node `a` of flow `flow`"]
    manifest = store.manifest("r")
    assert (manifest.status, manifest.error) == ("failed", "ValueError: no luck")


@pytest.mark.parametrize(
    ("node", "says"),
    [
        (Node("a", kind="wait", config={"secs": 1}), "`secs`"),
        (Node("a", kind="join_gateway"), "FL703"),
        (Node("a", kind="repeat", config={"over": [1]}), "`body`"),
    ],
)
def test_objectstack_b_wrong_metadata_is_refused_before_a_fault_edge_could_hide_it(
    node: Node, says: str
) -> None:
    with pytest.raises(FlowValidationError, match=says):
        flow([node, *steps("b")], [Edge("a", "b", outcome="failed")])


async def test_objectstack_b_the_step_limit_is_no_failure_of_the_node_it_stops() -> None:
    edges = [Edge("a", "b"), Edge("b", "c"), Edge("b", "d", outcome="failed")]
    with pytest.raises(StepLimitError, match="would go on with `b`"):
        await flow(steps("abcd"), edges, max_steps=1).run({})


async def test_objectstack_b_only_what_raises_fails() -> None:
    nodes = [compute("a", "{'success': false}"), *steps("bc")]
    edges = [Edge("a", "b"), Edge("a", "c", outcome="failed")]
    assert (await flow(nodes, edges).run({})).path == ["a", "b"]


async def pauses_of(retry: Retry) -> list[float]:
    store = MemoryStore()
    with pytest.raises(ValueError, match="no luck"):
        await flow([step("a", failing, retry=retry)], []).run({}, store=store, run_id="r")
    return [event.data["again_in"] for event in events(store, "r", "attempt_failed")]


async def test_objectstack_b_pauses_between_tries_grow_up_to_a_limit() -> None:
    retry = Retry(attempts=6, delay=0.001, factor=2, max_delay=0.005)
    assert await pauses_of(retry) == [0.001, 0.002, 0.004, 0.005, 0.005]


async def test_objectstack_b_jitter_varies_the_pauses_both_ways_by_its_share() -> None:
    pauses = await pauses_of(Retry(attempts=60, delay=0.0002, factor=1, jitter=0.5))
    assert all(0.0001 <= pause <= 0.0003 for pause in pauses)
    assert len(set(pauses)) > 1


async def test_objectstack_b_a_whole_flow_is_tried_again_as_a_region() -> None:
    ran: list[str] = []

    def noted(name: str) -> Any:
        async def run(state: State) -> State:
            ran.append(name)
            if name == "b" and len(ran) < 5:
                raise ConnectionError("again")
            return {**state, name: True}

        return run

    whole = region(step("a", noted("a")), step("b", noted("b")))
    retry = {"attempts": 5, "delay": 0.001}
    node = Node("all", kind="attempt", config={"retry": retry}, regions={"try": whole})
    result = await flow([node], []).run({})
    assert ran == ["a", "b", "a", "b", "a", "b"]
    assert (result.state, result.outputs["all"]["attempts"]) == ({"a": True, "b": True}, 3)


@pytest.mark.parametrize("field", ["errorHandling", "runAs", "status", "type", "variables"])
def test_objectstack_b_fields_that_would_do_nothing_are_refused_by_name(field: str) -> None:
    data = {"flowrt": 1, "name": "x", "entry": "a", "nodes": [{"name": "a", "kind": "gate"}]}
    assert from_dict(data).name == "x"
    with pytest.raises(FlowValidationError, match=f"`{field}`"):
        from_dict({**data, field: {"strategy": "continue"}})
