"""A condition looks at a variable that is not there.

## What it does

Reports guards, and expressions and templates in the settings of nodes and actions, that mention a
variable, a field of one, a function or a node that is not there.

## Why is this bad

The condition can never be evaluated: the flow is refused, or the run fails when it gets there.

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
        Edge("draft", "draft", when="tries < 3"),
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
    name="unknown-variable",
    code="FL602",
    category="expressions",
    severity="error",
    since="0.1.0",
    related=("unknown-state-key",),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
