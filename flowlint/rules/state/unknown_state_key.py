"""A node writes a key that the state does not have.

## What it does

Reports keys that a node returns, or names in an update, and that no schema of the flow declares:
neither that of its state, nor those of its input and output, nor those that its nodes take.

It stays silent where a schema, or what a node takes, is not fully seen.

## Why is this bad

The system drops the value without a word: whoever reads the key later finds nothing. Mostly the
key is misspelled, or was forgotten in the schema.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    topic: str
    summary: str


def summarize(state: State):
    return {"sumary": state["topic"][:10]}


builder = StateGraph(State)
builder.add_node("summarize", summarize)
builder.add_edge(START, "summarize")
builder.add_edge("summarize", END)
graph = builder.compile()
```

## Use instead

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    topic: str
    summary: str


def summarize(state: State):
    return {"summary": state["topic"][:10]}


builder = StateGraph(State)
builder.add_node("summarize", summarize)
builder.add_edge(START, "summarize")
builder.add_edge("summarize", END)
graph = builder.compile()
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.code import StateSchema, Write
from flowlint.graph.model import FlowGraph, Node
from flowlint.graph.names import NearNames
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places
from flowlint.source import Span

RULE = RuleInfo(
    name="unknown-state-key",
    code="FL502",
    category="state",
    severity="warning",
    since="0.1.0",
    related=("node-returns-no-state",),
)


def check(graph: FlowGraph, _context: RuleContext) -> Iterator[Finding]:
    """Report each key once, with every node that writes it."""
    report = Report(RULE, graph)
    yield from report.violations()
    state = graph.state
    if state is None or state.whole or not graph.semantics.drops_unknown_keys:
        return
    near = NearNames([key for key, channel in state.channels.items() if channel.kind != "managed"])
    for key, writers in _lost(graph, state).items():
        node, write = writers[0]
        names = {other.name for other, _ in writers}
        readers = [] if key in state.channels else _readers(graph, key, names)
        others = [(f"`{other.name}` writes it too", w.span) for other, w in writers[1:]]
        yield report.finding(
            write.span,
            _message(graph, state, node, key, bool(readers)),
            severity="error" if readers else "warning",
            help=_cure(state, key, near),
            node=node.name,
            related=places([*readers, *others]),
        )


def _lost(graph: FlowGraph, state: StateSchema) -> dict[str, list[tuple[Node, Write]]]:
    """The keys that are written in vain, in the order of the nodes, each place once."""
    found: dict[str, list[tuple[Node, Write]]] = {}
    seen: set[tuple[str, Span]] = set()
    for node in graph.nodes:
        for write in node.code.writes if node.code is not None else ():
            channel = state.channels.get(write.key)
            if channel is None and state.more is not None:
                continue
            if channel is not None and channel.kind != "managed":
                continue
            if (write.key, write.span) not in seen:
                seen.add((write.key, write.span))
                found.setdefault(write.key, []).append((node, write))
    return found


def _readers(graph: FlowGraph, key: str, writers: set[str]) -> list[tuple[str, Span]]:
    """Where other nodes read a key, but for those that may be sent a state of their own."""
    left_out = writers | {edge.target for edge in graph.edges if edge.kind == "send"}
    if graph.hides("targets") or graph.hides("edges"):
        return []
    return [
        (f"`{node.name}` reads it here", read.span)
        for node in graph.nodes
        if node.code is not None and node.name not in left_out
        for read in node.code.reads
        if read.key == key
    ]


def _message(graph: FlowGraph, state: StateSchema, node: Node, key: str, is_read: bool) -> str:
    system = graph.semantics.system
    if key in state.channels:
        return (
            f"Node `{node.name}` writes `{key}`, to which {system} itself gives the value: "
            "what is written is dropped."
        )
    among = f"`{state.name}`" if state.name else "the state"
    also = ", though another node reads it" if is_read else ""
    return (
        f"Node `{node.name}` writes `{key}`, which is no key of {among}: "
        f"{system} {graph.semantics.unknown_key_effect}{also}."
    )


def _cure(state: StateSchema, key: str, near: NearNames) -> str:
    if key in state.channels:
        return f"leave `{key}` out of the update"
    meant = near.of(key)
    if meant is not None:
        return f"did you mean `{meant}`?"
    where = f"`{state.name}`" if state.name else "the schema of the state"
    return f"declare `{key}` in {where}, or leave it out of the update"
