"""Ways of different length after a fork meet in a node, which so runs once for each of them.

## What it does

In systems that run step by step, reports a node that several ways lead to after a fork, all taken
and not of the same length, where nothing makes the node wait for all of them. In systems where
nothing joins ways, ways of the same length count, too.

## Why is this bad

The node runs when the first way arrives, without what the others do, and runs again for each of
the others, as does all that follows it. Nothing says so.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def load(state: State):
    return None


def search(state: State):
    return None


def rank(state: State):
    return None


def answer(state: State):
    return {"text": "done"}


builder = StateGraph(State)
builder.add_node("load", load)
builder.add_node("search", search)
builder.add_node("rank", rank)
builder.add_node("answer", answer)
builder.add_edge(START, "load")
builder.add_edge(START, "search")
builder.add_edge("search", "rank")
builder.add_edge("load", "answer")
builder.add_edge("rank", "answer")
builder.add_edge("answer", END)
graph = builder.compile()
```

## Use instead

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def load(state: State):
    return None


def search(state: State):
    return None


def rank(state: State):
    return None


def answer(state: State):
    return {"text": "done"}


builder = StateGraph(State)
builder.add_node("load", load)
builder.add_node("search", search)
builder.add_node("rank", rank)
builder.add_node("answer", answer)
builder.add_edge(START, "load")
builder.add_edge(START, "search")
builder.add_edge("search", "rank")
builder.add_edge(["load", "rank"], "answer")
builder.add_edge("answer", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import START, FlowGraph
from flowlint.rules.arrivals import meetings
from flowlint.rules.context import RuleContext
from flowlint.rules.options import fits, patterns
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, listing, places, way
from flowlint.rules.reruns import Rerun, reruns

REPEATABLE = patterns(
    "repeatable",
    "Nodes that may run several times, as it does no harm there.",
    example=("log", "collect_*"),
)

RULE = RuleInfo(
    name="runs-more-than-once",
    code="FL402",
    category="concurrency",
    severity="warning",
    since="0.1.0",
    related=("conflicting-writes",),
    options=(REPEATABLE,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each node where such ways meet, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    repeatable = context.option(REPEATABLE)
    for rerun in reruns(context):
        if fits(rerun.node, repeatable):
            continue
        first, *_, last = rerun.ways
        before = list(dict.fromkeys(one[-1].source for one in rerun.ways))
        yield report.finding(
            last[-1].span,
            _message(rerun, graph),
            help=_cure(rerun.node, before),
            node=rerun.node,
            related=places([("over this edge it runs before", first[-1].span)]),
            witness=rerun.witness(),
        )
    yield from _arrivals(report, context)


def _arrivals(report: Report, context: RuleContext) -> Iterator[Finding]:
    """Nodes that run once for each way that comes to them, where several surely do."""
    repeatable = context.option(REPEATABLE)
    for meeting in meetings(context):
        if fits(meeting.node, repeatable):
            continue
        first, last = meeting.last
        yield report.finding(
            last.span,
            f"`{meeting.node}` runs twice, as two ways lead to it after `{meeting.fork}` and "
            f"nothing joins them: {way(meeting.ways[0])} and {way(meeting.ways[1])}.",
            help=f"let one way lead to `{meeting.node}`, or put the ways into a node that runs "
            "them side by side and waits for them",
            node=meeting.node,
            related=places([("over this edge it runs as well", first.span)]),
        )


def _message(rerun: Rerun, graph: FlowGraph) -> str:
    marker = graph.semantics.start_marker or "start"
    first, *_, last = (
        way([marker if move.source == START else move.source for move in one] + [rerun.node])
        for one in rerun.ways
    )
    times = "twice" if len(rerun.ways) == 2 else f"{len(rerun.ways)} times"
    return (
        f"`{rerun.node}` runs {times}, as ways of different length lead to it after a fork and "
        f"nothing waits for the longest: {first} and {last}."
    )


def _cure(node: str, before: list[str]) -> str:
    if START in before:
        later = [name for name in before if name != START]
        return f"lead to `{node}` only from {listing(later)}, or defer `{node}`"
    return f"let one edge to `{node}` wait for {listing(before)}, or defer `{node}`"
