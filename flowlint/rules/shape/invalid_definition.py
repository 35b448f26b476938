"""The definition breaks a demand of the system's own builder.

## What it does

Reports calls and arguments that the system refuses when a flow is defined or built, for reasons
other than the shape of its graph: a missing argument, a reserved name, an edge out of the end.

## Why is this bad

The program fails where the flow is defined, often at import.

## Example

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
builder.add_edge(END, "draft")
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

## Fix safety

A word that is none of the few that are allowed becomes the only one that is near to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo, find_rule
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="invalid-definition",
    code="FL701",
    category="shape",
    severity="error",
    since="0.1.0",
    fix="sometimes",
    related=("unknown-field", "unknown-node-kind"),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw and no other rule reports."""
    report = Report(RULE, graph)
    yield from report.violations()
    for seen in graph.violations:
        if seen.rule != RULE.name and find_rule(seen.rule) is None:
            yield report.violation(seen)
