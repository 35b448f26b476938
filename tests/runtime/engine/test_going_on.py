"""Runs gone on with: the same edges, path and results as without the interruption."""

from __future__ import annotations

from typing import Any

import pytest
from flowrt import Edge, Flow, Node, Region, Retry, Switch
from flowrt.stores.memory import MemoryStore

State = dict[str, Any]
HOLD = Node("hold", kind="checkpoint")


def compute(name: str, run: Any = lambda _: None) -> Node:
    return Node(name, run, kind="compute")


async def paused_and_resumed(
    flow: Flow, state: State | None = None, changed: Flow | None = None
) -> tuple[Any, Any]:
    """How a run stood at its pause, and how it ended in another process."""
    store = MemoryStore()
    paused = await flow.run(state or {}, store=store, run_id="r")
    assert paused.status == "waiting"
    keys = paused.waiting_on
    ended = await (changed or flow).resume_run("r", store, signals=dict.fromkeys(keys))
    return paused, ended


async def test_of_two_edges_to_one_node_the_one_that_was_taken_still_is() -> None:
    seen: list[Any] = []

    def heats(context: Any) -> None:
        context.state["hot"] = True

    def looks(context: Any) -> None:
        seen.append(context.incoming.prompt)

    edges = [
        Edge("a", "hold", "!state.hot", prompt="cold"),
        Edge("a", "hold", prompt="hot"),
        Edge("hold", "b", "state.hot", prompt="so"),
    ]
    told = Node("hold", lambda context: seen.append(context.incoming.prompt), kind="checkpoint")
    flow = Flow(nodes=[compute("a"), told, compute("b", looks)], edges=edges, entry="a")
    await paused_and_resumed(flow, {"hot": True})
    assert seen == ["hot", "so"]


async def test_a_changed_flow_goes_on_at_the_node_it_went_to() -> None:
    nodes = [compute("a"), compute("b"), HOLD, compute("c")]
    before = [Edge("a", "b"), Edge("b", "hold"), Edge("hold", "c")]
    flow = Flow(nodes=nodes, edges=before, entry="a")
    after = [Edge("b", "hold"), Edge("a", "b"), Edge("hold", "c")]
    _, ended = await paused_and_resumed(flow, changed=Flow(nodes=nodes, edges=after, entry="a"))
    assert (ended.status, ended.path) == ("completed", ["a", "b", "hold", "c"])


async def test_a_changed_flow_without_the_edge_takes_one_that_it_has() -> None:
    nodes = [compute("a"), HOLD, compute("c")]
    flow = Flow(nodes=nodes, edges=[Edge("a", "hold"), Edge("hold", "c")], entry="a")
    more = Flow(
        nodes=[compute("a"), compute("new"), HOLD, compute("c")],
        edges=[Edge("a", "new"), Edge("new", "hold"), Edge("hold", "c")],
        entry="a",
    )
    _, ended = await paused_and_resumed(flow, changed=more)
    assert ended.path[-3:] == ["new", "hold", "c"]


async def test_the_path_has_what_ran_in_regions_before() -> None:
    each = Node(
        "each",
        kind="repeat",
        config={"over": [1, 2]},
        regions={"body": Region([compute("x")], [], "x")},
    )
    nodes = [each, HOLD, compute("y")]
    flow = Flow(nodes=nodes, edges=[Edge("each", "hold"), Edge("hold", "y")], entry="each")
    _, ended = await paused_and_resumed(flow)
    assert ended.path == ["x", "x", "each", "hold", "y"]


async def test_a_region_tried_again_runs_again_as_a_whole_also_after_a_pause() -> None:
    ran: list[str] = []

    def noted(name: str) -> Node:
        return compute(name, lambda _: ran.append(name))

    def fails_once(_: Any) -> None:
        ran.append("fails")
        if ran.count("fails") == 1:
            raise OSError("once")

    body = [noted("first"), compute("fails", fails_once), HOLD, noted("last")]
    edges = [Edge("first", "fails"), Edge("fails", "hold"), Edge("hold", "last")]
    split = Node(
        "split",
        kind="parallel",
        regions={"only": Region(body, edges, "first")},
        retry=Retry(attempts=2, delay=0),
    )
    flow = Flow(nodes=[split], edges=[], entry="split")
    await paused_and_resumed(flow)
    assert ran == ["first", "fails", "first", "fails", "last"]


async def test_failures_are_told_alike_before_and_after() -> None:
    def fails(_: Any) -> None:
        raise ValueError("boom")

    nodes = [compute("a", fails), HOLD]
    flow = Flow(nodes=nodes, edges=[Edge("a", "hold", outcome="failed")], entry="a", routing="all")
    paused, ended = await paused_and_resumed(flow)
    assert paused.failed == ended.failed == {"a": "ValueError: boom"}


@pytest.mark.parametrize("routing", ["first", "all"])
async def test_the_case_of_a_switch_is_the_edge_that_led_here(routing: Any) -> None:
    flow = Flow(
        nodes=[compute("pick", lambda _: {"to": "end"}), Node("end", kind="end")],
        edges=[Switch("pick", "$.to", {"end": "end"})],
        entry="pick",
        routing=routing,
    )
    assert (await flow.run({})).outputs["end"] == {"to": "end"}


async def test_a_waiting_run_tells_the_state_it_waits_with() -> None:
    async def add(state: State) -> State:
        return {"n": state["n"] + 1}

    flow = Flow(nodes=[Node("a", add), HOLD], edges=[Edge("a", "hold")], entry="a")
    paused, _ = await paused_and_resumed(flow, {"n": 1})
    assert paused.state == {"n": 2}


async def test_a_key_that_several_wait_for_is_named_once() -> None:
    waits = [Node(name, kind="wait", config={"signal": "k"}) for name in "bc"]
    flow = Flow(
        nodes=[compute("a"), *waits],
        edges=[Edge("a", "b"), Edge("a", "c")],
        entry="a",
        routing="all",
    )
    paused, ended = await paused_and_resumed(flow)
    assert paused.waiting_on == ["k"]
    assert ended.status == "completed"


async def test_what_was_told_before_a_pause_is_not_told_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    before = [
        {"type": "log", "message": "asking {state.who}"},
        {"type": "set-context", "key": "asked", "value_from": "state.who"},
    ]
    hold = Node("hold", kind="checkpoint", before=before)
    flow = Flow(nodes=[hold], edges=[], entry="hold")
    _, ended = await paused_and_resumed(flow, {"who": "Ann"})
    assert [record.message for record in caplog.records].count("asking Ann") == 1
    assert ended.state == {"who": "Ann", "asked": "Ann"}
