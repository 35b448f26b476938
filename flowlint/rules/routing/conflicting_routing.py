"""A node leads on in two ways that look like alternatives, and both are taken.

## What it does

In systems that take all that leads on from a node, reports

* code that hands over to a node, or to the end, where an edge or a router of the same node leads
  somewhere else as well;
* routers beside another router of the same node, and edges beside a router;
* edges to the end beside other edges: the run goes on over the others.

In systems that take every edge whose guard is true, it reports nodes that are there to choose, and
have edges without a guard beside others.

Where code hands over to the very node that an edge leads to, it is a hint: one of the two is to
spare.

## Why is this bad

A hand-over does not replace an edge, and a router does not replace another one. Both ways are
taken at the same time, nodes run that were meant to be left out, and the end is not the end.

## Example

```python
from operator import add
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command


class State(TypedDict):
    notes: Annotated[list, add]


def draft(state: State):
    if len(state["notes"]) > 3:
        return Command(goto=END)
    return {"notes": ["draft"]}


def publish(state: State):
    return {"notes": ["published"]}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("publish", publish)
builder.add_edge(START, "draft")
builder.add_edge("draft", "publish")
builder.add_edge("publish", END)
graph = builder.compile()
```

## Use instead

Let either the code or the edges decide.

```python
from operator import add
from typing import Annotated, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command


class State(TypedDict):
    notes: Annotated[list, add]


def draft(state: State) -> Command[Literal["publish", "__end__"]]:
    if len(state["notes"]) > 3:
        return Command(goto=END)
    return Command(goto="publish", update={"notes": ["draft"]})


def publish(state: State):
    return {"notes": ["published"]}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("publish", publish)
builder.add_edge(START, "draft")
builder.add_edge("publish", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Related
from flowlint.graph.model import FlowGraph
from flowlint.rules.conflicts import conflicts
from flowlint.rules.context import RuleContext
from flowlint.rules.cycles import endless_loops
from flowlint.rules.leavings import leavings
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, target_of
from flowlint.rules.routes import is_default

RULE = RuleInfo(
    name="conflicting-routing",
    code="FL209",
    category="routing",
    severity="error",
    since="0.1.0",
    related=("ineffective-field",),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report what leads on beside something else that looks like its alternative."""
    report = Report(RULE, graph)
    yield from report.violations()
    if graph.semantics.routing == "inclusive":
        yield from _at_gates(report, context)
    if graph.semantics.routing != "all":
        return
    # Where a loop goes on beside every way out of it, that is told.
    endless = context.shared(endless_loops)
    looping = {
        context.index.names[number]
        for found in endless
        if found.reason == "repeating"
        for number in found.loop.members
    }
    for leaving in leavings(graph, context):
        if leaving.source in looping:
            continue
        for conflict in conflicts(leaving, graph.semantics):
            yield report.finding(
                conflict.span,
                conflict.message,
                severity=conflict.severity,
                help=conflict.help,
                node=leaving.source if leaving.source in context.nodes else None,
                related=[Related(text, span) for text, span in conflict.related],
            )


def _at_gates(report: Report, context: RuleContext) -> Iterator[Finding]:
    """Edges that are taken beside whatever a node chooses."""
    semantics = report.graph.semantics
    for node, leaving in context.node_edges():
        edges = [edge for edge in leaving if edge.after == "ok" and edge.never is None]
        always = [edge for edge in edges if is_default(edge)]
        if node.kind not in semantics.gate_kinds or not always or len(edges) < 2:
            continue
        if context.graph.hides("edges") or len({edge.target for edge in edges}) < 2:
            continue
        first, *others = always
        chosen = [edge for edge in edges if edge not in always]
        beside = "whichever other edge is taken" if chosen else "beside every other edge"
        yield report.finding(
            first.span,
            f"Edge from `{node.name}` to {target_of(first)} is taken {beside}: nothing says when "
            "it is to be taken.",
            severity="warning",
            help="give it a guard, or mark it as the one that is taken otherwise",
            node=node.name,
            related=[
                *(Related("and so is this edge", edge.span) for edge in others[:4]),
                *(Related("this edge is taken beside it", edge.span) for edge in chosen[:4]),
            ],
        )
