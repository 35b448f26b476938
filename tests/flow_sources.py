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
