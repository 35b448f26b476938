"""A loop repeats nothing.

## What it does

Reports loops whose system goes through them once, whatever they are to go through: what they are to
repeat is not written inside of them.

## Why is this bad

What follows the loop runs once instead of once for each element, and the variable of the loop is
not set there. The run reports success.

## Example

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "remind_buyers",
  label: "Remind buyers",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    { id: "each", type: "loop", label: "Each order", config: { collection: "{orders}" } },
    {
      id: "remind",
      type: "notify",
      label: "Remind",
      config: { recipients: "{item.buyer}", title: "Your order" },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "each" },
    { id: "e2", source: "each", target: "remind" },
    { id: "e3", source: "remind", target: "end" },
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
    { id: "e1", source: "start", target: "each" },
    { id: "e2", source: "each", target: "end" },
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
    name="loop-never-repeats",
    code="FL304",
    category="loops",
    severity="error",
    since="0.1.0",
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
