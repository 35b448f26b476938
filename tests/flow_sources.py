"""Flows that tests write to disk."""

from __future__ import annotations

GOOD = """\
from flows import Edge, Flow, Node


async def collect(state):
    return {**state, "collected": True}


async def publish(state):
    return state


def build():
    return Flow(
        nodes=[Node("collect", collect), Node("publish", publish)],
        edges=[Edge("collect", "publish")],
        entry="collect",
    )
"""

DANGLING = GOOD.replace('Edge("collect", "publish")', 'Edge("collect", "publihs")')
"""One error: an edge to a name that is no node (and a node that is therefore not reached)."""

WARNING = (
    GOOD.replace('Node("collect", collect)', 'Node("collect", collect, kind="loop")')
    .replace("edges=[", 'edges=[Edge("collect", "collect", when=again), ')
    .replace("def build():", "def again(state):\n    return len(state) < 3\n\n\ndef build():")
)
"""One warning: a loop without a limit."""

LANGGRAPH = """\
from langgraph.graph import END, START, StateGraph


def draft(state):
    return {"text": "draft"}


def review(state):
    return {"approved": True}


def verdict(state):
    return "yes" if state["approved"] else "no"


builder = StateGraph(dict)
builder.add_node("draft", draft)
builder.add_node("review", review)
builder.add_edge(START, "draft")
builder.add_edge("draft", "review")
builder.add_conditional_edges("review", verdict, {"yes": END, "no": "draft"})
graph = builder.compile()
"""
