"""Keys of the state that code reads, and that are never there for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.graph.code import Read
from flowlint.graph.index import reversed_adjacency
from flowlint.graph.model import START, FlowGraph, Node
from flowlint.graph.reachability import search
from flowlint.rules.context import RuleContext
from flowlint.rules.router_text import subject_of


@dataclass(frozen=True, slots=True)
class Reader:
    """A node or router that is given the state of the flow, with what it reads of it.

    `node` is None for a router of the start. `ran` tells that the node has run when it reads.
    """

    subject: str
    node: str | None
    reads: tuple[Read, ...]
    may_take: frozenset[str] | None
    ran: bool = False

    @property
    def shown(self) -> str:
        """The same within a sentence."""
        return self.subject.removeprefix("Node ") if not self.ran else f"t{self.subject[1:]}"


@dataclass(frozen=True, slots=True)
class Missing:
    """A read of a key that is never there."""

    reader: Reader
    read: Read


def readers(graph: FlowGraph) -> Iterator[Reader]:
    """The nodes and routers with what they read, but for those that may be sent another state."""
    sent = _may_be_sent(graph)
    for node in graph.nodes:
        if node.code is not None and node.name not in sent:
            yield Reader(f"Node `{node.name}`", node.name, node.code.reads, node.may_take)
    for router in graph.routers:
        source = router.source if router.source != START else None
        if source not in sent:
            yield Reader(subject_of(router), source, router.reads, router.may_take, ran=True)


def _may_be_sent(graph: FlowGraph) -> set[str]:
    """The nodes that may be sent a state of their own, as far as can be seen."""
    unseen = {node.name for node in graph.nodes if node.code is None or node.code.more_handovers}
    choices = {
        router.choice
        for router in graph.routers
        if router.definition is None
        or (router.more is not None and any(route.sends for route in router.routes))
    }
    found = {
        edge.target
        for edge in graph.edges
        if edge.kind == "send"
        or (edge.kind == "goto" and edge.source in unseen)
        or (edge.kind == "case" and edge.choice in choices)
    }
    return found | {
        entry.name
        for entry in graph.entries
        if entry.kind == "send" or (entry.kind == "case" and entry.choice in choices)
    }


def reads_of(reader: Reader) -> Iterator[Read]:
    """What a reader reads, each key once, but for what it is only read of where it is there."""
    asked = {read.key for read in reader.reads if read.how == "asked"}
    soft = {read.key for read in reader.reads if read.how == "get"}
    seen = {*asked}
    for read in reader.reads:
        if read.how == "dot" or read.key in seen or (read.how == "item" and read.key in soft):
            continue
        seen.add(read.key)
        yield read


def unknown_reads(graph: FlowGraph) -> Iterator[Missing]:
    """The reads of keys that a node or router is never given, whatever ran before."""
    if graph.hides("targets") or graph.hides("edges"):
        return
    for reader in readers(graph):
        if reader.may_take is not None:
            for read in reads_of(reader):
                if read.key not in reader.may_take:
                    yield Missing(reader, read)


def early_reads(graph: FlowGraph, context: RuleContext) -> Iterator[Missing]:
    """The reads that need a key which neither the input nor any node before can have brought."""
    state = graph.state
    if state is None or state.may_input is None or graph.gaps:
        return
    late = {
        key
        for key, channel in state.channels.items()
        if channel.kind == "last" and key not in state.may_input
    }
    for reader in readers(graph) if late else ():
        for read in reads_of(reader):
            needs = read.hard and read.how == "item" and read.key in late
            if needs and reader.may_take is not None and read.key in reader.may_take:
                if not any(_may_write(node, read.key) for node in _before(reader, context)):
                    yield Missing(reader, read)


def _before(reader: Reader, context: RuleContext) -> Iterator[Node]:
    """The nodes that may have run when something is read."""
    index = context.index
    if reader.node is None or reader.node not in index.numbers:
        return
    before = reversed_adjacency(index.successors)
    number = index.numbers[reader.node]
    found = search(before, [number] if reader.ran else before[number])
    for node in context.graph.nodes:
        if index.numbers[node.name] in found:
            yield node


def _may_write(node: Node, key: str) -> bool:
    inner = node.regions.get("subgraph")
    if inner is not None and inner.state is not None and inner.state.more is None:
        return key in inner.state.channels
    if node.code is None or node.code.more_writes:
        return True
    return any(write.key == key for write in node.code.writes)
