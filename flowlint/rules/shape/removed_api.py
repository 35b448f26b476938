"""Something is written that its system has given up or renamed.

## What it does

Reports fields, kinds and words of a definition that belong to an older release of the system.

## Why is this bad

The system refuses them, passes them over without a word, or converts them for as long as it does.

## Example

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "tell_owner",
  label: "Tell the owner",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    {
      id: "tell",
      type: "notify",
      label: "Tell",
      config: { to: "{record.owner}", title: "Changed" },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "tell" },
    { id: "e2", source: "tell", target: "end" },
  ],
});
```

## Use instead

```ts
import { defineFlow } from "@objectstack/spec/automation";

export const flow = defineFlow({
  name: "tell_owner",
  label: "Tell the owner",
  type: "autolaunched",
  nodes: [
    { id: "start", type: "start", label: "Start" },
    {
      id: "tell",
      type: "notify",
      label: "Tell",
      config: { recipients: "{record.owner}", title: "Changed" },
    },
    { id: "end", type: "end", label: "End" },
  ],
  edges: [
    { id: "e1", source: "start", target: "tell" },
    { id: "e2", source: "tell", target: "end" },
  ],
});
```

## Fix safety

The fix writes the new name, where it means the same. It is safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="removed-api",
    code="FL707",
    category="shape",
    severity="error",
    since="0.1.0",
    fix="sometimes",
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
