"""acpx §b and §g: what checkpoints, timeouts, heartbeats and commands do in a run."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowValidationError, Node, Switch
from flowrt.engine.context import NodeContext
from flowrt.errors import NotResumableError
from flowrt.stores.memory import MemoryStore

PATIENCE = 30.0


def node(name: str, kind: str, run: Any = None, **more: Any) -> Node:
    return Node(name, run, kind, **more)


def echo(name: str) -> Node:
    return node(name, "compute", lambda context: context.node.name)


def flow(nodes: list[Node], *edges: Edge | Switch) -> Flow:
    return Flow(nodes=nodes, edges=edges, entry=nodes[0].name)


async def until(found: Callable[[], object]) -> None:
    end = monotonic() + PATIENCE
    while not found():
        assert monotonic() < end, "it did not come to that in time"
        await asyncio.sleep(0.01)


async def test_acpx_g_a_checkpoint_stops_the_run_which_then_waits() -> None:
    store = MemoryStore()
    pausing = flow([node("ok", "checkpoint"), echo("after")], Edge("ok", "after"))
    result = await pausing.run({}, store=store, run_id="r")
    assert (result.status, result.waiting_on, result.path) == ("waiting", ["ok"], [])
    assert store.manifest("r").status == "waiting"
    assert store.manifest("r").waiting_on == ("ok",)


async def test_acpx_g_a_waiting_run_goes_on_behind_its_checkpoint() -> None:
    """An extension: in acpx everything behind a checkpoint is dead."""
    store = MemoryStore()
    pausing = flow(
        [node("ok", "checkpoint", config={"summary": "Ship it?"}), echo("after")],
        Edge("ok", "after"),
    )
    await pausing.run({}, store=store, run_id="r")
    result = await pausing.resume_run("r", store, signals={"ok": None})
    assert result.path == ["ok", "after"]
    assert result.outputs["ok"] == {"checkpoint": "ok", "summary": "Ship it?"}
    with pytest.raises(NotResumableError):
        await pausing.resume_run("r", store)


async def test_acpx_b_the_summary_of_a_checkpoint_is_its_name_unless_given() -> None:
    store = MemoryStore()
    pausing = flow([node("ok", "checkpoint")])
    await pausing.run({}, store=store, run_id="r")
    result = await pausing.resume_run("r", store, signals={"ok": None})
    assert result.outputs["ok"] == {"checkpoint": "ok", "summary": "ok"}


async def test_acpx_b_a_checkpoint_whose_run_fails_leads_over_a_switch_on_the_result() -> None:
    def fails(context: NodeContext) -> Any:
        raise ValueError("boom")

    cases = Switch("ok", "$result.outcome", {"failed": "after", "ok": "after"})
    result = await flow([node("ok", "checkpoint", fails), echo("after")], cases).run({})
    assert (result.status, result.path) == ("completed", ["after"])


async def sleeps(context: NodeContext) -> None:
    await asyncio.sleep(60)


async def parses_slowly(text: str, context: NodeContext) -> None:
    await asyncio.sleep(60)


PRINT = {"command": sys.executable, "args": ["-c", "print(1)"]}
SLEEP = {"command": sys.executable, "args": ["-c", "import time; time.sleep(60)"]}


async def gives_slowly(context: NodeContext) -> dict[str, Any]:
    await asyncio.sleep(60)
    return PRINT


@pytest.mark.parametrize(
    "slow",
    [
        node("a", "compute", sleeps, timeout=0.1),
        node("a", "action", sleeps, timeout=0.1),
        node("a", "checkpoint", sleeps, timeout=0.1),
        node("a", "shell", config=SLEEP, timeout=0.5),
        node("a", "shell", config={"exec": gives_slowly}, timeout=0.1),
        node("a", "shell", config={**PRINT, "parse": parses_slowly}, timeout=1.0),
        node("a", "shell", config={**SLEEP, "timeout": 0.1}, timeout=60),
    ],
    ids=["compute", "action", "checkpoint", "command", "exec", "parse", "its own"],
)
async def test_acpx_g_a_timeout_covers_all_that_a_node_does(slow: Node) -> None:
    """What leads to the command, the command and what is made of its output."""
    began = monotonic()
    switch = Switch("a", "$result.outcome", {"timed_out": "late"})
    result = await flow([slow, echo("late")], switch).run({})
    assert result.results["a"].outcome == "timed_out"
    assert monotonic() - began < PATIENCE


async def test_acpx_b_what_takes_too_long_is_told_to_stop() -> None:
    seen: list[Any] = []

    async def tidies(context: NodeContext) -> None:
        seen.append(context)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("stopped")
            raise

    with pytest.raises(TimeoutError):
        await flow([node("a", "compute", tidies, timeout=0.05)]).run({})
    assert seen[1:] == ["stopped"]
    assert seen[0].cancelled


async def test_acpx_b_a_timeout_may_be_longer_than_timers_of_javascript_can_be() -> None:
    async def one(context: NodeContext) -> int:
        return 1

    quick = node("a", "compute", one, timeout=2.0**31)
    assert (await flow([quick]).run({})).outputs == {"a": 1}


@pytest.mark.parametrize("limit", ["timeout", "heartbeat"])
@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_acpx_b_a_limit_is_a_finite_number_above_zero(limit: str, seconds: float) -> None:
    """acpx takes 0 for none; here what has no limit says nothing of one."""
    with pytest.raises(FlowValidationError, match="FL802"):
        flow([node("a", "compute", sleeps, **{limit: seconds})])


@pytest.mark.parametrize("heartbeat", [0.02, None])
async def test_acpx_g_a_heartbeat_shows_that_a_node_is_alive(heartbeat: float | None) -> None:
    store = MemoryStore()
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def waits(context: NodeContext) -> None:
        begun.set()
        await go_on.wait()

    def shown() -> Any:
        nodes = (store.live("r") or {}).get("nodes") or [{}]
        return nodes[0]

    waiting = flow([node("a", "compute", waits, heartbeat=heartbeat, detail="reading")])
    task = asyncio.ensure_future(waiting.run({}, store=store, run_id="r"))
    await begun.wait()
    await until(lambda: shown().get("state") == "running")
    if heartbeat is not None:
        await until(lambda: shown()["heartbeat"])
        first = shown()["heartbeat"]
        await until(lambda: shown()["heartbeat"] > first)
    else:
        assert shown()["heartbeat"] is None
    assert (shown()["node"], shown()["attempt"], shown()["detail"]) == ("a", 1, "reading")
    go_on.set()
    assert (await task).status == "completed"


async def test_acpx_g_four_kinds_take_functions_of_the_context() -> None:
    """acp is `agent` here, and has tests with a real agent."""
    store = MemoryStore()

    def command(context: NodeContext) -> dict[str, Any]:
        word = f"{context.outputs['computed']} {context.outputs['acted']}"
        return {"command": sys.executable, "args": ["-c", "import sys; print(sys.argv[1])", word]}

    async def told(context: NodeContext) -> Any:
        return context.outputs["ran"]

    kinds = flow(
        [
            node("computed", "compute", lambda context: context.input["n"] + 1),
            node("acted", "action", lambda context: context.services["token"]),
            node("ran", "shell", config={"exec": command, "parse": "text"}),
            node("asks", "checkpoint", told),
        ],
        Edge("computed", "acted"),
        Edge("acted", "ran"),
        Edge("ran", "asks"),
    )  # fmt: skip
    services = {"token": "secretless"}
    result = await kinds.run({"n": 1}, store=store, run_id="r", services=services)
    assert result.outputs == {"computed": 2, "acted": "secretless", "ran": "2 secretless\n"}
    waits = next(event for event in store.trace("r").events if event.type == "node_waiting")
    assert waits.data["data"]["data"] == "2 secretless\n"


async def test_acpx_g_a_command_that_fails_leads_on_before_it_is_parsed(tmp_path: Path) -> None:
    failing = {"command": sys.executable, "args": ["-c", "import sys; sys.exit(3)"]}

    def parse(result: Any, context: NodeContext) -> Any:
        return result["exit_code"]

    ends = {"ok": "good", "failed": "bad"}
    for allowed, end in ((False, "bad"), (True, "good")):
        config = {**failing, "allow_nonzero_exit": allowed, "parse": parse}
        nodes = [node("a", "shell", config=config), echo("good"), echo("bad")]
        result = await flow(nodes, Switch("a", "$result.outcome", ends)).run({})
        assert result.terminal == end
        assert result.outputs.get("a") == (3 if allowed else None)


async def test_acpx_b_a_command_goes_to_a_shell_only_when_one_is_asked_for() -> None:
    for shell, printed in ((True, "2\n"), ("/bin/bash", "2\n")):
        config = {"command": "echo $((1+1))", "shell": shell}
        result = await flow([node("a", "shell", config=config)]).run({})
        assert result.outputs["a"]["stdout"] == printed
    config = {"command": "echo $BASH", "shell": "/bin/bash"}
    result = await flow([node("a", "shell", config=config)]).run({})
    assert result.outputs["a"]["stdout"] == "/bin/bash\n"
    with pytest.raises(FlowError, match="cannot be started"):
        await flow([node("a", "shell", config={"command": "echo $((1+1))"})]).run({})
