"""Something is written in a flow that has no effect.

## What it does

Reports what a system passes over without a word: targets in a container that it does not read,
nodes or edges that are added when the flow is compiled already, and settings that change nothing,
such as a fallback without a time after which it is taken. In JSON and YAML also a key that is
written again in the same mapping: only the last one counts.

## Why is this bad

It looks as if it counted. The flow runs, and does something else than what is written.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return {"text": "draft"}


def publish(state: State):
    return {"text": "published"}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_edge(START, "draft")
graph = builder.compile()
builder.add_node("publish", publish)
builder.add_edge("draft", "publish")
```

## Use instead

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return {"text": "draft"}


def publish(state: State):
    return {"text": "published"}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_edge(START, "draft")
builder.add_node("publish", publish)
builder.add_edge("draft", "publish")
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Related
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report
from flowlint.source import Span

RULE = RuleInfo(
    name="ineffective-field",
    code="FL210",
    category="routing",
    severity="warning",
    since="0.1.0",
    related=("unknown-field",),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()


def repeated_key(span: Span, name: str, before: Span) -> Finding:
    """The finding for a key of data that is written again, so that what it held before is lost."""
    message = f"The key `{name}` is written twice: what it held before has no effect."
    related = (Related(f"`{name}` is written here first", before),)
    return Finding(
        RULE.code,
        RULE.name,
        RULE.severity,
        message,
        span,
        help="leave out one of the two",
        related=related,
    )
