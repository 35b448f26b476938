"""A limit is given that limits nothing.

## What it does

Reports timeouts, numbers of attempts and limits of steps that are outside of their range, and
timeouts and heartbeats of nodes that run a plain function: while it runs, nothing can stop it.
Settings may state how large a limit of steps may be.

## Why is this bad

A time of nothing lets no node finish, and a flow that may take no step does nothing. What was meant
is mostly "no limit", which is said by leaving it out.

## Example

```python
from flowrt import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("draft", draft, timeout=0), Node("review", review)],
    edges=[Edge("draft", "review")],
    entry="draft",
)
```

## Use instead

```python
from flowrt import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("draft", draft, timeout=30), Node("review", review)],
    edges=[Edge("draft", "review")],
    entry="draft",
)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.options import count
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

MOST_STEPS = count(
    "most-steps",
    "The largest limit of steps that a flow may state.",
    default=None,
    example=100,
)

RULE = RuleInfo(
    name="bad-limit",
    code="FL802",
    category="resilience",
    severity="error",
    since="0.1.0",
    options=(MOST_STEPS,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report what the dialect saw, and a limit that lets a flow go on for too long."""
    report = Report(RULE, graph)
    yield from report.violations()
    most, bound = context.option(MOST_STEPS), graph.step_bound
    if most is None or bound is None or bound <= most or context.is_region:
        return
    name = graph.semantics.step_bound_name
    yield report.finding(
        graph.step_bound_span or graph.span,
        f"{name} is {bound}, more than the {most} that the settings allow.",
        severity="warning",
        help=f"set {name} to {most} or less",
    )
