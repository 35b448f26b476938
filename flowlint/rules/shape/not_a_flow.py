"""This looks like a flow, and its system does not take it for one.

## What it does

Reports definitions that a system does not recognise: made by a function that is imported from where
there is none, or without any of the fields that a flow of the system has.

What belongs to another system that calls things alike is left alone. A file of data that the
settings say to be a flow, and in which flowlint recognises none of that system, is a warning.

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
from flowlint.source import Span

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


_LOOKS = {
    "agentsflow": "a definition has `flow`, `nodes` and `edges`, a node an `id` and a `type`",
    "flowrt": "a definition has `flowrt: 1`, a `name`, an `entry`, `nodes` and `edges`",
}


def no_document(path: str, dialect: str) -> Finding:
    """The finding for a file that settings say to be a flow, and that is not recognised as one."""
    message = f"The settings say that this is a flow of {dialect}, and nothing in it says so."
    span = Span(path, 1, 1, 1, 1)
    looks = _LOOKS.get(dialect)
    return Finding(RULE.code, RULE.name, "warning", message, span, help=looks)
