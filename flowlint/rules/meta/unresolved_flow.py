"""Part of this flow cannot be told from the source.

## What it does

Says once per flow that some of its nodes, edges or entries could not be told without running the
code, and why. Rules that need the missing part stay silent about this flow.

## Why is this bad

It is not a fault. But a flow that is only partly seen is only partly checked, and its silence says
less than that of others.

## Example

```python
from flows import Edge, Flow, Node


def build(nodes, edges):
    return Flow(nodes=nodes, edges=edges, entry="draft")
```

## Use instead

Write names and edges as constants, in the same project.

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


def build():
    return Flow(nodes=[Node("draft", draft)], edges=[], entry="draft")
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places

RULE = RuleInfo(
    name="unresolved-flow", code="FL902", category="meta", severity="info", since="0.1.0"
)

_HIDDEN: tuple[tuple[Literal["nodes", "edges", "entry"], str], ...] = (
    ("nodes", "all nodes"),
    ("edges", "all edges"),
    ("entry", "the entry"),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Say once what cannot be told of this flow."""
    report = Report(RULE, graph)
    yield from report.violations()
    # What is not there at all is an error of its own, which is told already.
    told = {seen.span for seen in graph.violations}
    gaps = [gap for gap in graph.gaps if not gap.told and gap.span not in told]
    if not gaps:
        return
    # Whoever reads the file of the flow is to find it there, at the cause if that is in the file.
    local = [gap for gap in gaps if gap.span.path == graph.span.path]
    first = min(local, key=lambda gap: gap.span) if local else None
    others = [gap for gap in gaps if gap is not first]
    gap = first or gaps[0]
    yield report.finding(
        first.span if first else graph.span,
        f"Cannot tell {_hidden(graph)} in flow `{graph.name}`: {gap.reason}.",
        help=gap.cure,
        node=gap.node,
        related=places([(other.reason, other.span) for other in others]),
    )


def _hidden(graph: FlowGraph) -> str:
    """What may be missing from the graph, in prose."""
    parts = [text for what, text in _HIDDEN if graph.hides(what)]
    if graph.hides("targets"):
        parts.append(_targets(graph))
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _targets(graph: FlowGraph) -> str:
    gaps = [gap for gap in graph.gaps if "targets" in gap.hides]
    named = list(dict.fromkeys(gap.node for gap in gaps if gap.node is not None))
    if not named:
        return "where its nodes lead"
    return f"where `{named[0]}` leads" if len(named) == 1 else "where some of its nodes lead"
