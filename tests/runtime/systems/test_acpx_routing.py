"""acpx §b and §g: the loop over nodes, outcomes, paths of switches, outputs and results."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowResult, FlowValidationError, Node, Switch
from flowrt.engine.context import NodeContext
from flowrt.stores.memory import MemoryStore


def gives_its_name(context: NodeContext) -> Any:
    return context.node.name


def compute(name: str, run: Any = gives_its_name, **more: Any) -> Node:
    return Node(name, run, "compute", **more)


async def works(context: NodeContext) -> Any:
    return 1


async def fails(context: NodeContext) -> Any:
    raise ValueError("boom")


async def hangs(context: NodeContext) -> Any:
    await asyncio.sleep(60)


def flow(nodes: list[Node], *edges: Edge | Switch) -> Flow:
    return Flow(nodes=nodes, edges=edges, entry=nodes[0].name)


async def kept(flow: Flow, store: MemoryStore) -> FlowResult:
    return await flow.run({}, store=store, run_id="r")


def events(store: MemoryStore) -> list[tuple[str, str, int]]:
    return [(event.type, event.node, event.visit) for event in store.trace("r").events]


async def test_acpx_g_one_node_after_the_other_each_visit_with_its_number() -> None:
    store = MemoryStore()
    rounds = flow(
        [compute("tick", lambda context: {"go": context.visit < 3}), compute("done")],
        Switch("tick", "$.go", {"true": "tick", "false": "done"}),
    )
    result = await kept(rounds, store)
    assert result.path == ["tick", "tick", "tick", "done"]
    assert [event for event in events(store) if event[0] == "node_completed"] == [
        ("node_completed", "tick", 1),
        ("node_completed", "tick", 2),
        ("node_completed", "tick", 3),
        ("node_completed", "done", 1),
    ]


async def test_acpx_g_without_max_steps_a_cycle_goes_on_as_long_as_it_likes() -> None:
    rounds = flow(
        [compute("tick", lambda context: {"go": context.visit < 500}), compute("done")],
        Switch("tick", "$.go", {"true": "tick", "false": "done"}),
    )
    assert len((await rounds.run({})).path) == 501
    rounds.max_steps = 400
    with pytest.raises(FlowError, match="took its 400 steps"):
        await rounds.run({})


async def test_acpx_b_a_node_without_edges_completes_the_run() -> None:
    store = MemoryStore()
    result = await kept(flow([compute("a")]), store)
    assert (result.status, result.terminal) == ("completed", "a")
    assert store.manifest("r").status == "completed"


@pytest.mark.parametrize(
    "edge",
    [
        None,
        Edge("a", "b"),
        Switch("a", "$.route", {"x": "b"}, default="b"),
        Switch("a", "$output.route", {"x": "b"}, default="b"),
    ],
)
async def test_acpx_b_a_failure_follows_no_edge_but_switches_on_the_result(
    edge: Edge | Switch | None,
) -> None:
    """Else the run fails with the node's own error."""
    store = MemoryStore()
    nodes = [compute("a", fails)] + ([compute("b")] if edge else [])
    with pytest.raises(ValueError, match="boom") as caught:
        await kept(flow(nodes, *([edge] if edge else [])), store)
    assert caught.value.__notes__ == ["in node `a` of flow `flow`"]
    assert store.manifest("r").status == "failed"
    assert ("node_completed", "b", 1) not in events(store)


@pytest.mark.parametrize(
    ("give", "outcome"), [(works, "ok"), (fails, "failed"), (hangs, "timed_out")]
)
async def test_acpx_g_outcomes_lead_over_switches_on_the_result(give: Any, outcome: str) -> None:
    cases = {name: name for name in ("ok", "failed", "timed_out")}
    nodes = [compute("a", give, timeout=0.05), *(compute(name) for name in cases)]
    result = await flow(nodes, Switch("a", "$result.outcome", cases)).run({})
    assert result.terminal == outcome
    assert result.results["a"].outcome == outcome


async def test_acpx_b_a_run_ends_as_timed_out_when_nothing_takes_the_timeout_up() -> None:
    store = MemoryStore()
    with pytest.raises(TimeoutError, match="took longer than its"):
        await kept(flow([compute("a", hangs, timeout=0.05)]), store)
    assert store.manifest("r").status == "timed_out"
    assert store.trace("r").events[-1].type == "run_timed_out"


async def test_acpx_b_a_failure_that_no_case_takes_up_ends_the_run_with_its_own_error() -> None:
    nodes = [compute("a", fails), compute("b")]
    with pytest.raises(ValueError, match="boom"):
        await flow(nodes, Switch("a", "$result.outcome", {"ok": "b"})).run({})


async def test_acpx_b_cancelling_is_not_routable() -> None:
    begun = asyncio.Event()

    async def waits(context: NodeContext) -> None:
        begun.set()
        await asyncio.sleep(60)

    store = MemoryStore()
    nodes = [compute("a", waits), compute("b")]
    switch = Switch("a", "$result.outcome", {"cancelled": "b"}, default="b")
    task = asyncio.ensure_future(kept(flow(nodes, switch), store))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert store.manifest("r").status == "cancelled"
    assert ("node_completed", "b", 1) not in events(store)


OUTPUT = {"route": "x", "deep": {"list": [{"k": "x"}]}, "0": "x", "a b": "x"}


