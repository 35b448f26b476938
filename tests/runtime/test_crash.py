"""Runs that are killed at any moment are gone on with by another process.

Each process is killed with SIGKILL at a random time, as often as it takes, and the run is
resumed by the next one. FLOWRT_CRASH_RUNS says how many runs each store goes through.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from flowrt import Edge, Flow, Node, Region, Retry
from flowrt.stores.base import RunStore
from flowrt.stores.runs import open_store

RUNS = int(os.environ.get("FLOWRT_CRASH_RUNS", "12"))
State = dict[str, Any]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def make_flow(effects: Path) -> Flow:
    """Retries, a loop, parallel branches with a loop inside, a guard that goes back."""

    def note(line: str) -> None:
        with effects.open("a") as file:
            file.write(line + "\n")

    def step(name: str, key: str | None = None) -> Any:
        async def run(state: State) -> State:
            note(name)
            await asyncio.sleep(random.uniform(0, 0.004))
            where = key or name
            return {**state, where: [*state.get(where, []), len(state.get(where, []))]}

        return run

    async def shaky(state: State) -> State:
        note("shaky")
        await asyncio.sleep(random.uniform(0, 0.003))
        if random.random() < 0.4:
            raise ConnectionError("again")
        return {**state, "shaky": state.get("shaky", 0) + 1}

    body = Region([Node("one", step("one")), Node("after", step("after"))],
                  [Edge("one", "after")], "one")  # fmt: skip
    left = Region([Node("l1", step("l1", "left")), Node("l2", step("l2", "left"))],
                  [Edge("l1", "l2", when=lambda s: True)], "l1", name="left")  # fmt: skip
    inner = Region([Node("r1", step("r1", "right"))], [], "r1")
    repeat = {"over": [0, 1, 2]}
    right = Region(
        [Node("again", kind="repeat", config=repeat, regions={"body": inner})],
        [],
        "again",
        name="right",
    )
    retry = Retry(attempts=30, delay=0.001, factor=1.0)
    return Flow(
        name="crashing",
        nodes=[
            Node("start", step("start")),
            Node("shaky", shaky, retry=retry),
            Node("rounds", kind="repeat", config=repeat, regions={"body": body}),
            Node("both", kind="parallel", regions={"left": left, "right": right}),
            Node("check", step("check"), kind="gate"),
            Node("end", step("end")),
        ],
        edges=[
            Edge("start", "shaky"),
            Edge("shaky", "rounds"),
            Edge("rounds", "both"),
            Edge("both", "check"),
            Edge("check", "shaky", when=lambda s: len(s["check"]) < 2),
            Edge("check", "end"),
        ],
        entry="start",
        max_steps=500,
    )


def completed(store: RunStore, run_id: str) -> Counter[tuple[str, str, int]]:
    events = store.trace(run_id).events
    return Counter((e.scope, e.node, e.visit) for e in events if e.type == "node_completed")


def in_child(work: Any, kill_after: float | None) -> int:
    """Do some work in a child process; the exit status, negative for a signal."""
    pid = os.fork()
    if pid == 0:
        random.seed()
        try:
            asyncio.run(work())
        except BaseException:
            os._exit(1)
        os._exit(0)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("kind", ["folder", "sqlite"])
def test_no_completed_node_is_repeated_and_none_is_lost(kind: str, tmp_path: Path) -> None:
    expected = asyncio.run(make_flow(tmp_path / "plain").run({}))
    begun = time.monotonic()
    in_child(
        lambda: make_flow(tmp_path / "plain").run({}, store=open_store(f"{kind}:{tmp_path}/x")),
        None,
    )
    takes = time.monotonic() - begun
    expected_keys: Counter[tuple[str, str, int]] | None = None
    kills = 0
    for number in range(RUNS):
        place = tmp_path / (f"runs{number}" if kind == "folder" else f"runs{number}.db")
        effects = tmp_path / f"effects{number}"
        effects.touch()
        flow = make_flow(effects)
        spec = f"{kind}:{place}"
        run_id = f"run-{number}"

        async def first(flow: Flow = flow, spec: str = spec, run_id: str = run_id) -> None:
            await flow.run({}, store=open_store(spec), run_id=run_id)

        async def again(flow: Flow = flow, spec: str = spec, run_id: str = run_id) -> None:
            await flow.resume_run(run_id, open_store(spec))

        status = in_child(first, random.uniform(0.0, takes))
        for _ in range(60):
            if status == 0:
                break
            kills += 1
            store = open_store(spec)
            try:
                done = completed(store, run_id)
            except LookupError:
                status = in_child(first, None)
                continue
            assert all(count == 1 for count in done.values())
            status = in_child(again, random.choice([None, random.uniform(0.0, takes)]))
            last = open_store(spec).trace(run_id).events[-1]
            if status == 1 and last.type == "run_completed":
                status = 0
            later = completed(open_store(spec), run_id)
            assert all(later[key] == 1 for key in done), "a completed node ran again"
        assert status == 0
        store = open_store(spec)
        keys = completed(store, run_id)
        if expected_keys is None:
            expected_keys = keys
        assert keys == expected_keys
        ended = [e for e in store.trace(run_id).events if e.type == "run_completed"]
        assert len(ended) == 1
        assert store.trace(run_id).lost == ()
        last = [e for e in store.trace(run_id).events if e.type == "node_completed"][-1]
        from flowrt.stores.codec import decode

        assert decode(last.data["state"]) == expected.state
    assert kills > 0
