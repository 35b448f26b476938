"""A node is of a kind that its system does not have.

## What it does

Reports nodes of a kind that neither the system brings along nor anybody can have registered under
such a name. Kinds with a dot in their names, such as `acme.translate`, belong to somebody else and
are left alone.

## Why is this bad

Nothing knows how to run the node: the flow is refused when it is built or loaded.

## Example

```python
from flowrt import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft, kind="stpe")], edges=[], entry="draft")
```

## Use instead

```python
from flowrt import Edge, Flow, Node


async def draft(state):
    return state


flow = Flow(nodes=[Node("draft", draft, kind="step")], edges=[], entry="draft")
```

## Fix safety

The kind becomes the only one that is near to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="unknown-node-kind",
    code="FL703",
    category="shape",
    severity="error",
    since="0.1.0",
    fix="sometimes",
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw."""
    yield from Report(RULE, graph).violations()