@pytest.mark.parametrize(
    "path",
    [
        "$.route", "$output.route", "$.deep.list.0.k", "$output.deep.list.0.k",
        "$.0", "$result.output.route", "$result.output.deep.list.0.k",
    ],
)  # fmt: skip
async def test_acpx_g_paths_lead_into_output_and_result_by_dots(path: str) -> None:
    nodes = [compute("a", lambda context: OUTPUT), compute("b")]
    assert (await flow(nodes, Switch("a", path, {"x": "b"})).run({})).terminal == "b"


@pytest.mark.parametrize(
    ("path", "value"),
    [("$result.outcome", "ok"), ("$result.node", "a"), ("$result.attempts", "1")],
)
async def test_acpx_b_a_result_has_fields_of_its_own(path: str, value: str) -> None:
    nodes = [compute("a"), compute("b")]
    assert (await flow(nodes, Switch("a", path, {value: "b"})).run({})).terminal == "b"


@pytest.mark.parametrize(
    "path",
    [
        "route",
        "$",
        "$.",
        "$['route']",
        "$.list[0]",
        "$.*.x[*]",
        "$..route",
        "$other.x",
        "$result.x",
    ],
)
def test_acpx_b_any_other_path_is_refused_before_the_run(path: str) -> None:
    """acpx says so when the switch is reached."""
    with pytest.raises(FlowValidationError, match="FL601"):
        flow([compute("a"), compute("b")], Switch("a", path, {"x": "b"}))


@pytest.mark.parametrize("value", [None, ["x"], {"x": 1}])
async def test_acpx_g_a_switch_needs_a_text_number_or_truth_value(value: Any) -> None:
    nodes = [compute("a", lambda context: {"route": value}), compute("b")]
    with pytest.raises(FlowError, match="needs a text, number or truth value, not"):
        await flow(nodes, Switch("a", "$.route", {"x": "b"})).run({})


async def test_acpx_g_a_path_that_is_not_in_the_output_fails() -> None:
    nodes = [compute("a", lambda context: {"other": 1}), compute("b")]
    with pytest.raises(FlowError, match=r"`\$\.route` leads nowhere: there is no `route`"):
        await flow(nodes, Switch("a", "$.route", {"x": "b"})).run({})


@pytest.mark.parametrize("value", ["y", "toString", "__class__", ""])
async def test_acpx_g_only_a_case_of_its_own_is_taken_and_none_is_an_error(value: str) -> None:
    """The node itself has ended well before: it is not run again when the run is resumed."""
    store = MemoryStore()
    nodes = [compute("a", lambda context: {"route": value}), compute("b")]
    with pytest.raises(FlowError, match=f"no case `{value}`, only `x`"):
        await kept(flow(nodes, Switch("a", "$.route", {"x": "b"})), store)
    assert [event[:2] for event in events(store)] == [
        ("run_started", ""),
        ("node_completed", "a"),
        ("run_failed", ""),
    ]


@pytest.mark.parametrize(
    ("value", "case"), [(True, "true"), (False, "false"), (1, "1"), (2.5, "2.5")]
)
async def test_acpx_b_values_are_looked_up_as_text(value: Any, case: str) -> None:
    nodes = [compute("a", lambda context: {"route": value}), compute("b")]
    assert (await flow(nodes, Switch("a", "$.route", {case: "b"})).run({})).terminal == "b"


async def test_acpx_g_outputs_are_of_success_only_and_results_of_the_latest_visit() -> None:
    """What a node gave in an earlier round stays visible after it failed in a later one."""
    seen: dict[str, Any] = {}

    def second_fails(context: NodeContext) -> Any:
        if context.visit == 2:
            raise ValueError("boom")
        seen["before"] = dict(context.outputs)
        return "first"

    def looks(context: NodeContext) -> Any:
        seen["output"] = context.outputs["work"]
        seen["result"] = context.results["work"]
        return None

    result = await flow(
        [compute("work", second_fails), compute("looks", looks)],
        Switch("work", "$result.outcome", {"ok": "work", "failed": "looks"}),
    ).run({})
    assert seen["before"] == {}
    assert seen["output"] == "first"
    assert (seen["result"].outcome, seen["result"].error) == ("failed", "ValueError: boom")
    assert result.outputs["work"] == "first"
    assert result.results["work"].outcome == "failed"


async def test_acpx_b_a_node_that_never_did_well_has_no_output() -> None:
    nodes = [compute("a", fails), compute("b")]
    result = await flow(nodes, Switch("a", "$result.outcome", {"failed": "b"})).run({})
    assert list(result.outputs) == ["b"]


async def test_acpx_b_trying_again_is_a_switch_back_to_the_node() -> None:
    tries: list[int] = []

    def flaky(context: NodeContext) -> Any:
        tries.append(context.visit)
        if len(tries) < 3:
            raise ConnectionError("again")
        return "at last"

    again = Switch("a", "$result.outcome", {"ok": "b", "failed": "a"})
    result = await flow([compute("a", flaky), compute("b")], again).run({})
    assert tries == [1, 2, 3]
    assert (result.outputs["a"], result.path) == ("at last", ["a", "b"])


async def test_acpx_b_nothing_is_tried_again_by_itself() -> None:
    tries: list[int] = []

    def flaky(context: NodeContext) -> Any:
        tries.append(1)
        raise ConnectionError("no")

    with pytest.raises(ConnectionError):
        await flow([compute("a", flaky)]).run({})
    assert tries == [1]
