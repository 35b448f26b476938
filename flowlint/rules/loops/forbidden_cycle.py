"""The flow goes round in a system whose flows must not.

## What it does

In systems whose flows must be free of cycles, reports each part of a flow that goes round. In
systems where an edge that leads back has to say so, reports each part that goes round without such
an edge.

## Why is this bad

Such systems order the nodes before they run them, and there is no order for nodes that follow each
other in a circle: the flow is refused, or never gets to these nodes.

## Example

A flow whose edges are

```text
fetch → clean
clean → fetch
```

## Use instead

```text
fetch → clean
clean → store
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.back_edges import unmarked_loops
from flowlint.rules.consequences import is_rejection_proven, rejects
from flowlint.rules.context import RuleContext
from flowlint.rules.cycles import written_loops
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, way

RULE = RuleInfo(
    name="forbidden-cycle", code="FL303", category="loops", severity="error", since="0.1.0"
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each part of the flow that goes round, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    consequence = graph.semantics.on_forbidden_cycle
    if graph.semantics.cycles == "allowed":
        return
    if consequence == "rejected" and not is_rejection_proven(graph):
        return
    effect = {
        "rejected": rejects(graph),
        "fails": "the run fails",
        "silent": "these nodes never run, and nothing says so",
    }[consequence]
    if graph.semantics.cycles == "marked-back-edges":
        yield from _unmarked(report, context, effect)
        return
    for loop in written_loops(context):
        is_certain = all(
            context.is_certain(edge)
            for number in loop.members
            for edge in context.index.outgoing[number]
        )
        yield report.finding(
            loop.place,
            f"The flow goes round, {way(loop.cycle)}, which {graph.semantics.system} does not "
            f"allow: {effect}.",
            severity="error" if is_certain else "warning",
            help="remove the edge that leads back, or the system's own loop node",
            node=loop.closing.source,
            witness=loop.witness(),
        )


def _unmarked(report: Report, context: RuleContext, effect: str) -> Iterator[Finding]:
    for loop in unmarked_loops(context):
        yield report.finding(
            loop.closing.span,
            f"The flow goes round, {way(loop.cycle)}, and no edge says that it leads back: "
            f"{effect}.",
            severity="error" if loop.is_certain else "warning",
            help=context.graph.semantics.back_cure.format(target=loop.cycle[0]),
            node=loop.closing.source,
            witness=loop.cycle,
        )
