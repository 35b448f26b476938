"""The guard of this edge is never true.

## What it does

Reports an edge whose own guard no state can make true, such as one that asks for a number above
five and below three.

An edge that is never taken because others come first is told by `shadowed-edge`.

## Why is this bad

The edge looks like a way through the flow and is none: what it leads to does not run. A guard that
just says `False` switches an edge off on purpose, so that is only a warning.

## Example

```python
from flows import Edge, Flow, Node


async def score(state):
    return state


async def review(state):
    return state


async def publish(state):
    return state


def is_doubtful(state):
    return state["score"] > 5 and state["score"] < 3


flow = Flow(
    nodes=[Node("score", score, kind="gate"), Node("review", review), Node("publish", publish)],
    edges=[Edge("score", "review", when=is_doubtful), Edge("score", "publish")],
    entry="score",
)
```

## Use instead

```python
from flows import Edge, Flow, Node


async def score(state):
    return state


async def review(state):
    return state


async def publish(state):
    return state


def is_doubtful(state):
    return state["score"] > 3 and state["score"] < 5


flow = Flow(
    nodes=[Node("score", score, kind="gate"), Node("review", review), Node("publish", publish)],
    edges=[Edge("score", "review", when=is_doubtful), Edge("score", "publish")],
    entry="score",
)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Related
from flowlint.graph.guards import Truth
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, named, target_of

RULE = RuleInfo(
    name="edge-never-taken",
    code="FL109",
    category="structure",
    severity="error",
    since="0.1.0",
    related=("shadowed-edge", "unused-case"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report edges whose guard is never true."""
    report = Report(RULE, graph)
    yield from report.violations()
    for dead in context.dead_edges.values():
        guard = dead.edge.guard
        if dead.reason != "never true" or guard is None:
            continue
        edge = dead.edge
        is_switched_off = isinstance(guard.formula, Truth)
        fault = "always false" if is_switched_off else "never true"
        defined = guard.definition
        yield report.finding(
            guard.span,
            f"Edge from `{edge.source}` to {target_of(edge)} is never taken: "
            f"{named(guard, 'its guard')} is {fault}.",
            severity="warning" if is_switched_off else "error",
            help="return a condition from the guard, or remove the edge"
            if is_switched_off
            else "correct the guard, or remove the edge",
            node=edge.source,
            related=[Related("its guard is defined here", defined)] if defined else (),
        )
