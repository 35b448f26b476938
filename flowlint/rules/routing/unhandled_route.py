"""A router returns a value that nothing provides for.

## What it does

Reads what a router returns and reports values that are none of its cases, and, where a value is
the name of the next node itself, values that are the name of no node. It also reports routers that
return nothing on some way through them.

It stays silent about values that are not seen in the code.

## Why is this bad

A value without a case makes the run fail, though only once a run gets to it. A value that names no
node ends the run there in systems that do not check it, and the run reports success.

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


def verdict(state: State):
    if state["text"]:
        return "publish"
    return END


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("publish", publish)
builder.add_edge(START, "draft")
builder.add_conditional_edges("draft", verdict, {"publish": "publish"})
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


def verdict(state: State):
    if state["text"]:
        return "publish"
    return END


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("publish", publish)
builder.add_edge(START, "draft")
builder.add_conditional_edges("draft", verdict, {"publish": "publish", END: END})
builder.add_edge("publish", END)
graph = builder.compile()
```

## Fix safety

A value that is near to just one of those provided for becomes that one, a text such as `"end"` the
marker that it sounds like, and a value that names a node gets a case. Values that are near to
several are unsafe to change.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Related
from flowlint.graph.model import START, FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report
from flowlint.rules.router_cures import fix_of
from flowlint.rules.router_text import cure_of, message_of
from flowlint.rules.routers import Unhandled, unhandled_routes

RULE = RuleInfo(
    name="unhandled-route",
    code="FL204",
    category="routing",
    severity="error",
    since="0.1.0",
    fix="sometimes",
    related=("unused-case", "undeclared-target"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each value that a router returns in vain, once per router."""
    report = Report(RULE, graph)
    yield from report.violations()
    for unhandled in unhandled_routes(graph, context):
        source = unhandled.router.source
        yield report.finding(
            unhandled.route.span,
            message_of(unhandled, graph),
            severity=unhandled.severity,
            help=cure_of(unhandled, graph, context),
            node=source if source != START and source in context.nodes else None,
            related=_related(unhandled),
            fix=fix_of(unhandled, graph, context),
        )


def _related(unhandled: Unhandled) -> Iterator[Related]:
    for router in (unhandled.router, *unhandled.others):
        if router.span != unhandled.route.span:
            yield Related("the conditional edges are added here", router.span)
