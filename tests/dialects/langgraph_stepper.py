"""Runs small flows with the real LangGraph and tells what ran in which step.

Called as a script by an interpreter that has langgraph: standard input holds a JSON list of flows
(`nodes`, `deferred`, `edges`, `joins`, `routers`), standard output gets a list of runs for each of
them, one for every way in which its routers may choose, up to a number of runs. A run is
`{"steps": [[name, …], …], "ended": bool}`.
"""

from __future__ import annotations

import json
import operator
import sys
from typing import Annotated, Any, TypedDict

MAX_STEPS = 10
MAX_RUNS = 24


class State(TypedDict):
    """Some state, of which the flows need nothing."""

    log: Annotated[list[str], operator.add]


def main() -> None:
    """Run every flow that was asked for."""
    # The folder of this script has one that is called langgraph too.
    sys.path.pop(0)
    flows = json.load(sys.stdin)
    json.dump([_runs(flow) for flow in flows], sys.stdout)


def _runs(flow: dict[str, Any]) -> list[dict[str, Any]]:
    runs = []
    chosen: dict[tuple[int, int], int] = {}
    while len(runs) < MAX_RUNS:
        asked: dict[tuple[int, int], int] = {}
        runs.append(_run(flow, chosen, asked))
        # The next way to choose: the last choice that has another option takes it.
        order = sorted(asked)
        while order and chosen.get(order[-1], 0) + 1 >= asked[order[-1]]:
            chosen.pop(order.pop(), None)
        if not order:
            break
        chosen = {key: chosen.get(key, 0) for key in order}
        chosen[order[-1]] += 1
    return runs


def _run(
    flow: dict[str, Any], chosen: dict[tuple[int, int], int], asked: dict[tuple[int, int], int]
) -> dict[str, Any]:
    from langgraph.errors import GraphRecursionError

    graph = _built(flow, chosen, asked)
    steps: list[list[str]] = []
    try:
        config = {"recursion_limit": MAX_STEPS}
        for event in graph.stream({"log": []}, config, stream_mode="debug"):
            if event["type"] == "task":
                while len(steps) < event["step"]:
                    steps.append([])
                steps[event["step"] - 1].append(event["payload"]["name"])
    except GraphRecursionError:
        return {"steps": steps, "ended": False}
    return {"steps": steps, "ended": True}


def _built(
    flow: dict[str, Any], chosen: dict[tuple[int, int], int], asked: dict[tuple[int, int], int]
) -> Any:
    from langchain_core.runnables import RunnableConfig
    from langgraph.graph import StateGraph
    from langgraph.types import Send

    def router(number: int, options: list[list[list[str]]]) -> Any:
        def choose(state: State, config: RunnableConfig) -> Any:
            key = (config["metadata"]["langgraph_step"], number)
            asked[key] = len(options)
            option = options[chosen.get(key, 0)]
            return [Send(name, {"log": []}) if how == "send" else name for how, name in option]

        choose.__name__ = f"choose{number}"
        choose.__annotations__ = {"config": RunnableConfig}
        return choose

    builder = StateGraph(State)
    for name in flow["nodes"]:
        builder.add_node(name, lambda _: {"log": ["."]}, defer=name in flow["deferred"])
    for source, target in flow["edges"]:
        builder.add_edge(source, target)
    for sources, target in flow["joins"]:
        builder.add_edge(sources, target)
    for number, (source, options) in enumerate(flow["routers"]):
        builder.add_conditional_edges(source, router(number, options))
    return builder.compile()


if __name__ == "__main__":
    main()
