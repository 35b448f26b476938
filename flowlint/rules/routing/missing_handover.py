"""A node hands over by its code on some ways through it, and leads nowhere on others.

## What it does

Reports nodes whose code hands over to another node on some ways, while on another way it returns
without doing so, and no edge leads on from the node either. In flows that never say where they
end it is a hint.

It is silent about nodes whose code may hand over in ways that are not seen.

## Why is this bad

The run ends there and reports success. Where it is meant to end, saying so makes it plain.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command


class State(TypedDict):
    text: str


def draft(state: State):
    if state["text"]:
        return Command(goto="publish")
    return {"text": "draft"}


def publish(state: State):
    return {"text": "published"}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("publish", publish)
builder.add_edge(START, "draft")
builder.add_edge("publish", END)
graph = builder.compile()
```

## Use instead

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command


class State(TypedDict):
    text: str


def draft(state: State):
    if state["text"]:
        return Command(goto="publish")
    return Command(goto="draft", update={"text": "draft"})


def publish(state: State):
    return {"text": "published"}


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

from flowlint.findings.model import Finding
from flowlint.graph.code import Code
from flowlint.graph.model import END, FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, listing, places

RULE = RuleInfo(
    name="missing-handover", code="FL212", category="routing", severity="warning", since="0.1.0"
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report the nodes that only hand over on some ways through them."""
    report = Report(RULE, graph)
    yield from report.violations()
    if graph.hides("edges"):
        return
    end = graph.semantics.end_marker or "the end"
    routed = {router.source for router in graph.routers}
    for node, edges in context.node_edges():
        if node.code is None or not _forgets(node.code) or node.name in routed:
            continue
        if any(edge.kind not in ("goto", "send") for edge in edges):
            continue
        onward = [h for h in node.code.handovers if h.target != END]
        names = listing(list(dict.fromkeys(handover.target for handover in onward)))
        yield report.finding(
            node.name_span,
            f"`{node.name}` hands over to {names} on some ways through it and to nobody on others: "
            "the run ends there and reports success.",
            severity="warning" if context.leads_to_end else "info",
            help=f"hand over on every way, to {end} where the run is to end",
            node=node.name,
            related=places([(f"here it hands over to `{h.target}`", h.span) for h in onward]),
        )


def _forgets(code: Code) -> bool:
    """Whether code hands over to some node, and on some way returns without a hand-over."""
    if code.more_handovers or code.hands_over_always or code.odd:
        return False
    return any(not h.to_parent and h.target != END for h in code.handovers)
