"""A router has a case for a value that it never returns.

## What it does

Reports the cases of a router, or the names in its annotation, that are none of the values it
returns. It is a hint, and only given where every value that the router can return is seen.

## Why is this bad

The way to that node is never taken from here. Mostly a value was renamed in the router and not in
its cases, or a way was given up and left in the graph.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def draft(state: State):
    return {"text": "draft"}


def verdict(state: State):
    if state["text"]:
        return "done"
    return "again"


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_edge(START, "draft")
builder.add_conditional_edges("draft", verdict, {"done": END, "again": "draft", "retry": "draft"})
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


def verdict(state: State):
    if state["text"]:
        return "done"
    return "again"


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_edge(START, "draft")
builder.add_conditional_edges("draft", verdict, {"done": END, "again": "draft"})
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.code import Router
from flowlint.graph.model import END, FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.options import fits, patterns
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places
from flowlint.rules.router_text import subject_of
from flowlint.rules.routers import unhandled_routes, unused_cases
from flowlint.source import Span

IGNORE = patterns(
    "ignore",
    "Values that may have a case although no router returns them.",
    example=("error", "future_*"),
)

RULE = RuleInfo(
    name="unused-case",
    code="FL205",
    category="routing",
    severity="info",
    since="0.1.0",
    options=(IGNORE,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report the cases that a router never chooses, once per router."""
    report = Report(RULE, graph)
    yield from report.violations()
    # A value without a case was mostly meant to be one that has a case and is never returned.
    faulty = {
        (router.source, router.choice)
        for unhandled in unhandled_routes(graph, context)
        for router in (unhandled.router, *unhandled.others)
        if unhandled.fault == "no case"
    }
    ignored = context.option(IGNORE)
    for router in graph.routers:
        unused = [value for value in unused_cases(router) if not fits(value, ignored)]
        if not unused or (router.source, router.choice) in faulty:
            continue
        end = graph.semantics.end_marker or "the end"
        names = [end if value == END else f"`{value}`" for value in unused]
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        spans = [(value, _span(router, value)) for value in unused]
        yield report.finding(
            spans[0][1],
            f"{subject_of(router)} never returns {listed}: that way is never taken.",
            help="remove it, or return it where it is meant",
            node=router.source if router.source in context.nodes else None,
            related=places([("neither is this one", span) for _, span in spans[1:]]),
        )


def _span(router: Router, value: str) -> Span:
    spans = router.case_spans or {}
    return spans.get(value, router.span)
