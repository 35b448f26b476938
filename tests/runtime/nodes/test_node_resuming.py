"""Nodes in runs that are kept, broken off or waiting, and gone on with."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from flowrt import Edge, Flow, Node, Region
from flowrt.stores.memory import MemoryStore

AGENT = [sys.executable, str(Path(__file__).parents[1] / "agents" / "echo_agent.py")]


def alone(node: Node) -> Flow:
    return Flow(nodes=[node], edges=[], entry=node.name)


def region(node: Node) -> Region:
    return Region([node], [], node.name)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


async def waits(flow: Flow, store: MemoryStore, **options: Any) -> str:
    result = await flow.run({}, store=store, **options)
    assert result.status == "waiting"
    assert result.run_id is not None
    return result.run_id


async def test_a_checkpoint_gives_what_the_signal_brings(store: MemoryStore) -> None:
    flow = alone(Node("ok", kind="checkpoint", config={"into": "answer"}))
    run_id = await waits(flow, store)
    result = await flow.resume_run(run_id, store, signals={"ok": {"by": "me"}})
    assert result.state == {"answer": {"by": "me"}}


async def test_branches_wait_for_their_own_signals(store: MemoryStore) -> None:
    branches = {
        name: region(Node(name, kind="checkpoint", config={"into": name})) for name in ("a", "b")
    }
    flow = alone(Node("both", kind="parallel", regions=branches))
    run_id = await waits(flow, store)
    result = await flow.resume_run(run_id, store, signals={"a": 1})
    assert (result.status, result.waiting_on) == ("waiting", ["b"])
    result = await flow.resume_run(run_id, store, signals={"b": 2})
    assert result.state == {"a": 1, "b": 2}


async def test_loops_go_on_where_they_waited(store: MemoryStore) -> None:
    body = region(Node("ok", kind="checkpoint"))
    flow = alone(Node("each", kind="repeat", config={"over": [1, 2]}, regions={"body": body}))
    run_id = await waits(flow, store)
    result = await flow.resume_run(run_id, store, signals={"ok": "first"})
    if result.status == "waiting":
        result = await flow.resume_run(run_id, store, signals={"ok": "second"})
    assert result.outputs["each"]["outputs"] == ["first", "second"]


async def test_wrong_answers_are_asked_for_again(store: MemoryStore) -> None:
    config = {"question": "?", "options": ["yes", "no"], "attempts": 2, "into": "said"}
    flow = alone(Node("ship", kind="ask", config=config))
    run_id = await waits(flow, store)
    result = await flow.resume_run(run_id, store, signals={"ship": "maybe"})
    assert result.status == "waiting"
    result = await flow.resume_run(run_id, store, signals={"ship": "no"})
    assert result.state == {"said": "no"}


async def test_votes_are_not_cast_again_after_a_pause(store: MemoryStore) -> None:
    cast: list[int] = []

    def boss(ballot: Any) -> Any:
        cast.append(1)
        return {"decision": "YES", "confidence": 0.1}

    config = {
        "mode": "coordinator",
        "question": "?",
        "coordinator": boss,
        "escalate": {"below": 0.5},
    }
    flow = alone(Node("gate", kind="decision", config=config))
    run_id = await waits(flow, store)
    result = await flow.resume_run(run_id, store, signals={"gate": "no"})
    assert result.outputs["gate"]["decision"] == "NO"
    assert cast == [1]


async def test_a_long_timer_lets_the_process_end(store: MemoryStore) -> None:
    flow = alone(Node("later", kind="wait", config={"seconds": 0.2, "pause_above": 0}))
    run_id = await waits(flow, store)
    assert (await flow.resume_run(run_id, store)).status == "waiting"
    await asyncio.sleep(0.25)
    assert (await flow.resume_run(run_id, store)).status == "completed"


async def test_tries_that_failed_are_not_made_again(store: MemoryStore) -> None:
    tries: list[str] = []

    async def risky(state: dict[str, Any]) -> dict[str, Any]:
        tries.append("risky")
        raise ValueError("no")

    flow = alone(
        Node(
            "safely",
            kind="attempt",
            regions={
                "try": region(Node("risky", risky)),
                "catch": region(Node("ok", kind="checkpoint")),
            },
        )
    )
    run_id = await waits(flow, store)
    result = await flow.resume_run(run_id, store, signals={"ok": 1})
    assert result.status == "completed"
    error = result.outputs["safely"]["error"]
    assert (error["type"], error["message"]) == ("ValueError", "no")
    assert tries == ["risky"]


async def test_agents_take_up_their_sessions(store: MemoryStore, tmp_path: Path) -> None:
    def prompt(name: str, text: str) -> Node:
        return Node(name, kind="agent", config={"prompt": text})

    flow = Flow(
        nodes=[prompt("a", "remember"), Node("ok", kind="checkpoint"), prompt("b", "recall")],
        edges=[Edge("a", "ok"), Edge("ok", "b")],
        entry="a",
    )
    services = {"agent": [*AGENT, "--memory", str(tmp_path / "memory")]}
    run_id = await waits(flow, store, services=services)
    result = await flow.resume_run(run_id, store, signals={"ok": 1}, services=services)
    assert result.outputs["b"] == "remember"
