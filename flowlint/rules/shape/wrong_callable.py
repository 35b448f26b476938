"""Something that is to be run is missing, or is nothing that can be called.

## What it does

Reports nodes that need a function and have none, and functions of nodes, guards and kill switches
that are no functions: a text, a number, the result of a call. So are functions that cannot be
called with what they will be given, and kill switches and merges that are async: they are never
awaited.

## Why is this bad

The node cannot run. Mostly the function was called where it was to be handed over, or its name was
put in quotes.

## Example

```python
from flowrt import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", "draft")], edges=[], entry="draft")
```

## Use instead

```python
from flowrt import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft)], edges=[], entry="draft")
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
    name="wrong-callable", code="FL705", category="shape", severity="error", since="0.1.0"
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
