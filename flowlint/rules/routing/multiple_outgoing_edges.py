"""Several edges without a guard leave one node, but only one of them can be taken.

## What it does

In systems that take one edge after each node, reports a node with several edges without a guard to
different targets.

## Why is this bad

It looks as if the flow went several ways at once. It does not: the first edge is taken and the
others never are, or the system refuses the flow.

## Example

```python
from flows import Edge, Flow, Node


async def check(state):
    return state


async def approve(state):
    return state


async def reject(state):
    return state


flow = Flow(
    nodes=[Node("check", check), Node("approve", approve), Node("reject", reject)],
    edges=[Edge("check", "approve"), Edge("check", "reject")],
    entry="check",
)
```

## Use instead

Run the nodes one after the other, or give the first edge a guard.

```python
from flows import Edge, Flow, Node


async def check(state):
    return state


async def approve(state):
    return state


async def reject(state):
    return state


flow = Flow(
    nodes=[Node("check", check), Node("approve", approve), Node("reject", reject)],
    edges=[Edge("check", "approve"), Edge("approve", "reject")],
    entry="check",
)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.consequences import is_rejection_proven, rejects
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places, target_of
from flowlint.rules.routes import DeadEdge, is_default

RULE = RuleInfo(
    name="multiple-outgoing-edges",
    code="FL202",
    category="routing",
    severity="error",
    since="0.1.0",
    related=("conflicting-routing", "shadowed-edge"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each node that seems to fan out, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    is_rejected = graph.semantics.routing == "single-switch"
    if is_rejected and not is_rejection_proven(graph):
        return
    behind: dict[int, list[DeadEdge]] = {}
    for dead in context.dead_edges.values():
        if dead.earlier and is_default(dead.earlier[0]):
            behind.setdefault(id(dead.earlier[0]), []).append(dead)
    for together in behind.values():
        vain = [dead.edge for dead in together if dead.reason == "second default"]
        if not vain:
            continue
        first = together[0].earlier[0]
        targets = ", ".join(dict.fromkeys(map(target_of, vain)))
        effect = (
            rejects(graph) if is_rejected else f"{target_of(first)} always does, {targets} never"
        )
        others = [dead.edge for dead in together if dead.edge is not vain[0]]
        yield report.finding(
            vain[0].span,
            f"Several edges leave `{first.source}` without a guard, but only one node can follow: "
            f"{rejects(graph) if is_rejected else effect}.",
            help="chain the nodes, or give the earlier edge a guard",
            node=first.source,
            related=places(
                [("this edge is always taken", first.span)]
                + [("this edge is never taken either", edge.span) for edge in others]
            ),
        )
