"""A field is written that the system does not know.

## What it does

Reports keys of definitions, and arguments of constructors, that the system does not have.

## Why is this bad

The system refuses the definition. Where it did not, what was meant by the field would be ignored,
and nobody would notice.

## Example

```python
from flowrt import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("draft", draft, timout=30), Node("review", review)],
    edges=[Edge("draft", "review")],
    entry="draft",
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
    nodes=[Node("draft", draft, timeout=30), Node("review", review)],
    edges=[Edge("draft", "review")],
    entry="draft",
)
```

## Fix safety

The field gets the only name that is near to its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="unknown-field",
    code="FL702",
    category="shape",
    severity="error",
    since="0.1.0",
    fix="sometimes",
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
