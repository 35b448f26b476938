"""Two edges of a node that chooses may be taken at once.

## What it does

In systems that take every edge whose guard is true, reports nodes that are there to choose, where
the guards of two edges are true in the same state. It tells such a state.

## Why is this bad

It looks as if one of the ways were chosen. Where both guards are true, the run goes both ways.

## Example

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "announce_order",
  label: "Announce an order",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    { id: "size", type: "decision", label: "How large?" },
    {
      id: "tell_lead",
      type: "notify",
      label: "Tell the lead",
      config: { recipients: "{record.lead}", title: "A large order" },
    },
    {
      id: "tell_owner",
      type: "notify",
      label: "Tell the owner",
      config: { recipients: "{record.owner}", title: "An order" },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "size" },
    { id: "e2", source: "size", target: "tell_lead", condition: "record.amount > 1000" },
    { id: "e3", source: "size", target: "tell_owner", condition: "record.amount <= 2000" },
    { id: "e4", source: "tell_lead", target: "end" },
    { id: "e5", source: "tell_owner", target: "end" },
  ],
});
```

## Use instead

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "announce_order",
  label: "Announce an order",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    { id: "size", type: "decision", label: "How large?" },
    {
      id: "tell_lead",
      type: "notify",
      label: "Tell the lead",
      config: { recipients: "{record.lead}", title: "A large order" },
    },
    {
      id: "tell_owner",
      type: "notify",
      label: "Tell the owner",
      config: { recipients: "{record.owner}", title: "An order" },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "size" },
    { id: "e2", source: "size", target: "tell_lead", condition: "record.amount > 1000" },
    { id: "e3", source: "size", target: "tell_owner", condition: "record.amount <= 1000" },
    { id: "e4", source: "tell_lead", target: "end" },
    { id: "e5", source: "tell_owner", target: "end" },
  ],
});
```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from flowlint.findings.model import Finding
from flowlint.graph.cells import overlap
from flowlint.graph.model import Edge, FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.presence import exclude
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places, target_of
from flowlint.rules.routes import sameness

RULE = RuleInfo(
    name="overlapping-guards",
    code="FL206",
    category="routing",
    severity="warning",
    since="0.1.0",
)

_MOST_COMPARED = 32


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each node that chooses and may go two ways, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    semantics = graph.semantics
    if semantics.routing != "inclusive":
        return
    for node, leaving in context.node_edges():
        if node.kind not in semantics.gate_kinds:
            continue
        guarded = [edge for edge in leaving if edge.guard is not None and edge.after == "ok"]
        found = _overlap(guarded[:_MOST_COMPARED])
        if found is None:
            continue
        first, second, when = found
        yield report.finding(
            second.guard.span if second.guard is not None else second.span,
            f"Two edges out of `{node.name}` are taken {when}: the run goes on to "
            f"{target_of(first)} and to {target_of(second)}.",
            help="let one of the guards ask for what the other leaves over",
            node=node.name,
            related=places([("this edge is taken then, too", first.span)]),
        )


def _overlap(edges: list[Edge]) -> tuple[Edge, Edge, str] | None:
    """Two edges that some state takes both, with that state in words."""
    for first, second in combinations(edges, 2):
        if first.guard is None or second.guard is None or first.choice != second.choice:
            continue
        # That one is written twice is told as such.
        if exclude(first.presence, second.presence) or sameness(first) == sameness(second):
            continue
        if first.kind == "case" and first.label != second.label:
            continue
        witness = overlap(first.guard.formula, second.guard.formula)
        if witness:
            when = f"when `{witness.text}`" if witness.text else "in any state"
            return first, second, when
    return None
