"""A node is to wait where its system cannot let a run wait.

## What it does

Reports nodes inside of a loop, a branch or a handler that wait for a time or for somebody, in
systems which can only stop a run at a node of the flow itself.

## Why is this bad

The run fails as soon as it comes to the node.

## Example

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "remind_buyers",
  label: "Remind buyers",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    {
      id: "each",
      type: "loop",
      label: "Each order",
      config: {
        collection: "{orders}",
        body: { nodes: [
            {
              id: "pause",
              type: "wait",
              label: "Wait a day",
              waitEventConfig: { eventType: "timer", timerDuration: "P1D" },
            },
          ] },
      },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "each" },
    { id: "e2", source: "each", target: "end" },
  ],
});
```

## Use instead

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "remind_buyers",
  label: "Remind buyers",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    {
      id: "pause",
      type: "wait",
      label: "Wait a day",
      waitEventConfig: { eventType: "timer", timerDuration: "P1D" },
    },
    {
      id: "each",
      type: "loop",
      label: "Each order",
      config: {
        collection: "{orders}",
        body: {
          nodes: [
            {
              id: "remind",
              type: "notify",
              label: "Remind",
              config: { recipients: "{item.buyer}", title: "Your order" },
            },
          ],
        },
      },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "pause" },
    { id: "e2", source: "pause", target: "each" },
    { id: "e3", source: "each", target: "end" },
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
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="pause-in-region",
    code="FL404",
    category="concurrency",
    severity="error",
    since="0.1.0",
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report each node that is sure to wait."""
    report = Report(RULE, graph)
    yield from report.violations()
    if graph.semantics.on_pause != "fails":
        return
    for node in graph.nodes:
        if node.pauses is None:
            continue
        yield report.finding(
            node.name_span,
            f"`{node.name}` waits inside of another node, where {graph.semantics.system} cannot "
            "let a run wait: the run fails when it gets there.",
            severity="warning" if node.presence else "error",
            help="move it out, or let the node call a flow of its own for each part of the work",
            node=node.name,
        )
