"""A run can come to this node and has no way on from it.

## What it does

In systems whose flows must end at an end marker, reports nodes that a run can reach, that are no
end and that no edge leaves.

In systems whose flows end wherever no edge leads on, it is a hint: it is given only if the flow
says elsewhere where it ends, and so seems to have forgotten to say it here.

It stays silent about nodes that may hand over by their own code.

## Why is this bad

Where the end is explicit, the run stops there without having finished. Where it is not, the run
ends there and reports success, which may or may not be meant.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return {"text": "draft"}


def publish(state: State):
    return {"text": "published"}


def reject(state: State):
    return {"text": "rejected"}


def verdict(state: State):
    return "publish" if state["text"] else "reject"


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("publish", publish)
builder.add_node("reject", reject)
builder.add_edge(START, "draft")
builder.add_conditional_edges("draft", verdict, ["publish", "reject"])
builder.add_edge("publish", END)
graph = builder.compile()
```

## Use instead

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return {"text": "draft"}


def publish(state: State):
    return {"text": "published"}


def reject(state: State):
    return {"text": "rejected"}


def verdict(state: State):
    return "publish" if state["text"] else "reject"


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("publish", publish)
builder.add_node("reject", reject)
builder.add_edge(START, "draft")
builder.add_conditional_edges("draft", verdict, ["publish", "reject"])
builder.add_edge("publish", END)
builder.add_edge("reject", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.options import fits, flag, patterns
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, way

ENDS = patterns(
    "ends",
    "Nodes at which runs are meant to end although nothing leads on to the end.",
    example=("publish", "*_done"),
)
HINTS = flag(
    "hints",
    "Whether to hint at such nodes also in systems whose flows end wherever no edge leads on.",
    default=True,
)

RULE = RuleInfo(
    name="dead-end",
    code="FL107",
    category="structure",
    severity="error",
    since="0.1.0",
    related=("missing-handover",),
    options=(ENDS, HINTS),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report the nodes that a run reaches and cannot leave."""
    report = Report(RULE, graph)
    yield from report.violations()
    is_explicit = graph.semantics.end == "explicit"
    if graph.hides("edges") or graph.hides("entry"):
        return
    if not is_explicit and not (context.leads_to_end and context.option(HINTS)):
        return
    ends = context.option(ENDS)
    for node, edges in context.node_edges():
        if edges or node.name in context.may_lead_anywhere or fits(node.name, ends):
            continue
        number = context.index.numbers[node.name]
        if number not in context.reached or node.kind in graph.semantics.end_kinds:
            continue
        witness = context.way_to(number)
        if is_explicit:
            fails = graph.semantics.unmatched_route == "raises"
            effect = "the run fails" if fails else "the run stops there and reports success"
            yield report.finding(
                node.name_span,
                f"No edge leaves `{node.name}`, which is no end: after {way(witness)} {effect}.",
                severity="error" if fails else "warning",
                help="add the edge that leads on from it, or to the end",
                node=node.name,
                witness=witness,
            )
            continue
        end = graph.semantics.end_marker or "the end"
        yield report.finding(
            node.name_span,
            f"The run ends at `{node.name}` because no edge leaves it, "
            f"though this flow leads to {end} elsewhere.",
            severity="info",
            help=f"add an edge to {end} if the run is to end here, or the edge that is missing",
            node=node.name,
            witness=witness,
        )
