"""Runs that are kept: what is seen of them from outside, suspending, recovery (agentsflow §g)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agentsflow_flows import AT_ONCE, State, fails_times, flow, same, types_of, writes
from flowrt import Edge, Node
from flowrt.authoring import FlowResult
from flowrt.errors import NotStorableError
from flowrt.stores.base import RunStore
from flowrt.stores.folder import FolderStore
from flowrt.stores.memory import MemoryStore
from flowrt.stores.sqlite import SqliteStore


@pytest.fixture(params=["folder", "sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> RunStore:
    if request.param == "folder":
        return FolderStore(tmp_path / "runs")
    return SqliteStore(tmp_path / "runs.db") if request.param == "sqlite" else MemoryStore()


async def test_agentsflow_g_the_state_of_each_active_node_is_kept_while_it_runs(
    store: RunStore,
) -> None:
    """There the states of nodes have a place in a checkpoint that is always empty."""
    seen: list[Any] = []

    def is_seen() -> bool:
        live = store.live("r1")
        if live is not None and live["nodes"]:
            seen.append(live)
        return bool(seen)

    async def works(context: Any) -> None:
        if context.attempt == 1:
            raise ConnectionError("not yet")
        context.heartbeat("page 7")
        async with asyncio.timeout(30):
            while not is_seen():
                await asyncio.sleep(0.01)

    made = flow([Node("a", works, "compute", retry=AT_ONCE)], [])
    await made.run({}, store=store, run_id="r1")
    (node,) = seen[-1]["nodes"]
    assert (node["node"], node["state"], node["attempt"]) == ("a", "running", 2)
    assert node["detail"] == "page 7"
    assert 0 < node["since"] <= node["heartbeat"]
    after = store.live("r1")
    assert after is not None
    assert (after["status"], after["nodes"]) == ("completed", [])


async def test_agentsflow_g_a_run_is_suspended_before_a_node_and_goes_on_there(
    store: RunStore,
) -> None:
    """`suspend` there; here a kill switch."""
    ran: list[str] = []

    def notes(name: str) -> Node:
        async def run(state: State) -> State:
            ran.append(name)
            return {**state, name: True}

        return Node(name, run)

    suspended = [True]
    made = flow(
        [notes(name) for name in "abcd"],
        [Edge("a", "b"), Edge("b", "c"), Edge("c", "d")],
        kill_switch=lambda: suspended[0] and len(ran) == 2,
    )
    first = await made.run({}, store=store, run_id="r1")
    assert (first.status, first.halted_at, store.manifest("r1").status) == ("halted", "c", "halted")
    suspended[0] = False
    again = await made.resume_run("r1", store)
    assert ran == ["a", "b", "c", "d"]
    assert (again.status, again.path) == ("completed", ["a", "b", "c", "d"])


async def test_agentsflow_g_a_run_that_waits_goes_on_with_what_ran_beside_it(
    store: RunStore,
) -> None:
    nodes = [
        Node("a", same),
        Node("ok", kind="checkpoint", config={"into": "said"}),
        Node("b", writes("b")),
        Node("end", writes("end"), join="all"),
    ]
    edges = [Edge("a", "ok"), Edge("a", "b"), Edge("ok", "end"), Edge("b", "end")]
    made = flow(nodes, edges)
    first = await made.run({}, store=store, run_id="r1")
    assert (first.status, first.path, first.waiting_on) == ("waiting", ["a", "b"], ["ok"])
    again = await made.resume_run("r1", store, signals={"ok": "yes"})
    assert (again.status, again.state) == ("completed", {"said": "yes", "b": True, "end": True})


async def test_agentsflow_g_the_path_tells_the_order_in_which_nodes_were_done(
    store: RunStore,
) -> None:
    second_done = asyncio.Event()

    async def first(state: State) -> State:
        await asyncio.wait_for(second_done.wait(), 30)
        return state

    async def second(state: State) -> State:
        second_done.set()
        return state

    nodes = [Node("s", same), Node("first", first), Node("second", second)]
    made = flow(nodes, [Edge("s", "first"), Edge("s", "second")])
    result = await made.run({}, store=store, run_id="r1")
    assert result.path == ["s", "second", "first"]
    assert types_of(store, "r1")[-1] == ("run_completed", "")
    assert store.trace("r1").events[-1].data["path"] == ["s", "second", "first"]


async def test_agentsflow_g_a_state_that_cannot_be_kept_is_an_error_and_not_kept_lossily(
    store: RunStore,
) -> None:
    """There it is kept as a text, and the checkpoint is marked."""
    made = flow([Node("a", writes("client", object())), Node("b", same)], [Edge("a", "b")])
    with pytest.raises(NotStorableError, match=r"state\['client'\] cannot be stored"):
        await made.run({}, store=store, run_id="r1")
    assert ("node_completed", "a") not in types_of(store, "r1")
    assert store.manifest("r1").status == "failed"


async def test_agentsflow_g_values_come_back_from_a_kept_run_as_they_were(
    store: RunStore,
) -> None:
    """Not as texts: a tuple is a tuple, and bytes are bytes."""
    value = {"pair": (1, 2), "raw": b"\x00\xff", "names": {"x", "y"}, "nothing": None}
    nodes = [Node("a", lambda context: value, "compute"), Node("ok", kind="checkpoint")]
    nodes.append(Node("b", lambda context: context.outputs["a"], "compute"))
    made = flow(nodes, [Edge("a", "ok"), Edge("ok", "b")])
    await made.run({}, store=store, run_id="r1")
    result: FlowResult = await made.resume_run("r1", store, signals={"ok": None})
    assert result.outputs["b"] == value


async def test_agentsflow_g_a_run_without_a_store_is_kept_nowhere_and_runs_the_same() -> None:
    nodes = [Node("a", fails_times(1), retry=AT_ONCE), Node("b", writes("b"))]
    result = await flow(nodes, [Edge("a", "b")]).run({})
    assert (result.status, result.run_id, result.path) == ("completed", None, ["a", "b"])
