"""The guards of a node leave out a case, and no edge is taken then.

## What it does

Reports a node all of whose edges have guards, where some state makes none of them true. The message
names such a state. Guards are decided exactly as far as they compare values of the state with
constants; if one of them cannot be told, nothing is reported.

## Why is this bad

When such a state comes along, the run fails in the middle of the flow, or silently ends there.

## Example

```python
from flows import Edge, Flow, Node


async def check(state):
    return state


async def approve(state):
    return state


async def reject(state):
    return state


def is_good(state):
    return state["confidence"] > 0.8


def is_bad(state):
    return state["confidence"] < 0.8


flow = Flow(
    nodes=[Node("check", check, kind="gate"), Node("approve", approve), Node("reject", reject)],
    edges=[Edge("check", "approve", when=is_good), Edge("check", "reject", when=is_bad)],
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


def is_good(state):
    return state["confidence"] > 0.8


flow = Flow(
    nodes=[Node("check", check, kind="gate"), Node("approve", approve), Node("reject", reject)],
    edges=[Edge("check", "approve", when=is_good), Edge("check", "reject")],
    entry="check",
)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.cells import can_match, uncovered
from flowlint.graph.model import Edge, FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, named, places
from flowlint.rules.routes import formula_of, tries_in_order
from flowlint.source import Span

RULE = RuleInfo(
    name="unroutable-gate",
    code="FL201",
    category="routing",
    severity="error",
    since="0.1.0",
    related=("unhandled-route",),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report nodes whose guards are not total."""
    report = Report(RULE, graph)
    yield from report.violations()
    semantics = graph.semantics
    if semantics.unmatched_route == "takes-all" or graph.hides("edges"):
        return
    # Where all edges are taken that match, only what is called a gate has to find one.
    gates_only = not tries_in_order(semantics)
    gates = semantics.gate_kinds
    if semantics.kinds_document_shape and semantics.unmatched_route == "raises":
        gates |= {"gate"}
    if gates_only and not gates:
        return
    effect = (
        "the run fails"
        if semantics.unmatched_route == "raises"
        else "the run ends there, unfinished"
    )
    for node, leaving in context.node_edges():
        if gates_only and node.kind not in gates:
            continue
        edges = [edge for edge in leaving if edge.after == "ok"]
        if not edges or any(edge.guard is None for edge in edges):
            continue
        # A single way on, taken or not, is meant where the run just ends otherwise.
        if gates_only and len(edges) == 1 and semantics.unmatched_route == "ends-silently":
            continue
        if node.name in context.routes_in_doubt:
            continue
        formulas = [formula_of(edge, semantics) for edge in edges]
        witness = uncovered(formulas)
        if not witness:
            continue
        is_hopeless = all(can_match(formula) is False for formula in formulas)
        when = f"when `{witness.text}`" if witness.text else "in any state"
        yield report.finding(
            node.name_span,
            f"No edge out of `{node.name}` is taken {when}: {effect}.",
            severity="error" if is_hopeless else "warning",
            help=f"mark an edge out of `{node.name}` as the one that is taken otherwise"
            if gates_only and semantics.routing == "inclusive"
            else f"add an edge without a guard as the last one that leaves `{node.name}`",
            node=node.name,
            related=places([_place(edge) for edge in edges]),
        )


def _place(edge: Edge) -> tuple[str, Span]:
    return f"taken if {named(edge.guard, 'its guard')} is true", edge.span
