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
from flowlint.graph.model import FlowGraph
from flowlint.rules.consequences import is_rejection_proven, rejects
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places

RULE = RuleInfo(
    name="empty-flow",
    code="FL103",
    category="structure",
    severity="error",
    since="0.1.0",
    related=("missing-entry", "unresolved-flow"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report a flow that is certain to have no nodes."""
    report = Report(RULE, graph)
    yield from report.violations()
    # A builder that nobody used is no flow.
    if not context.is_empty or not (graph.built or graph.edges or graph.entries):
        return
    is_rejected = graph.semantics.on_empty == "rejected"
    if is_rejected and not is_rejection_proven(graph):
        return
    effect = rejects(graph) if is_rejected else "nothing runs"
    if graph.semantics.no_entry_error is not None and not is_rejected:
        effect = f"every run fails with {graph.semantics.no_entry_error}"
    starts = [entry.edge for entry in graph.entries if entry.edge is not None]
    edges = dict.fromkeys([*starts, *(edge.span for edge in graph.edges)])
    yield report.finding(
        graph.span,
        f"Flow `{graph.name}` has no nodes: {effect}.",
        help="add the nodes of the flow, or remove the flow",
        related=places([("this edge joins nodes that are not there", edge) for edge in edges]),
    )
