"""A flow that keeps its runs is run without a name to keep the run under.

## What it does

Reports runs of a flow that is given something that keeps its runs, where the run itself is not
given the name under which it is to be kept.

It is an error where the program itself comes to the run, and a warning in functions that are not
seen to be called: within the run of another flow the name of that one may be taken over.

## Why is this bad

The run raises before its first step.

## Example

```python
from typing import TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return {"text": "draft"}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_edge(START, "draft")
builder.add_edge("draft", END)
graph = builder.compile(checkpointer=InMemorySaver())
graph.invoke({"text": ""})
```

## Use instead

```python
from typing import TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return {"text": "draft"}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_edge(START, "draft")
builder.add_edge("draft", END)
graph = builder.compile(checkpointer=InMemorySaver())
graph.invoke({"text": ""}, {"configurable": {"thread_id": "1"}})
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
    name="unnamed-run", code="FL805", category="resilience", severity="error", since="0.1.0"
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
