"""The flow does not say where it begins.

## What it does

Reports a flow that has nodes but no entry.

## Why is this bad

Without an entry no node can ever run. The systems refuse such a flow when it is built.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, StateGraph


class State(TypedDict):
    text: str


def collect(state: State):
    return {"text": "collected"}


builder = StateGraph(State)
builder.add_node("collect", collect)
builder.add_edge("collect", END)
graph = builder.compile()
```

## Use instead

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def collect(state: State):
    return {"text": "collected"}


builder = StateGraph(State)
builder.add_node("collect", collect)
builder.add_edge(START, "collect")
builder.add_edge("collect", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import ALWAYS, START, FlowGraph
from flowlint.graph.names import letters
from flowlint.rules.consequences import is_rejection_proven, rejects
from flowlint.rules.context import RuleContext
from flowlint.rules.presence import absence, is_plausible, text_of
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="missing-entry", code="FL102", category="structure", severity="error", since="0.1.0"
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report a flow without entry, or without one under some tests."""
    report = Report(RULE, graph)
    yield from report.violations()
    semantics = graph.semantics
    if graph.hides("entry") or graph.hides("edges"):
        return
    # Nobody builds it here: it may well be given its entry where somebody does.
    if not graph.built:
        return
    if not graph.nodes and (semantics.on_empty != "allowed" or graph.gaps):
        return
    is_rejected = semantics.on_missing_entry == "rejected"
    if is_rejected and not is_rejection_proven(graph):
        return
    # The name of the marker instead of the marker itself is told as an unknown name.
    start = letters(semantics.start_marker or "")
    if start and any(letters(absent.name) == start for absent in context.absent):
        return
    presences = [entry.presence for entry in graph.entries]
    presences += [edge.presence for edge in graph.edges if edge.source == START]
    lacking = absence(ALWAYS, presences)
    if lacking is None or not is_plausible(lacking, ALWAYS, presences):
        return
    when = f" {text_of(lacking)}" if lacking else ""
    consequence = rejects(graph) if is_rejected else "no node ever runs"
    if semantics.no_entry_error is not None:
        consequence = f"every run fails with {semantics.no_entry_error}"
    yield report.finding(
        graph.entry_span or graph.span,
        f"Flow `{graph.name}` has no entry{when}: {consequence}.",
        severity="warning" if lacking else "error",
        help=_cure(graph, context),
    )


def _cure(graph: FlowGraph, context: RuleContext) -> str:
    followed = {edge.target for edge in graph.edges}
    first = next((name for name in context.nodes if name not in followed), None)
    start = graph.semantics.start_marker
    if graph.semantics.start_kind is not None:
        leading = f" that leads to `{first}`" if first else ""
        return f"add a node of type `{graph.semantics.start_kind}`{leading}"
    if start is None:
        return f"name the first node as entry{f', such as `{first}`' if first else ''}"
    return f"add an edge from {start} to the first node{f', such as `{first}`' if first else ''}"
