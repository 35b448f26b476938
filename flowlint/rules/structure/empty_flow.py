"""The flow has no nodes.

## What it does

Reports a flow without any node.

## Why is this bad

There is nothing to run, and the systems refuse such a flow when it is built.

## Example

```python
from flows import Flow

flow = Flow(nodes=[], edges=[], entry="collect")
```

## Use instead

```python
from flows import Flow, Node


async def collect(state):
    return state


flow = Flow(nodes=[Node("collect", collect)], edges=[], entry="collect")
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import END, FlowGraph
from flowlint.rules.consequences import rejects
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="empty-flow", code="FL103", category="structure", severity="error", since="0.1.0"
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report a flow that is certain to have no nodes."""
    report = Report(RULE, graph)
    yield from report.violations()
    consequence = graph.semantics.on_empty
    if graph.nodes or graph.hides("nodes") or consequence == "allowed":
        return
    # A flow that leads from its start to its end has no nodes and lacks none, and a builder that
    # nobody used is no flow.
    if any(entry.name == END for entry in graph.entries) or not graph.built:
        return
    effect = rejects(graph) if consequence == "rejected" else "nothing runs"
    yield report.finding(
        graph.span,
        f"Flow `{graph.name}` has no nodes: {effect}.",
        help="add the nodes of the flow, or remove the flow",
    )
