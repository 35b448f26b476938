"""A failure seems to be handled, and is not.

## What it does

In systems that lead on from a failed node by edges of their own, reports edges whose label says
that they are for failures and that are ordinary edges. It also reports handlers that handle
nothing.

## Why is this bad

The edge is taken whenever the node succeeds, and never when it fails: then the run fails, as if
nothing had been written for that.

## Example

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "order_goods",
  label: "Order goods",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    {
      id: "call",
      type: "http",
      label: "Call the shop",
      config: { url: "https://shop.example/orders" },
    },
    {
      id: "tell",
      type: "notify",
      label: "Tell the owner",
      config: { recipients: "{record.owner}", title: "The shop is down" },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "call" },
    { id: "e2", source: "call", target: "end" },
    { id: "e3", source: "call", target: "tell", label: "error" },
    { id: "e4", source: "tell", target: "end" },
  ],
});
```

## Use instead

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "order_goods",
  label: "Order goods",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    {
      id: "call",
      type: "http",
      label: "Call the shop",
      config: { url: "https://shop.example/orders" },
    },
    {
      id: "tell",
      type: "notify",
      label: "Tell the owner",
      config: { recipients: "{record.owner}", title: "The shop is down" },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "call" },
    { id: "e2", source: "call", target: "end" },
    { id: "e3", source: "call", target: "tell", type: "fault", label: "error" },
    { id: "e4", source: "tell", target: "end" },
  ],
});
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, target_of

RULE = RuleInfo(
    name="unhandled-failure",
    code="FL801",
    category="resilience",
    severity="warning",
    since="0.1.0",
)

_WORDS = frozenset(
    {"error", "fault", "failure", "failed", "catch", "on_error", "onerror", "on error"}
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report edges that are for failures by their labels only."""
    report = Report(RULE, graph)
    yield from report.violations()
    semantics = graph.semantics
    if semantics.failure != "routes-by-edge":
        return
    for edge in graph.edges:
        label = (edge.label or "").strip().lower()
        if label not in _WORDS or edge.kind != "always" or edge.after != "ok" or edge.never:
            continue
        node = context.nodes.get(edge.source)
        # What chooses, or takes care of failures itself, may have such labels.
        if (
            node is None
            or node.kind in semantics.gate_kinds
            or node.pauses
            or "try" in node.regions
        ):
            continue
        yield report.finding(
            edge.span,
            f"Edge from `{edge.source}` to {target_of(edge)} is labelled `{edge.label}`, but it is "
            f"taken when `{edge.source}` succeeds and not when it fails: a failure fails the run.",
            help="make it an edge for failures",
            node=edge.source,
        )
