"""Which ways a run takes (objectstack §b and §g)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowValidationError, Node, Switch
from flowrt.errors import StepLimitError
from flowrt.stores.memory import MemoryStore
from objectstack_flows import Edges, State, chain, compute, events, flow, passing, step, steps


async def test_objectstack_b_a_run_begins_at_the_entry_wherever_it_is_declared() -> None:
    made = Flow(nodes=steps("ba"), edges=[Edge("a", "b")], entry="a")
    assert (await made.run({})).path == ["a", "b"]


@pytest.mark.parametrize("entry", ["ghost", None])
def test_objectstack_b_a_flow_without_a_start_is_refused(entry: Any) -> None:
    with pytest.raises(FlowValidationError, match=r"FL10[12]"):
        Flow(nodes=steps("a"), edges=[], entry=entry)


async def test_objectstack_b_end_nodes_end_their_way_only() -> None:
    made = flow(
        [step("a"), Node("stop", kind="end"), step("b")],
        [Edge("a", "stop"), Edge("a", "b")],
        routing="all",
    )
    result = await made.run({})
    assert (result.status, sorted(result.path)) == ("completed", ["a", "b", "stop"])


INCLUSIVE: Edges = [
    Edge("a", "b", when="state.x > 1"),
    Edge("a", "c", when="state.y > 1"),
    Edge("a", "d", when="state.z > 1"),
]
TWO = {"x": 5, "y": 5, "z": 0}
NONE = {"x": 0, "y": 0, "z": 0}


async def test_objectstack_b_every_condition_that_holds_is_followed() -> None:
    result = await flow(steps("abcd"), INCLUSIVE, routing="all").run(TWO)
    assert (sorted(result.path), result.skipped) == (["a", "b", "c"], ["d"])


async def test_objectstack_b_edges_without_a_condition_are_taken_beside_those_that_hold() -> None:
    made = flow(steps("abcde"), [*INCLUSIVE, Edge("a", "e")], routing="all")
    assert sorted((await made.run(TWO)).path) == ["a", "b", "c", "e"]
    assert sorted((await made.run(NONE)).path) == ["a", "e"]


@pytest.mark.parametrize("routing", ["first", "all"])
async def test_objectstack_b_conditions_are_looked_at_in_declared_order(routing: Any) -> None:
    looked: list[str] = []

    def guard(name: str) -> Any:
        def look(state: State) -> bool:
            looked.append(name)
            return name == "c"

        return look

    edges = [Edge("a", name, when=guard(name)) for name in "dbc"]
    edges.append(Edge("a", "e", when=guard("e"), priority=1))
    result = await flow(steps("abcde"), edges, routing=routing).run({})
    assert result.path == ["a", "c"]
    assert looked == ["e", "d", "b", "c"]


async def test_objectstack_b_ways_without_a_condition_run_at_the_same_time() -> None:
    met = asyncio.Barrier(3)

    async def meets(state: State) -> State:
        await asyncio.wait_for(met.wait(), 10)
        return state

    nodes = [step("a"), *(step(name, meets) for name in "bcd")]
    result = await flow(nodes, [Edge("a", n) for n in "bcd"], routing="all").run({})
    assert result.status == "completed"


@pytest.mark.parametrize(("n", "path"), [(1, ["a", "b"]), (7, ["a", "c"])])
@pytest.mark.parametrize("routing", ["first", "all"])
async def test_objectstack_b_a_default_is_taken_only_when_no_case_is(
    routing: Any, n: int, path: list[str]
) -> None:
    made = flow(steps("abc"), [Switch("a", "$.n", {"1": "b"}, default="c")], routing=routing)
    assert (await made.run({"n": n})).path == path


LABELS: Edges = [Switch("pick", "$.label", {"approve": "a", "reject": "b"})]


async def test_objectstack_b_the_label_a_node_gives_picks_its_way() -> None:
    made = flow([compute("pick", "input"), *steps("ab")], LABELS)
    assert (await made.run({"label": "reject"})).path == ["pick", "b"]


@pytest.mark.parametrize("label", ["Approve", "revise", ""])
async def test_objectstack_b_a_label_that_no_edge_has_is_an_error_and_takes_none(
    label: str,
) -> None:
    store = MemoryStore()
    made = flow([compute("pick", "input"), *steps("ab")], LABELS)
    with pytest.raises(FlowError, match=f"has no case `{label}`, only `approve`, `reject`"):
        await made.run({"label": label}, store=store, run_id="r")
    assert [event.node for event in events(store, "r", "node_completed")] == ["pick"]


async def test_objectstack_b_a_decision_takes_the_first_condition_that_holds() -> None:
    nodes = [Node("a", kind="gate"), *steps("bcd")]
    result = await flow(nodes, [*INCLUSIVE, Edge("a", "d")]).run(TWO)
    assert result.path == ["a", "b"]


async def test_objectstack_b_no_way_on_is_an_error() -> None:
    with pytest.raises(FlowError, match="no outgoing edge matched after node `a`"):
        await flow(steps("abcd"), INCLUSIVE).run(NONE)


async def test_objectstack_b_where_all_are_taken_the_result_names_what_none_led_to() -> None:
    result = await flow(steps("abcd"), INCLUSIVE, routing="all").run(NONE)
    assert (result.path, result.skipped) == (["a"], ["b", "c", "d"])


async def test_objectstack_b_where_branches_meet_the_node_runs_once() -> None:
    edges = [Edge("a", "b"), Edge("a", "c"), Edge("b", "d"), Edge("c", "d"), Edge("d", "e")]
    result = await flow(steps("abcde"), edges, routing="all").run({})
    assert result.path[-2:] == ["d", "e"]
    assert result.path.count("d") == 1


def test_objectstack_b_edges_to_nowhere_are_refused() -> None:
    with pytest.raises(FlowValidationError, match="FL105"):
        flow(steps("a"), [Edge("a", "ghost")])


async def test_objectstack_b_the_log_has_what_is_skipped_once_and_who_decided() -> None:
    store = MemoryStore()
    edges = [Edge("a", "b", when="false"), Edge("a", "c"), Edge("b", "d"), Edge("c", "e")]
    await flow(steps("abcde"), edges, routing="all").run({}, store=store, run_id="r")
    assert [event.node for event in events(store, "r", "node_skipped")] == ["b", "d"]
    decided = {event.node: event.data["routes"] for event in events(store, "r", "node_completed")}
    assert decided == {"a": [[1, "c"]], "c": [[3, "e"]], "e": []}


async def counting(state: State) -> State:
    return {**state, "n": state["n"] + 1}


async def test_objectstack_b_ways_back_may_be_gone_more_often_than_a_hundred_times() -> None:
    nodes = [step("work", counting, kind="loop"), step("done")]
    edges = [Edge("work", "work", when="state.n < 150"), Edge("work", "done")]
    result = await flow(nodes, edges).run({"n": 0})
    assert (result.state, len(result.path)) == ({"n": 150}, 151)


async def test_objectstack_b_a_runaway_loop_ends_the_run_at_its_step_limit() -> None:
    nodes = [step("work", counting), step("back"), step("done"), step("rescue")]
    edges = [
        Edge("work", "done", when="state.n < 0"),
        Edge("work", "back"),
        Edge("back", "work"),
        Edge("work", "rescue", outcome="failed"),
        Edge("back", "rescue", outcome="failed"),
    ]
    with pytest.raises(StepLimitError, match="took its 100 steps"):
        await flow(nodes, edges, max_steps=100).run({"n": 0})


def test_objectstack_b_a_loop_that_nothing_ends_is_refused() -> None:
    with pytest.raises(FlowValidationError, match="FL301"):
        flow(steps("ab"), [Edge("a", "b"), Edge("b", "a")])


def test_objectstack_b_where_all_are_taken_no_edge_leads_back() -> None:
    with pytest.raises(FlowValidationError, match="FL303"):
        flow(steps("ab"), [Edge("a", "b"), Edge("b", "a", when="state.again")], routing="all")


async def test_objectstack_b_outputs_stand_under_the_name_of_their_node() -> None:
    made = chain(compute("one", "1"), compute("two", "outputs.one + 1"), step("last", passing))
    result = await made.run({})
    assert (result.outputs["one"], result.outputs["two"]) == (1, 2)
