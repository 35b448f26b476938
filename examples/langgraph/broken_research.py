"""Two research graphs: one that nobody can start, one that nobody can leave."""

from __future__ import annotations

import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph


class ResearchState(TypedDict):
    question: str
    queries: list[str]
    findings: Annotated[list[str], operator.add]
    report: str


def plan_queries(state: ResearchState) -> dict:
    return {"queries": [state["question"], f"{state['question']} criticism"]}


def search(state: ResearchState) -> dict:
    return {"findings": [f"results for {query}" for query in state["queries"]]}


def critique(state: ResearchState) -> dict:
    return {"queries": [f"evidence against: {found}" for found in state["findings"]]}


def write_report(state: ResearchState) -> dict:
    return {"report": "\n".join(state["findings"])}


def build_quick_graph():
    """Plan, search, write: the way in was forgotten."""
    builder = StateGraph(ResearchState)
    builder.add_node("plan_queries", plan_queries)
    builder.add_node("search", search)
    builder.add_node("write_report", write_report)
    builder.add_edge("plan_queries", "search")
    builder.add_edge("search", "write_report")
    builder.add_edge("write_report", END)
    return builder.compile()


def build_deep_graph():
    """Search and criticise in turn: the way out was forgotten."""
    builder = StateGraph(ResearchState)
    builder.add_node(plan_queries)
    builder.add_node(search)
    builder.add_node(critique)
    builder.add_node(write_report)
    builder.add_edge(START, "plan_queries")
    builder.add_edge("plan_queries", "search")
    builder.add_edge("search", "critique")
    builder.add_edge("critique", "search")
    builder.add_edge("write_report", END)
    return builder.compile()
