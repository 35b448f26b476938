"""An edge never gets its turn, because earlier edges of its node always win over it.

## What it does

In systems that try the edges of a node in order, reports an edge that is never taken since one of
the edges before it, or all of them together, match wherever it would. Guards are decided exactly as
far as they compare values of the state with constants.

Two edges without a guard are told by `multiple-outgoing-edges`, repeated ones by `duplicate-edge`.

## Why is this bad

The order of the edges is mostly wrong: the special case must come before the general one. What the
edge leads to does not run, and nothing says so. A last edge without a guard behind guards that
leave nothing over does no harm; it is a warning.

## Example

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
    edges=[Edge("check", "approve"), Edge("check", "reject", when=is_bad)],
    entry="check",
)
```

## Use instead

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

An edge without a guard that does no harm is removed, which is safe. Otherwise the fix lets the
edges be tried in another order. That is unsafe: it changes where runs go.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Fix, Severity
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.cures import cuts_off, removal, reordering
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, named, places, target_of
from flowlint.rules.routes import DeadEdge, is_default

RULE = RuleInfo(
    name="shadowed-edge",
    code="FL203",
    category="routing",
    severity="error",
    since="0.1.0",
    fix="sometimes",
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report edges that earlier ones win over; those behind one default edge together."""
    report = Report(RULE, graph)
    yield from report.violations()
    told = {
        id(dead.earlier[0])
        for dead in context.dead_edges.values()
        if dead.reason == "second default"
    }
    behind_default: dict[int, list[DeadEdge]] = {}
    for dead in context.dead_edges.values():
        if dead.reason != "shadowed":
            continue
        first = dead.earlier[0]
        if not is_default(first):
            yield _shadowed(report, [dead], context)
        elif id(first) not in told:
            behind_default.setdefault(id(first), []).append(dead)
    for together in behind_default.values():
        yield _shadowed(report, together, context)


def _shadowed(report: Report, together: list[DeadEdge], context: RuleContext) -> Finding:
    dead, *others = together
    edge = dead.edge
    # Where it would lead to the same node anyway, or was only meant for what never happens,
    # the run is right.
    is_harmless = is_default(edge) or all(other.target == edge.target for other in dead.earlier)
    severity: Severity = "warning" if is_harmless else "error"
    return report.finding(
        edge.span,
        f"Edge from `{edge.source}` to {target_of(edge)} is never taken: {_reason(dead)}.",
        severity=severity,
        help="remove it" if is_default(edge) else "move it before the edges that win over it",
        node=edge.source,
        related=places(
            [("this edge comes first", other.span) for other in dead.earlier]
            + [("this edge is never taken either", other.edge.span) for other in others]
        ),
        fix=_fix(together, context),
    )


def _fix(together: list[DeadEdge], context: RuleContext) -> Fix | None:
    """Without what is never taken anyway, or with the special case before the general one."""
    dead = together[0]
    if is_default(dead.edge):
        changes = removal(context, [dead.edge])
        if changes is None or cuts_off(context, dead.edge):
            return None
        return Fix("remove it", "safe", changes=changes)
    first = min(dead.earlier, key=lambda edge: edge.order)
    last = max((one.edge for one in together), key=lambda edge: edge.order)
    leaving = context.index.outgoing[context.index.numbers[dead.edge.source]]
    between = [
        edge
        for edge in leaving
        if first.order <= edge.order <= last.order and edge.after == first.after
    ]
    if is_default(first):
        return reordering(context, [*between[1:], first])
    return reordering(context, [dead.edge, *(e for e in between if e is not dead.edge)])


def _reason(dead: DeadEdge) -> str:
    first = dead.earlier[0]
    if is_default(first):
        return "an earlier edge without a guard is always taken"
    guard = dead.edge.guard
    if guard is None:
        return "the guards before it leave nothing over"
    own, earlier = named(guard, "its guard"), named(first.guard, "an earlier guard")
    if len(dead.earlier) > 1:
        earlier = "one of the guards before it"
    elif own == earlier:
        own, earlier = "its guard", f"that of the edge to {target_of(first)}"
        if first.target == dead.edge.target:
            earlier = f"that of the edge before it in line {first.span.line}"
    won = "true or raises" if dead.raises else "true"
    return f"wherever {own} is true, {earlier} is {won}"
