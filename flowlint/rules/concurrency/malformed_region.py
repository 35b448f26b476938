"""A node lacks a region of its kind, or holds one that its kind never runs.

## What it does

Reports nodes whose regions are not those that their kind has: a loop without a body, parallel work
without branches, a handler that nothing calls.

## Why is this bad

The node cannot do its work: the flow is refused, or a part of it silently never runs.

## Example

```python
from flowrt import Edge, Flow, Node, Region


async def draft(state):
    return state


async def review(state):
    return state


body = Region(nodes=[Node("review", review)], edges=[], entry="review")
flow = Flow(
    nodes=[
        Node("draft", draft),
        Node("all", kind="repeat", config={"over": "items"}, regions={"boddy": body}),
    ],
    edges=[Edge("draft", "all")],
    entry="draft",
)
```

## Use instead

```python
from flowrt import Edge, Flow, Node, Region


async def draft(state):
    return state


async def review(state):
    return state


body = Region(nodes=[Node("review", review)], edges=[], entry="review")
flow = Flow(
    nodes=[
        Node("draft", draft),
        Node("all", kind="repeat", config={"over": "items"}, regions={"body": body}),
    ],
    edges=[Edge("draft", "all")],
    entry="draft",
)
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
    name="malformed-region",
    code="FL405",
    category="concurrency",
    severity="error",
    since="0.1.0",
    related=("invalid-definition",),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
