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
