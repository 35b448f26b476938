"""A node returns something that is no update of the state.

## What it does

Reports nodes that return a text, a number, a list or another value that the system cannot take as
an update of the state.

## Why is this bad

The node raises whenever it comes to this `return`. Often the function is meant to choose where the
flow goes on, and was added as a node.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return "a first draft"


builder = StateGraph(State)
builder.add_node("draft", draft)
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
    return {"text": "a first draft"}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_edge(START, "draft")
builder.add_edge("draft", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Related
from flowlint.graph.code import StateSchema
from flowlint.graph.model import FlowGraph, Node
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="node-returns-no-state", code="FL503", category="state", severity="error", since="0.1.0"
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report the first such `return` of each node."""
    report = Report(RULE, graph)
    yield from report.violations()
    error = graph.semantics.odd_update_error
    if error is None or graph.state is None or not _has_keys(graph.state):
        return
    for node in graph.nodes:
        if node.code is None or not node.code.odd:
            continue
        first, *others = node.code.odd
        yield report.finding(
            first.span,
            f"Node `{node.name}` returns {first.what}, which is no update of the state: "
            f"it raises {error}.",
            help=_cure(graph, node),
            node=node.name,
            related=[Related(f"it returns {odd.what} here", odd.span) for odd in others],
        )


def _has_keys(state: StateSchema) -> bool:
    """Whether the state surely is no single value, which any value may replace."""
    return (state.more is None and not state.whole) or len(state.channels) > 1


def _cure(graph: FlowGraph, node: Node) -> str:
    routed = {router.definition for router in graph.routers if router.definition is not None}
    if node.runs is not None and node.runs.span in routed:
        return f"`{node.runs.name}` chooses where the flow goes on: leave it out as a node"
    form, nothing = graph.semantics.update_form, graph.semantics.nothing_form
    return f"return {form} with the keys that change, or {nothing} where none does"
