"""A node has a name that says nothing.

## What it does

Reports nodes that are called `node`, `step`, `task` or the like, with or without a number.

## Why is this bad

Names of nodes are what logs, traces and pictures of a run show. `step2` has to be looked up.

## Example

```python
from relay import Relay

race = Relay("report")
race.leg("step1", print)
```

## Use instead

```python
from relay import Relay

race = Relay("report")
race.leg("collect", print)
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.options import fits, patterns
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

ALLOW = patterns(
    "allow",
    "Names that say enough to whoever works on the project.",
    example=("step_*",),
)

RULE = RuleInfo(
    name="vague-name",
    code="RLY001",
    category="naming",
    severity="warning",
    since="0.1.0",
    related=("duplicate-node",),
    options=(ALLOW,),
)

_VAGUE = re.compile(r"(node|step|task|thing|stuff)[ _-]?\d*", re.IGNORECASE)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each such node once."""
    report = Report(RULE, graph)
    allowed = context.option(ALLOW)
    for name, node in context.nodes.items():
        if _VAGUE.fullmatch(name) and not fits(name, allowed):
            yield report.finding(
                node.name_span,
                f"The name `{name}` does not say what the node does.",
                help="call it by what it does",
                node=name,
            )
