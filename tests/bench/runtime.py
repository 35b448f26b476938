"""What the runtime costs, as ratios within one run. Set FLOWRT_LANGGRAPH_PYTHON to an
interpreter that has langgraph and langgraph-checkpoint-sqlite to compare with it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from flowrt import Edge, Flow, Node, Region
from flowrt.stores.runs import open_store

CHAIN = 1_000
KEPT = 100
WIDE = 100
WAITING = 10_000


async def step(state: dict[str, Any]) -> dict[str, Any]:
    state["n"] += 1
    return state


async def fresh(state: dict[str, Any]) -> dict[str, Any]:
    return {"n": state["n"] + 1}


def chain(length: int, run: Any) -> Flow:
    nodes = [Node(f"n{i}", run) for i in range(length)]
    edges = [Edge(f"n{i}", f"n{i + 1}") for i in range(length - 1)]
    return Flow(nodes=nodes, edges=edges, entry="n0", name="chain")


async def prompt(state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "n": state["n"] + 1}


async def waiting(state: dict[str, Any]) -> dict[str, Any]:
    await asyncio.sleep(0)
    return {**state, "n": state["n"] + 1}


def wide(work: Any) -> Flow:
    branches = {
        f"b{i}": Region([Node("work", work)], [], "work", name=f"b{i}") for i in range(WIDE)
    }
    config = {"merge": {"n": "add"}}
    both = Node("both", kind="parallel", regions=branches, config=config)
    return Flow(
        nodes=[Node("first", prompt), both, Node("last", prompt)],
        edges=[Edge("first", "both"), Edge("both", "last")],
        entry="first",
        name="wide",
    )


async def best(run: Callable[[], Awaitable[object]], times: int) -> float:
    found = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        await run()
        found = min(found, time.perf_counter() - began)
    return found


async def by_hand() -> None:
    state = {"n": 0}
    for _ in range(CHAIN):
        state = await step(state)


async def waiting_runs() -> float:
    """Resident memory of many runs that wait at once, in MB."""
    flow = Flow(nodes=[Node("hold", kind="wait", config={"seconds": 3600})], edges=[], entry="hold")
    before = resident()
    tasks = [asyncio.ensure_future(flow.run({"n": i})) for i in range(WAITING)]
    await asyncio.sleep(2)
    used = resident() - before
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return used


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def main() -> None:
    long, kept, fan = chain(CHAIN, step), chain(KEPT, fresh), wide(prompt)
    hand = await best(by_hand, 50) / CHAIN
    ours = await best(lambda: long.run({"n": 0}), 50) / CHAIN
    own_kept = chain(KEPT, fresh)
    own = await best(lambda: own_kept.run({"n": 0}), 50) / KEPT
    fan_out = await best(lambda: fan.run({"n": 0}), 10) / (WIDE + 2)
    awaited = wide(waiting)
    fan_in = await best(lambda: awaited.run({"n": 0}), 10) / (WIDE + 2)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:{folder}/runs.db")
        stored = await best(lambda: kept.run({"n": 0}, store=store), 20) / KEPT
    show("in memory, against a bare await loop", ours / hand, "at most", 15)
    theirs = langgraph()
    if theirs is not None:
        show("in memory, LangGraph against flowrt", theirs["chain"] / own, "at least", 50)
        show("SQLite, LangGraph against flowrt", theirs["kept"] / stored, "at least", 50)
        show("100 branches, LangGraph against flowrt", theirs["wide"] / fan_out, "at least", 20)
        print(f"     100 branches that each wait once: {theirs['awaited'] / fan_in:.1f}")
    show("10,000 waiting runs, MB", await waiting_runs(), "at most", 500)
    micro = {
        "hand": hand,
        "chain": ours,
        "stored": stored,
        "branch": fan_out,
        "waiting branch": fan_in,
    }
    print("     µs a node:", ", ".join(f"{k} {v * 1e6:.2f}" for k, v in micro.items()))


def langgraph() -> dict[str, float] | None:
    python = os.environ.get("FLOWRT_LANGGRAPH_PYTHON")
    if not python:
        print("skip LangGraph: FLOWRT_LANGGRAPH_PYTHON is not set")
        return None
    side = Path(__file__).with_name("langgraph_side.py")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [python, str(side), f"{folder}/lg.db"], capture_output=True, text=True, check=True
        )
    result: dict[str, float] = json.loads(done.stdout)
    return result


def show(what: str, ratio: float, bound: str, limit: float) -> None:
    good = ratio <= limit if bound == "at most" else ratio >= limit
    print(f"{'ok  ' if good else 'MISS'} {what}: {ratio:.1f} ({bound} {limit})")


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
