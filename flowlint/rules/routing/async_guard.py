"""A guard is an async function, but the system does not await guards.

## What it does

Reports guards of edges that are async functions in systems that call guards as plain functions.

## Why is this bad

Calling an async function gives a coroutine, and a coroutine counts as true. So the edge is always
taken, whatever the guard would have said, and its code never runs.

## Example

```python
from flows import Edge, Flow, Node


async def check(state):
    return state


async def approve(state):
    return state


async def reject(state):
    return state


async def is_bad(state):
    return state["status"] == "bad"


flow = Flow(
    nodes=[Node("check", check, kind="gate"), Node("approve", approve), Node("reject", reject)],
    edges=[Edge("check", "reject", when=is_bad), Edge("check", "approve")],
    entry="check",
)
```

## Use instead

Await what must be awaited in the node, write it to the state, and look at the state in the guard.

```python
from flows import Edge, Flow, Node


async def check(state):
    return state


async def approve(state):
    return state


async def reject(state):
    return state


def is_bad(state):
    return state["status"] == "bad"


flow = Flow(
    nodes=[Node("check", check, kind="gate"), Node("approve", approve), Node("reject", reject)],
    edges=[Edge("check", "reject", when=is_bad), Edge("check", "approve")],
    entry="check",
)
```

## Fix safety

A function that awaits nothing, and that its file does not call, becomes a plain one. That is unsafe
where it is defined in another file than the flow.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.changes import MakePlain
from flowlint.findings.model import Finding, Fix, FixSafety
from flowlint.graph.guards import Guard
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import MAX_RELATED, Report, places, target_of

RULE = RuleInfo(
    name="async-guard",
    code="FL208",
    category="routing",
    severity="error",
    since="0.1.0",
    fix="sometimes",
    related=("wrong-callable",),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report async guards where guards are not awaited."""
    report = Report(RULE, graph)
    yield from report.violations()
    if graph.semantics.guards != "sync":
        return
    for edges in context.index.outgoing:
        for place, edge in enumerate(edges):
            guard = edge.guard
            if guard is None or not guard.is_async:
                continue
            later = [e for e in edges[place + 1 : place + MAX_RELATED] if e.after == edge.after]
            others = [("so this edge is never taken", other.span) for other in later]
            if guard.definition:
                others.insert(0, (f"`{guard.text}` is defined here", guard.definition))
            yield report.finding(
                guard.span,
                f"Guard `{guard.text}` is async and never awaited: the edge from `{edge.source}` "
                f"to {target_of(edge)} is always taken.",
                help="make it a plain function; await in the node and look at the state here",
                node=edge.source,
                related=places(others),
                fix=_fix(graph, guard),
            )


def _fix(graph: FlowGraph, guard: Guard) -> Fix | None:
    """A plain function, where nothing else in the flow runs it."""
    place = guard.definition
    if place is None or any(node.runs and node.runs.span == place for node in graph.nodes):
        return None
    # What is in another file may be awaited by others.
    safety: FixSafety = "safe" if place.path == graph.path else "unsafe"
    change = MakePlain(place, guard.text.rpartition(".")[2])
    return Fix(f"make `{guard.text}` a plain function", safety, changes=(change,))
