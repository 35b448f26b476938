"""Runs broken off anywhere are gone on with by the same conditions, joins and retries.

agentsflow §b, consequence 8, and agentsflow §g, checkpoints.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from agentsflow_flows import State, broken_off, flow, types_of
from flowrt import Edge, Flow, Node, Retry
from flowrt.errors import NotResumableError, RunBusyError
from flowrt.stores.memory import MemoryStore


def noting(ran: list[str], name: str) -> Node:
    """A step that notes that it ran, and writes its name."""

    async def run(state: State) -> State:
        ran.append(name)
        return {**state, name: True}

    return Node(name, run)


def routed(ran: list[str]) -> Flow:
    """A router with two exclusive branches that meet, and a join that demands both."""
    both = noting(ran, "both")
    both.join = "all"
    edges = [
        Edge("a", "b", when="state.go == 'b'"),
        Edge("a", "c", when="state.go == 'c'"),
        *(Edge(src, dst) for src in "bc" for dst in ("any", "both")),
    ]
    return flow([*(noting(ran, name) for name in ("a", "b", "c", "any")), both], edges)


async def test_agentsflow_b_a_resumed_run_keeps_conditions_and_joins(tmp_path: Path) -> None:
    """Consequence 8: there both exclusive branches ran after a resume, and joins changed."""
    count = 0
    async for done, result, ran in broken_off(routed, tmp_path, {"go": "b"}):
        count += 1
        assert [*done, *ran] == ["a", "b", "any"]
        assert result.path == ["a", "b", "any"]
        assert result.skipped == ["c", "both"]
        assert (result.status, result.terminal) == ("completed", "any")
        assert result.state == {"go": "b", "a": True, "b": True, "any": True}
    assert count >= 5


async def test_agentsflow_b_a_resumed_run_asks_no_guard_again_that_was_answered(
    tmp_path: Path,
) -> None:
    answers = [True]

    def make(ran: list[str]) -> Flow:
        edges = [
            Edge("a", "b", when=lambda s: answers[-1]),
            Edge("a", "c", when=lambda s: not answers[-1]),
            Edge("b", "d"),
            Edge("c", "d"),
        ]
        return flow([noting(ran, name) for name in "abcd"], edges)

    async for done, result, _ in broken_off(make, tmp_path, {}):
        way = "b" if "a" in done or answers[-1] else "c"
        assert result.path == ["a", way, "d"]
        answers.append(False)


def retrying(ran: list[str]) -> Flow:
    async def fails(state: State) -> State:
        ran.append("fails")
        raise ConnectionError("no")

    tried = Node("fails", fails, retry=Retry(attempts=4, delay=0))
    edges = [Edge("a", "fails"), Edge("fails", "rescue", outcome="failed"), Edge("fails", "b")]
    return flow([noting(ran, "a"), tried, noting(ran, "b"), noting(ran, "rescue")], edges)


async def test_agentsflow_g_a_resumed_run_has_the_tries_that_are_left(tmp_path: Path) -> None:
    tries = []
    async for done, result, ran in broken_off(retrying, tmp_path, {}):
        assert result.path == ["a", "rescue"]
        assert result.blocked == ["b"]
        assert result.results["fails"].attempts == 4
        assert ("a" in ran) == ("a" not in done)
        tries.append(ran.count("fails"))
    # run_started, a completed, three tries that failed, the failure, `b` blocked, `rescue`.
    assert tries == [4, 4, 3, 2, 1, 0, 0, 0]


async def test_agentsflow_g_each_end_of_a_node_is_written_down_before_the_next_begins() -> None:
    store = MemoryStore()
    seen: list[list[tuple[str, str]]] = []

    def looks(name: str) -> Node:
        async def run(state: State) -> State:
            seen.append(types_of(store, "r1"))
            return {**state, name: True}

        return Node(name, run)

    await flow([looks("a"), looks("b")], [Edge("a", "b")]).run({}, store=store, run_id="r1")
    assert seen == [[("run_started", "")], [("run_started", ""), ("node_completed", "a")]]
    assert types_of(store, "r1")[-2:] == [("node_completed", "b"), ("run_completed", "")]


async def test_agentsflow_g_a_failure_is_written_down_but_not_kept_as_done() -> None:
    store = MemoryStore()
    left = [1]

    async def shaky(state: State) -> State:
        if left.pop() if left else 0:
            raise RuntimeError("broken")
        return {**state, "a": True}

    made = flow([Node("a", shaky), noting([], "b")], [Edge("a", "b")])
    first = await made.run({}, store=store, run_id="r1")
    assert types_of(store, "r1")[1:3] == [("node_failed", "a"), ("node_blocked", "b")]
    event = store.trace("r1").events[1]
    assert (event.data["error"], event.data["outcome"]) == ("RuntimeError: broken", "failed")
    assert (first.status, store.manifest("r1").status) == ("failed", "failed")
    again = await made.resume_run("r1", store)
    assert (again.status, again.path) == ("completed", ["a", "b"])
    assert again.blocked == [] and again.failed == {}


async def test_agentsflow_g_what_is_still_blocked_after_a_resume_is_told_again() -> None:
    store = MemoryStore()

    async def fails(state: State) -> State:
        raise RuntimeError("broken")

    made = flow([Node("a", fails), noting([], "b")], [Edge("a", "b")])
    await made.run({}, store=store, run_id="r1")
    again = await made.resume_run("r1", store)
    assert (again.status, again.failed) == ("failed", {"a": "RuntimeError: broken"})
    assert again.blocked == ["b"]


async def test_agentsflow_g_a_second_resume_at_once_is_refused() -> None:
    """There a lease of a minute is taken; here the run is held as long as somebody has it."""
    store = MemoryStore()
    go_on = asyncio.Event()

    async def waits(state: State) -> State:
        await go_on.wait()
        return state

    stop = [True]
    made = flow([noting([], "a"), Node("b", waits)], [Edge("a", "b")], kill_switch=lambda: stop[0])
    assert (await made.run({}, store=store, run_id="r1")).halted_at == "a"
    stop[0] = False
    first = asyncio.ensure_future(made.resume_run("r1", store))
    async with asyncio.timeout(30):
        while ("node_completed", "a") not in types_of(store, "r1"):
            await asyncio.sleep(0)
    with pytest.raises(RunBusyError):
        await made.resume_run("r1", store)
    go_on.set()
    assert (await first).status == "completed"


async def test_agentsflow_g_a_run_that_has_ended_is_not_begun_again() -> None:
    """There any checkpoint can be forked into another run."""
    store = MemoryStore()
    made = flow("a", [])
    await made.run({}, store=store, run_id="r1")
    with pytest.raises(NotResumableError, match="has ended: completed"):
        await made.resume_run("r1", store)


async def test_agentsflow_g_a_run_keeps_its_definition_with_retries_configs_and_actions() -> None:
    """There retries, configs, metadata and actions are left out."""
    store = MemoryStore()
    node: dict[str, Any] = {
        "retry": Retry(2, 0),
        "timeout": 5,
        "join": "all",
        "config": {"expression": "state.x"},
        "after": [{"type": "log", "message": "done"}],
    }
    nodes = [Node("a", kind="compute", **node), Node("b", kind="end")]
    made = flow(nodes, [Edge("a", "b", "true", priority=3, prompt="go")], max_parallel=2)
    await made.run({"x": 1}, store=store, run_id="r1")
    kept = store.definition("r1")
    shown = kept["nodes"][0]
    assert (shown["retry"]["attempts"], shown["join"], shown["timeout"]) == (2, "all", 5)
    assert (shown["config"], shown["after"]) == (node["config"], node["after"])
    edge = {"from": "a", "to": "b", "when": "true", "outcome": "ok", "priority": 3, "prompt": "go"}
    assert kept["edges"] == [edge]
    assert (kept["routing"], kept["max_parallel"]) == ("all", 2)
