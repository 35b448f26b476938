"""The same edge is written twice.

## What it does

Reports an edge that another edge repeats: same source, same target, same guard.

## Why is this bad

The second edge does nothing. Mostly it was copied and one of its names, or its guard, was to be
changed: then an edge is missing. Where the system drops repeated edges it is only noise, and this
is a hint.

## Example

```python
from flows import Edge, Flow, Node


async def plan(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("plan", plan), Node("review", review)],
    edges=[Edge("plan", "review"), Edge("plan", "review")],
    entry="plan",
)
```

## Use instead

```python
from flows import Edge, Flow, Node


async def plan(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("plan", plan), Node("review", review)],
    edges=[Edge("plan", "review")],
    entry="plan",
)
```

## Fix safety

The fix removes what is written again. It is safe where the system goes by the first edge anyway,
and unsafe where it refuses the flow, since another edge may have been meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Fix, Severity
from flowlint.graph.model import Edge, FlowGraph
from flowlint.rules.consequences import is_rejection_proven, rejects
from flowlint.rules.context import RuleContext
from flowlint.rules.cures import removal
from flowlint.rules.presence import whenever
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places, target_of
from flowlint.rules.routes import Sameness, sameness

RULE = RuleInfo(
    name="duplicate-edge",
    code="FL108",
    category="structure",
    severity="error",
    since="0.1.0",
    fix="sometimes",
    related=("shadowed-edge", "runs-more-than-once"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report every edge that repeats an earlier one, once for all its repetitions."""
    report = Report(RULE, graph)
    yield from report.violations()
    consequence = graph.semantics.on_duplicate_edge
    if consequence == "rejected" and not is_rejection_proven(graph):
        return
    for edges in context.index.outgoing:
        if len(edges) < 2:
            continue
        for first, *repeated in _repetitions(edges):
            severity, effect = _effect(graph, first, context)
            yield report.finding(
                repeated[0].span,
                f"Edge from `{first.source}` to {target_of(first)} is written twice: {effect}.",
                severity=severity,
                help="remove it, or change the name that was to be another",
                node=first.source,
                related=places(
                    [("the same edge is written here first", first.span)]
                    + [("and here again", edge.span) for edge in repeated[1:]]
                ),
                fix=_fix(context, repeated),
            )


def _fix(context: RuleContext, repeated: list[Edge]) -> Fix | None:
    changes = removal(context, repeated)
    if changes is None:
        return None
    # Where it does more than nothing, it may be another edge that was meant.
    is_harmless = context.graph.semantics.on_duplicate_edge in ("silent", "collapsed")
    return Fix("remove the second one", "safe" if is_harmless else "unsafe", changes=changes)


def _effect(graph: FlowGraph, edge: Edge, context: RuleContext) -> tuple[Severity, str]:
    target = context.nodes.get(edge.target)
    if target is not None and target.kind in graph.semantics.end_kinds:
        return "info", "nothing follows it anyway"
    match graph.semantics.on_duplicate_edge:
        case "rejected":
            return "error", rejects(graph)
        case "collapsed":
            return "info", "it counts once"
        case "taken-twice":
            return "warning", "both are taken, and what follows runs twice"
        case _:
            return "warning", "the second one is never taken"


def _repetitions(edges: list[Edge]) -> Iterator[list[Edge]]:
    """The edges of one node that say the same thing, in groups."""
    if len({edge.target for edge in edges}) == len(edges):
        return
    groups: dict[Sameness, list[Edge]] = {}
    for edge in edges:
        same = sameness(edge)
        if same is None:
            continue
        group = groups.setdefault(same, [])
        if not group or whenever(edge.presence, group[0].presence):
            group.append(edge)
    yield from (group for group in groups.values() if len(group) > 1)
