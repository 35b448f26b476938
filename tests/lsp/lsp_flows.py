"""Flows that editors open."""

DANGLING = """from flows import Edge, Flow, Node


async def collect(state):
    return None


FLOW = Flow(
    nodes=[Node("collect", collect), Node("publish", collect)],
    edges=[Edge("collect", "publihs")],
    entry="collect",
)
"""

NODES = """from flows import Edge

LAST = "publish"


def edges():
    return [Edge("collect", LAST)]
"""

IMPORTING = """from flows import Flow, Node
from nodes import edges


async def collect(state):
    return None


FLOW = Flow(
    nodes=[Node("collect", collect), Node("publish", collect)],
    edges=edges(),
    entry="collect",
)
"""

LOOPING = """from langgraph.graph import START, StateGraph


def ask(state: dict) -> dict:
    return {"n": 1}


builder = StateGraph(dict)
builder.add_node("ask", ask)
builder.add_edge(START, "ask")
builder.add_edge("ask", "ask")
graph = builder.compile()
"""
