"""A condition or path is not written in the language of its place.

## What it does

Reports guards, and expressions in the settings of nodes and actions, that are no CEL or raise in
every state: by a call with the wrong number of values, or an operation that is not there for what
it is given. So are switches that look at something which is no path.

## Why is this bad

The flow is refused; where it is not, the run fails when it gets to the condition.

## Example

```python
from flowrt import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("draft", draft, kind="gate"), Node("review", review)],
    edges=[
        Edge("draft", "draft", when="state.tries < 3 and"),
        Edge("draft", "review"),
    ],
    entry="draft",
    max_steps=10,
)
```

## Use instead

```python
from flowrt import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("draft", draft, kind="gate"), Node("review", review)],
    edges=[
        Edge("draft", "draft", when="state.tries < 3"),
        Edge("draft", "review"),
    ],
    entry="draft",
    max_steps=10,
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
    name="invalid-expression",
    code="FL601",
    category="expressions",
    severity="error",
    since="0.1.0",
    related=("unknown-variable",),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
