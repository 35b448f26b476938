"""A function is named that is nowhere to be found.

## What it does

Reports functions that a definition written as data names, when it is loaded and nobody has
registered a function under that name.

## Why is this bad

The node or guard cannot run: the flow is refused.

## Example

```json
{"name": "draft", "run": "drafft"}
```

## Use instead

Correct the name, or register a function under it.

```json
{"name": "draft", "run": "draft"}
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
    name="undefined-callable", code="FL706", category="shape", severity="error", since="0.1.0"
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
