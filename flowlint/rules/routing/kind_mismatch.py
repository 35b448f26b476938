"""The kind of a node says something else than its edges.

## What it does

In systems where the kind of a node only describes how its edges look, reports

- a `gate` with a single edge that has no guard: it decides nothing,
- a `loop` from which no way leads back to it,
- a `step` whose edges have guards: it is a gate (where the first edge that matches is taken),
- an `end` that an edge leaves, and a `start` that an edge leads to, in systems that have them,
- a kind that the system does not have.

## Why is this bad

The system does not check the kind, so it may say anything. Readers and tools that draw the flow
believe it.

## Example

```python
from flows import Edge, Flow, Node


async def check(state):
    return state


async def approve(state):
    return state


async def reject(state):
    return state


flow = Flow(
    nodes=[Node("check", check, kind="gate"), Node("approve", approve)],
    edges=[Edge("check", "approve")],
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


flow = Flow(
    nodes=[Node("check", check, kind="step"), Node("approve", approve)],
    edges=[Edge("check", "approve")],
    entry="check",
)
```

## Fix safety

The fix writes the kind that fits. It is safe: nothing but readers goes by it.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.changes import SetField
from flowlint.findings.model import Finding, Fix
from flowlint.graph.model import Edge, FlowGraph, Node
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report
from flowlint.rules.routes import tries_in_order

RULE = RuleInfo(
    name="kind-mismatch",
    code="FL207",
    category="routing",
    severity="warning",
    since="0.1.0",
    fix="sometimes",
    related=("unroutable-gate", "unbounded-loop"),
)

_KINDS = ("step", "gate", "loop")
_POSITION = 2
"""Where nodes take their kind without its name."""


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report nodes whose kind is not what their edges make of them."""
    report = Report(RULE, graph)
    yield from report.violations()
    if not graph.semantics.kinds_document_shape:
        return
    # Under a node's name another one may run whose own got lost.
    is_whole = not graph.hides("edges") and not graph.hides("nodes")
    for node, edges in context.node_edges():
        passed = _passed(node, edges, context)
        if passed is not None:
            yield report.finding(
                node.name_span,
                f"Node `{node.name}` is called a `{node.kind}`, but {passed}.",
                help='say kind="gate", or take the edge away',
                node=node.name,
            )
        if node.kind not in _KINDS:
            if graph.semantics.node_kinds is not None:
                continue
            yield report.finding(
                node.name_span,
                f"Node `{node.name}` is of kind `{node.kind}`, which is none of "
                f"{', '.join(f'`{kind}`' for kind in _KINDS)}.",
                help="correct the kind: nothing else checks it",
                node=node.name,
            )
            continue
        is_known = is_whole and node.name not in context.routes_in_doubt
        after_success = [edge for edge in edges if edge.after == "ok"]
        mismatch = _mismatch(node, after_success, context) if is_known else None
        if mismatch is not None:
            reason, kind = mismatch
            yield report.finding(
                node.name_span,
                f"Node `{node.name}` is called a `{node.kind}`, but {reason}.",
                help=f'say kind="{kind}"',
                node=node.name,
                fix=_fix(graph, node, kind),
            )


def _fix(graph: FlowGraph, node: Node, kind: str) -> Fix | None:
    if any(other is not node and other.span == node.span for other in graph.nodes):
        return None
    change = SetField(node.span, "kind", kind, _POSITION)
    return Fix(f'write kind="{kind}"', "safe", changes=(change,))


def _passed(node: Node, edges: list[Edge], context: RuleContext) -> str | None:
    """How a run goes on after an end, or comes back to a start; None: it does neither."""
    if node.kind not in (context.graph.semantics.node_kinds or ()):
        return None
    if node.kind == "end" and edges:
        return "an edge leaves it"
    if node.kind == "start" and any(edge.target == node.name for edge in context.graph.edges):
        return "an edge leads to it"
    return None


def _mismatch(node: Node, edges: list[Edge], context: RuleContext) -> tuple[str, str] | None:
    """What speaks against the kind, and the kind that fits."""
    number = context.index.numbers[node.name]
    is_guarded = any(edge.guard is not None for edge in edges)
    if node.kind == "gate" and len(edges) == 1 and not is_guarded:
        return "its only edge has no guard", "step"
    if node.kind == "loop" and number not in context.on_cycle:
        return "no way leads back to it", "gate" if len(edges) > 1 and is_guarded else "step"
    # Where all edges are taken that match, none of a step's needs to.
    in_order = tries_in_order(context.graph.semantics)
    if node.kind == "step" and len(edges) > 1 and is_guarded and in_order:
        fitting = "loop" if number in context.on_cycle else "gate"
        return "its edges have guards", fitting
    return None
