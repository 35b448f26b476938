"""This looks like a flow, and its system does not take it for one.

## What it does

Reports definitions that a system does not recognise: made by a function that is imported from where
there is none, or without any of the fields that a flow of the system has.

What belongs to another system that calls things alike is left alone.

## Why is this bad

The module cannot be loaded, or the system says that there is no flow in it. Mostly the definition
was written from memory, or for a system that only looks alike.

## Example

```ts
import { compute, defineFlow } from "acpx/flows";

export default defineFlow({
  name: "review",
  steps: [compute({ run: () => ({ text: "draft" }) })],
});
```

## Use instead

```ts
import { compute, defineFlow } from "acpx/flows";

export default defineFlow({
  name: "review",
  startAt: "draft",
  nodes: {
    draft: compute({ run: () => ({ text: "draft" }) }),
  },
  edges: [],
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
    name="not-a-flow",
    code="FL704",
    category="shape",
    severity="error",
    since="0.1.0",
    related=("invalid-definition",),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
