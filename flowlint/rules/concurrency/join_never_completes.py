"""No run ever comes to all the nodes that an edge waits for.

## What it does

Reports an edge that waits for several nodes, where every run comes to some of them only: a router
chooses among them, or one of them never runs. An edge that can be complete once, and then not
again though a loop leads back to some of its nodes, is a warning.

It follows every way through the flow, and stays silent where a router's choices or what a node
leads on to cannot be told.

## Why is this bad

What the edge leads to never runs. The run ends there and reports success.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    kind: str


def classify(state: State):
    return {"kind": "bug"}


def fix(state: State):
    return None


def answer(state: State):
    return None


def report(state: State):
    return None


def route(state: State):
    return "fix" if state["kind"] == "bug" else "answer"


builder = StateGraph(State)
builder.add_node("classify", classify)
builder.add_node("fix", fix)
builder.add_node("answer", answer)
builder.add_node("report", report)
builder.add_edge(START, "classify")
builder.add_conditional_edges("classify", route, ["fix", "answer"])
builder.add_edge(["fix", "answer"], "report")
builder.add_edge("report", END)
graph = builder.compile()
```

## Use instead

Where only one of the nodes runs, give each an edge of its own.

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    kind: str


def classify(state: State):
    return {"kind": "bug"}


def fix(state: State):
    return None


def answer(state: State):
    return None


def report(state: State):
    return None


def route(state: State):
    return "fix" if state["kind"] == "bug" else "answer"


builder = StateGraph(State)
builder.add_node("classify", classify)
builder.add_node("fix", fix)
builder.add_node("answer", answer)
builder.add_node("report", report)
builder.add_edge(START, "classify")
builder.add_conditional_edges("classify", route, ["fix", "answer"])
builder.add_edge("fix", "report")
builder.add_edge("answer", "report")
builder.add_edge("report", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.joins import VainJoin, vain_joins
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, listing, places

RULE = RuleInfo(
    name="join-never-completes",
    code="FL401",
    category="concurrency",
    severity="error",
    since="0.1.0",
    related=("unreachable-node", "runs-more-than-once"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each edge that waits in vain, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    for vain in context.shared(vain_joins):
        sources = listing(list(dict.fromkeys(edge.source for edge in vain.join.edges)))
        absent = [
            (f"`{name}` never runs{' again' if vain.once else ''}", context.nodes[name].name_span)
            for name in vain.absent
            if name in context.nodes
        ]
        yield report.finding(
            vain.join.edges[0].span,
            f"The edge to `{vain.join.target}` waits for {sources}, but {_reason(vain)}.",
            severity="warning" if vain.once else "error",
            help=_cure(vain),
            node=vain.join.target,
            related=places(absent),
            witness=vain.witness,
        )


def _reason(vain: VainJoin) -> str:
    absent, came = listing(vain.absent), listing(vain.came)
    verb = "runs" if len(vain.came) == 1 else "run"
    if vain.once:
        return (
            f"after the first time only {came} {verb} again and not {absent}: the run then ends "
            "there and reports success"
        )
    effect = f"`{vain.join.target}` never runs, and the run ends without it and reports success"
    if vain.runs:
        effect = "the edge is never taken"
    if absent:
        never = "never runs" if len(vain.absent) == 1 else "never run"
        return f"{absent} {never}: {effect}"
    if len(vain.rivals) == 2:
        which = "" if len(vain.join.sources) == 2 else f" {listing(vain.rivals)}"
        return f"no run comes to both{which}: {effect}"
    return f"no run comes to all of them: {effect}"


def _cure(vain: VainJoin) -> str:
    target = vain.join.target
    if vain.once:
        return f"lead back to all that `{target}` waits for, or to `{target}` by a plain edge too"
    if vain.absent:
        return f"lead to {listing(vain.absent)}, or do not wait for what never runs"
    return f"give each of them an edge of its own to `{target}`"
