"""A node hands back all that it was given, to keys that add it to what they hold.

## What it does

Reports nodes that return the very state they were given, or a copy of all of it, where a key of the
state adds what is written to what it holds. The same goes for flows as nodes that give back such a
key which they took in; where nothing before them is seen to write it, this is only information.

It stays silent about keys that the node sets itself, and about reducers that know what is there
already, such as `add_messages`.

## Why is this bad

What the key holds is added to itself: lists hold everything twice, numbers double, each time the
node runs.

## Example

```python
import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str
    log: Annotated[list, operator.add]


def draft(state: State):
    return {"text": "draft", "log": ["drafted"]}


def polish(state: State):
    return {**state, "text": state["text"].title()}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("polish", polish)
builder.add_edge(START, "draft")
builder.add_edge("draft", "polish")
builder.add_edge("polish", END)
graph = builder.compile()
```

## Use instead

```python
import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str
    log: Annotated[list, operator.add]


def draft(state: State):
    return {"text": "draft", "log": ["drafted"]}


def polish(state: State):
    return {"text": state["text"].title()}


builder = StateGraph(State)
builder.add_node("draft", draft)
builder.add_node("polish", polish)
builder.add_edge(START, "draft")
builder.add_edge("draft", "polish")
builder.add_edge("polish", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.growth import Growth, growths
from flowlint.rules.options import patterns
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, listing, places

MERGING = patterns(
    "merging",
    "Keys whose reducers know what is there already.",
    example=("messages", "seen_*"),
)

RULE = RuleInfo(
    name="state-returned-whole",
    code="FL506",
    category="state",
    severity="warning",
    since="0.1.0",
    related=("conflicting-writes", "node-returns-no-state"),
    options=(MERGING,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each node once, with all the keys that grow."""
    report = Report(RULE, graph)
    yield from report.violations()
    for growth in growths(context, context.option(MERGING)):
        assert graph.state is not None
        channels = [graph.state.channels[key] for key in growth.keys]
        is_sure = growth.returned is not None or growth.fed
        yield report.finding(
            growth.returned or growth.node.name_span,
            _message(growth),
            severity="warning" if is_sure else "info",
            help=_cure(growth),
            node=growth.node.name,
            related=places([(f"`{c.key}` adds what it is given", c.span) for c in channels]),
        )


def _message(growth: Growth) -> str:
    name, keys = growth.node.name, listing(growth.keys)
    if growth.returned is not None:
        return (
            f"Node `{name}` returns all of the state that it was given: "
            f"what {keys} held is added once more."
        )
    return (
        f"Node `{name}` is a flow that takes in {keys} and gives back all of it: "
        "what it held before is added once more."
    )


def _cure(growth: Growth) -> str:
    if growth.returned is not None:
        return "return only the keys that change"
    return (
        f"leave {listing(growth.keys)} out of what the inner flow takes in or gives back, or use a "
        "reducer that knows what is there already"
    )
