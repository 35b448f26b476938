"""Code hands over to a node that it does not declare.

## What it does

Reports hand-overs in a node's code to a node of the flow which the node's own declaration leaves
out: its annotation, or the list of destinations it was added with. It is silent about nodes that
declare nothing. A way to the end that is not declared is a hint.

## Why is this bad

The hand-over works, but whatever relies on the declaration does not know of it: the system's own
checks when it builds the flow, drawings of the flow, and whoever reads the signature. Mostly the
declaration was not changed along with the code.

## Example

```python
from typing import Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command


class State(TypedDict):
    text: str


def draft(state: State) -> Command[Literal["publish", "__end__"]]:
    if not state["text"]:
        return Command(goto="research")
    if len(state["text"]) < 3:
        return Command(goto=END)
    return Command(goto="publish")


def research(state: State):
    return {"text": "found"}


def publish(state: State):
    return {"text": "published"}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("research", research)
builder.add_node("publish", publish)
builder.add_edge(START, "draft")
builder.add_edge("research", "publish")
builder.add_edge("publish", END)
graph = builder.compile()
```

## Use instead

```python
from typing import Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command


class State(TypedDict):
    text: str


def draft(state: State) -> Command[Literal["research", "publish", "__end__"]]:
    if not state["text"]:
        return Command(goto="research")
    if len(state["text"]) < 3:
        return Command(goto=END)
    return Command(goto="publish")


def research(state: State):
    return {"text": "found"}


def publish(state: State):
    return {"text": "published"}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("research", research)
builder.add_node("publish", publish)
builder.add_edge(START, "draft")
builder.add_edge("research", "publish")
builder.add_edge("publish", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Related
from flowlint.graph.model import END, FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, listing

RULE = RuleInfo(
    name="undeclared-target", code="FL211", category="routing", severity="warning", since="0.1.0"
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each node that code hands over to past its declaration, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    end = graph.semantics.end_marker or "the end"
    for node, edges in context.node_edges():
        declared = [edge for edge in edges if edge.kind == "goto" and edge.checked]
        if node.code is None or not declared:
            continue
        known = {edge.target for edge in declared}
        for handover in node.code.handovers:
            target = handover.target
            if handover.to_parent or target in known:
                continue
            # A name that no node bears is told as such.
            if target != END and target not in context.node_names:
                continue
            known.add(target)
            shown = end if target == END else f"`{target}`"
            names = listing([end if edge.target == END else edge.target for edge in declared])
            yield report.finding(
                handover.span,
                f"`{node.name}` hands over to {shown}, but declares only {names}: "
                "checks and drawings of the flow do not know of it.",
                severity="info" if target == END else "warning",
                help=f"add {shown} to what `{node.name}` declares",
                node=node.name,
                related=[Related("declared here", declared[0].target_span)],
            )
