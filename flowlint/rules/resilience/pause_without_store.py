"""A run stops to wait for somebody, and nothing keeps it meanwhile.

## What it does

Reports flows that are run by themselves, have a node that stops the run until somebody goes on
with it, and are given nothing that keeps the run.

It is silent about flows that are not seen to be run: they may be part of another one, or be run by
a server that keeps their runs.

## Why is this bad

The run ends at that node. What was done so far is lost, and there is nothing to go on with.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt


class State(TypedDict):
    text: str


def ask(state: State):
    return {"text": interrupt("Publish it?")}


builder = StateGraph(State)
builder.add_node("ask", ask)
builder.add_edge(START, "ask")
builder.add_edge("ask", END)
graph = builder.compile()
graph.invoke({"text": "draft"})
```

## Use instead

```python
from typing import TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt


class State(TypedDict):
    text: str


def ask(state: State):
    return {"text": interrupt("Publish it?")}


builder = StateGraph(State)
builder.add_node("ask", ask)
builder.add_edge(START, "ask")
builder.add_edge("ask", END)
graph = builder.compile(checkpointer=InMemorySaver())
graph.invoke({"text": "draft"}, {"configurable": {"thread_id": "1"}})
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="pause-without-store",
    code="FL804",
    category="resilience",
    severity="warning",
    since="0.1.0",
    related=("malformed-region",),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
