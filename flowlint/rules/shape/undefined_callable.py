"""A function is named that is nowhere to be found.

## What it does

Reports functions and methods that are given to a node or router in code but are defined nowhere,
and functions that a definition written as data names, when it is loaded and nobody has registered
one under that name.

Names that code out of sight may bring, by star imports or by setting attributes, are left out.
Where a subclass that is not seen may bring a method, it is a warning.

## Why is this bad

The flow cannot be made: the program raises, often at import.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return {"text": "draft"}


builder = StateGraph(State)
builder.add_node("draft", drafft)
builder.add_edge(START, "draft")
builder.add_edge("draft", END)
graph = builder.compile()
```

## Use instead

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return {"text": "draft"}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_edge(START, "draft")
builder.add_edge("draft", END)
graph = builder.compile()
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
    name="undefined-callable",
    code="FL706",
    category="shape",
    severity="error",
    since="0.1.0",
    related=("wrong-callable",),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
