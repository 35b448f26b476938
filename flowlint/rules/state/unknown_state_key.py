"""Code writes or reads a key that the state does not have.

## What it does

Reports keys that a node returns, or names in an update, and that no schema of the flow declares:
neither that of its state, nor those of its input and output, nor those that its nodes take.

Reports keys that nodes and routers read and are never given, as the schema that they take does not
have them, be it the state's own or a narrower one. It is an error where that raises.

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
from flowlint.graph.code import StateSchema
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.key_text import cure_of_read, cure_of_write, message_of_read, message_of_write
from flowlint.rules.options import fits, patterns
from flowlint.rules.reads import Missing, unknown_reads
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places
from flowlint.rules.unknown_keys import lost_writes, readers_of
from flowlint.source import Span

KNOWN = patterns(
    "known",
    "Keys that are there although no schema states them.",
    example=("messages", "tmp_*"),
)

RULE = RuleInfo(
    name="unknown-state-key",
    code="FL502",
    category="state",
    severity="error",
    since="0.1.0",
    options=(KNOWN,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each key once, with every node that writes it, or else with all that read it."""
    report = Report(RULE, graph)
    yield from report.violations()
    state = graph.state
    if state is None or state.whole or not graph.semantics.drops_unknown_keys:
        return
    known = context.option(KNOWN)
    lost = {
        key: writers for key, writers in lost_writes(graph, state).items() if not fits(key, known)
    }
    for key, writers in lost.items():
        node, write = writers[0]
        names = {other.name for other, _ in writers}
        found = [] if key in state.channels else readers_of(graph, key, names)
        reads = [(f"{reader.shown} reads it here", read.span) for reader, read in found]
        others = [(f"`{other.name}` writes it too", w.span) for other, w in writers[1:]]
        yield report.finding(
            write.span,
            message_of_write(graph, state, node, key, [reader for reader, _ in found]),
            severity="error" if reads else "warning",
            help=cure_of_write(state, key),
            node=node.name,
            related=places([*reads, *others]),
        )
    for several in _by_cause(graph, state):
        key = several[0].read.key
        if key in lost or fits(key, known):
            continue
        first, *rest = sorted(several, key=lambda missing: not missing.read.hard)
        yield report.finding(
            first.read.span,
            message_of_read(graph, state, first),
            severity="error" if first.read.hard else "warning",
            help=cure_of_read(state, first),
            node=first.reader.node,
            related=places([(f"{m.reader.shown} reads it too", m.read.span) for m in rest]),
        )


def _by_cause(graph: FlowGraph, state: StateSchema) -> list[list[Missing]]:
    """The reads, each place once, by the key that nobody declares, or that one schema lacks."""
    found: dict[object, list[Missing]] = {}
    seen: set[Span] = set()
    for missing in unknown_reads(graph):
        read = missing.read
        if read.span not in seen:
            seen.add(read.span)
            schema = missing.reader.may_take if read.key in state.channels else None
            found.setdefault((read.key, schema), []).append(missing)
    return list(found.values())
