"""Write, have it reviewed, revise a few times, publish. A correct graph."""

from __future__ import annotations

from typing import Literal, TypedDict

from langgraph.graph import END, START, StateGraph

MAX_REVISIONS = 3


class ArticleState(TypedDict):
    topic: str
    text: str
    remarks: list[str]
    revisions: int


def write(state: ArticleState) -> dict:
    return {"text": f"About {state['topic']}", "revisions": 0}


def review(state: ArticleState) -> dict:
    return {"remarks": [] if len(state["text"]) > 500 else ["too short"]}


def revise(state: ArticleState) -> dict:
    return {"text": state["text"] * 2, "revisions": state["revisions"] + 1}


def publish(state: ArticleState) -> dict:
    return {"remarks": []}


def after_review(state: ArticleState) -> Literal["revise", "publish"]:
    if state["remarks"] and state["revisions"] < MAX_REVISIONS:
        return "revise"
    return "publish"


def build_graph():
    builder = StateGraph(ArticleState)
    builder.add_node("write", write)
    builder.add_node("review", review)
    builder.add_node("revise", revise)
    builder.add_node("publish", publish)
    builder.add_edge(START, "write")
    builder.add_edge("write", "review")
    builder.add_conditional_edges("review", after_review)
    builder.add_edge("revise", "review")
    builder.add_edge("publish", END)
    return builder.compile()
