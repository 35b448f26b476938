"""The same work in LangGraph, run by an interpreter that has it. Prints JSON: seconds a node."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from operator import add
from typing import Annotated, Any, TypedDict

CHAIN = 100
WIDE = 100


class Counted(TypedDict):
    n: int


class Gathered(TypedDict):
    n: Annotated[int, add]


def chain() -> Any:
    from langgraph.graph import END, START, StateGraph

    async def step(state: Counted) -> Counted:
        return {"n": state["n"] + 1}

    graph = StateGraph(Counted)
    names = [f"n{i}" for i in range(CHAIN)]
    for name in names:
        graph.add_node(name, step)
    for left, right in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(left, right)
    return graph


async def prompt(state: Gathered) -> Gathered:
    return {"n": 1}


async def waiting(state: Gathered) -> Gathered:
    await asyncio.sleep(0)
    return {"n": 1}


def wide(step: Any) -> Any:
    from langgraph.graph import END, START, StateGraph

    graph = StateGraph(Gathered)
    graph.add_node("first", prompt)
    graph.add_node("last", prompt)
    graph.add_edge(START, "first")
    for i in range(WIDE):
        graph.add_node(f"b{i}", step)
        graph.add_edge("first", f"b{i}")
        graph.add_edge(f"b{i}", "last")
    graph.add_edge("last", END)
    return graph


async def best(run: Any, times: int) -> float:
    found = float("inf")
    for number in range(times):
        began = time.perf_counter()
        await run(number)
        found = min(found, time.perf_counter() - began)
    return found


async def main(database: str) -> None:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    config = {"recursion_limit": 1000}
    plain = chain().compile()
    fan, awaited = wide(prompt).compile(), wide(waiting).compile()
    result = {
        "chain": await best(lambda _: plain.ainvoke({"n": 0}, config), 10) / CHAIN,
        "wide": await best(lambda _: fan.ainvoke({"n": 0}, config), 10) / (WIDE + 2),
        "awaited": await best(lambda _: awaited.ainvoke({"n": 0}, config), 10) / (WIDE + 2),
    }
    async with AsyncSqliteSaver.from_conn_string(database) as saver:
        kept = chain().compile(checkpointer=saver)

        async def run(number: int) -> None:
            about = {**config, "configurable": {"thread_id": str(number)}}
            await kept.ainvoke({"n": 0}, about)

        result["kept"] = await best(run, 4) / CHAIN
    print(json.dumps(result))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
