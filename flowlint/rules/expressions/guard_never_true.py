"""A condition is never true.

## What it does

Reports conditions that no state can make true; that what they look at never meets, such as a number
that is compared with a text, or an outcome that there is not; and those that are true by chance
only, such as one that asks for a time to be the very moment of the run. Guards of edges that no
state can make true are told by `edge-never-taken`.

## Why is this bad

What the condition was to let through never happens, and nothing says so.

## Example

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "announce_order",
  label: "Announce an order",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    {
      id: "size",
      type: "decision",
      label: "How large?",
      config: {
        conditions: [
          { label: "large", expression: "record.amount > 1000 && record.amount < 100" },
        ],
      },
    },
    {
      id: "tell_lead",
      type: "notify",
      label: "Tell the lead",
      config: { recipients: "{record.lead}", title: "A large order" },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "size" },
    { id: "e2", source: "size", target: "tell_lead", label: "large" },
    { id: "e3", source: "size", target: "end", isDefault: true },
    { id: "e4", source: "tell_lead", target: "end" },
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
    {
      id: "size",
      type: "decision",
      label: "How large?",
      config: { conditions: [{ label: "large", expression: "record.amount > 1000" }] },
    },
    {
      id: "tell_lead",
      type: "notify",
      label: "Tell the lead",
      config: { recipients: "{record.lead}", title: "A large order" },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "size" },
    { id: "e2", source: "size", target: "tell_lead", label: "large" },
    { id: "e3", source: "size", target: "end", isDefault: true },
    { id: "e4", source: "tell_lead", target: "end" },
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
    name="guard-never-true",
    code="FL603",
    category="expressions",
    severity="error",
    since="0.1.0",
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
