"""A node or router needs a key of the state that nothing before it can have written.

## What it does

Reports keys that code reads and cannot do without, where the input of the flow does not have them
and no node that may have run before writes them.

It stays silent about keys that have a value from the start, such as those that add up what they are
given, and wherever it is not fully seen what runs or what it writes.

## Why is this bad

The run raises there, the first time at least.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class Question(TypedDict):
    question: str


class State(TypedDict):
    question: str
    sources: list[str]
    answer: str


def answer(state: State):
    return {"answer": ", ".join(state["sources"])}


def search(state: State):
    return {"sources": [state["question"]]}


builder = StateGraph(State, input_schema=Question)
builder.add_node("answer", answer)
builder.add_node("search", search)
builder.add_edge(START, "answer")
builder.add_edge("answer", "search")
builder.add_edge("search", END)
graph = builder.compile()
```

## Use instead

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class Question(TypedDict):
    question: str


class State(TypedDict):
    question: str
    sources: list[str]
    answer: str


def answer(state: State):
    return {"answer": ", ".join(state["sources"])}


def search(state: State):
    return {"sources": [state["question"]]}


builder = StateGraph(State, input_schema=Question)
builder.add_node("answer", answer)
builder.add_node("search", search)
builder.add_edge(START, "search")
builder.add_edge("search", "answer")
builder.add_edge("answer", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.options import fits, patterns
from flowlint.rules.reads import early_reads
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, listing, places

GIVEN = patterns(
    "given",
    "Keys that whoever runs the flow always hands in.",
    example=("user_id", "config_*"),
)

RULE = RuleInfo(
    name="state-read-before-write",
    code="FL501",
    category="state",
    severity="warning",
    since="0.1.0",
    options=(GIVEN,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each key once for each node or router."""
    report = Report(RULE, graph)
    yield from report.violations()
    error = graph.semantics.missing_key_error
    if error is None or graph.state is None:
        return
    given = context.option(GIVEN)
    for missing in early_reads(graph, context):
        key = missing.read.key
        if fits(key, given):
            continue
        writers = [
            node
            for node in graph.nodes
            if node.code is not None and any(write.key == key for write in node.code.writes)
        ]
        names = [node.name for node in writers]
        yield report.finding(
            missing.read.span,
            f"{missing.reader.subject} needs `{key}`, which neither the input nor a node before it "
            f"gives: the run raises {error}.",
            help=f"let {listing(names)} run before it" if names else f"let a node write `{key}`",
            node=missing.reader.node,
            related=places([(f"`{key}` is declared here", graph.state.channels[key].span)]),
        )
