"""Two nodes of one step write a state key that takes one value per step.

## What it does

In systems that run what is due side by side, reports nodes that run in the same step and write the
same key of the state, where that key has nothing that puts several values together, or where both
write past what does.

It is an error where the nodes surely run together and surely write the key. It is a warning where
that depends on a choice, on a test, or on what a node's code comes to. Where a router may choose
what runs, only one choice is assumed.

## Why is this bad

The run raises, also if both values are equal. It may do so only now and then, when the ways that
meet are taken.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    topic: str
    notes: str


def search(state: State):
    return {"notes": f"found on {state['topic']}"}


def recall(state: State):
    return {"notes": f"known of {state['topic']}"}


builder = StateGraph(State)
builder.add_node("search", search)
builder.add_node("recall", recall)
builder.add_edge(START, "search")
builder.add_edge(START, "recall")
builder.add_edge("search", END)
builder.add_edge("recall", END)
graph = builder.compile()
```

## Use instead

```python
import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    topic: str
    notes: Annotated[list[str], operator.add]


def search(state: State):
    return {"notes": [f"found on {state['topic']}"]}


def recall(state: State):
    return {"notes": [f"known of {state['topic']}"]}


builder = StateGraph(State)
builder.add_node("search", search)
builder.add_node("recall", recall)
builder.add_edge(START, "search")
builder.add_edge(START, "recall")
builder.add_edge("search", END)
builder.add_edge("recall", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.clash_text import cure_of, message_of, places_of, related_to, witness_of
from flowlint.rules.clashes import clashes
from flowlint.rules.context import RuleContext
from flowlint.rules.options import fits, patterns
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places

IGNORE = patterns(
    "ignore",
    "Keys that two nodes of one step never both write, whatever it looks like.",
    example=("cache", "debug_*"),
)

RULE = RuleInfo(
    name="conflicting-writes",
    code="FL403",
    category="concurrency",
    severity="error",
    since="0.1.0",
    options=(IGNORE,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each group of nodes that clash, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    ignored = context.option(IGNORE)
    for found in context.shared(clashes):
        clash = replace(found, keys=tuple(key for key in found.keys if not fits(key, ignored)))
        if not clash.keys:
            continue
        place = places_of(clash, context)
        yield report.finding(
            place[0],
            message_of(clash, context),
            severity="error" if clash.sure else "warning",
            help=cure_of(clash, context),
            node=clash.nodes[-1],
            related=places(related_to(clash, context, place)),
            witness=witness_of(clash, context),
        )
