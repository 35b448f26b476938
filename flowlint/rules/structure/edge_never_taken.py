"""This edge is never taken, whatever comes along.

## What it does

Reports an edge whose own guard no state can make true, such as one that asks for a number above
five and below three, and an edge that its system never takes, such as one that leaves a node at
which every run ends.

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
from flowlint.graph.model import END, Edge, FlowGraph
from flowlint.graph.reachability import search
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, listing, named, places, target_of
from flowlint.source import Span

RULE = RuleInfo(
    name="edge-never-taken",
    code="FL109",
    category="structure",
    severity="error",
    since="0.1.0",
    related=("shadowed-edge", "unused-case"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report edges that are never taken by themselves."""
    report = Report(RULE, graph)
    yield from report.violations()
    yield from _never(report, context)
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


def _never(report: Report, context: RuleContext) -> Iterator[Finding]:
    """The edges that the system never takes, those of one node for one reason together."""
    together: dict[tuple[str, str], list[Edge]] = {}
    for dead in context.dead_edges.values():
        if dead.reason == "never" and dead.edge.never is not None:
            together.setdefault((dead.edge.source, dead.edge.never), []).append(dead.edge)
    for (source, reason), edges in together.items():
        targets = list(dict.fromkeys(edge.target for edge in edges if edge.target != END))
        led_to = listing(targets) or "the end"
        is_one = len(edges) == 1
        yield report.finding(
            edges[0].span if edges[0].kind == "always" else edges[0].target_span,
            f"{'Edge' if is_one else 'Edges'} from `{source}` to {led_to} "
            f"{'is' if is_one else 'are'} never taken: {reason}.",
            help=f"remove {'it' if is_one else 'them'}, or let the run go on from another node",
            node=source,
            related=places([*_places(edges[1:]), *_never_run(targets, context)]),
        )


def _places(edges: list[Edge]) -> Iterator[tuple[str, Span]]:
    for edge in edges:
        yield f"the edge to {target_of(edge)} is not taken either", edge.target_span


def _never_run(targets: list[str], context: RuleContext) -> Iterator[tuple[str, Span]]:
    """The nodes that no run comes to, as it would have to come by these edges."""
    index = context.index
    behind = search(index.successors, [index.numbers[name] for name in targets])
    for number in behind.order:
        if number < index.declared and number not in context.reached:
            node = context.nodes[index.names[number]]
            yield f"so `{node.name}` is never reached", node.name_span
