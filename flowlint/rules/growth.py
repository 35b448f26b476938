"""Keys that hold more and more, as nodes hand back what is there already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.graph.code import Handover, StateSchema
from flowlint.graph.index import reversed_adjacency
from flowlint.graph.model import FlowGraph, Node
from flowlint.graph.reachability import search
from flowlint.rules.context import RuleContext
from flowlint.rules.options import fits
from flowlint.source import Span


@dataclass(frozen=True, slots=True)
class Growth:
    """A node that hands back keys which add to what they hold.

    `returned` is where it returns the state itself, None for a flow as node that gives back what it
    took in. `fed` tells that some node before it is seen to write one of the keys.
    """

    node: Node
    keys: tuple[str, ...]
    returned: Span | None
    fed: bool


def growths(context: RuleContext, merging: tuple[str, ...] = ()) -> Iterator[Growth]:
    """Every such node. Nodes that are sent a state of their own are left out.

    `merging` are patterns of keys that do not grow, whatever their reducers look like.
    """
    graph, state = context.graph, context.graph.state
    if state is None:
        return
    channels = state.channels.items()
    adding = [key for key, channel in channels if channel.adds and not fits(key, merging)]
    sent = {edge.target for edge in graph.edges if edge.kind == "send"}
    for node in graph.nodes if adding else ():
        returned = node.code.returns_state if node.code is not None else None
        keys = _returned(node, adding) if returned is not None else _given_back(node, adding)
        if keys and node.name not in sent:
            fed = any(_writes(other, keys) for other in _before(graph, context, node))
            yield Growth(node, tuple(keys), returned, fed)


def _returned(node: Node, adding: list[str]) -> list[str]:
    """The keys that a node returns as it was given them."""
    if node.code is None or node.code.more_writes:
        return []
    own = {write.key for write in node.code.writes}
    given = [key for key in adding if node.takes is None or key in node.takes]
    return [key for key in given if key not in own]


def _given_back(node: Node, adding: list[str]) -> list[str]:
    """The keys that a flow as a node takes in, adds to and gives back."""
    inner = node.regions.get("subgraph")
    if inner is None or inner.state is None or inner.state.more is not None:
        return []
    if any(handover.to_parent for one in inner.nodes for handover in _handovers(one)):
        # Where it hands over to the flow around it may give back nothing of its own.
        return []
    return [key for key in adding if _passes(inner.state, key)]


def _handovers(node: Node) -> tuple[Handover, ...]:
    return node.code.handovers if node.code is not None else ()


def _passes(state: StateSchema, key: str) -> bool:
    channel = state.channels.get(key)
    if channel is None or not channel.adds:
        return False
    return all(keys is None or key in keys for keys in (state.inputs, state.outputs))


def _before(graph: FlowGraph, context: RuleContext, node: Node) -> Iterator[Node]:
    """The nodes that may run before a node does, which it may be itself."""
    index = context.index
    before = reversed_adjacency(index.successors)
    found = search(before, before[index.numbers[node.name]])
    for other in graph.nodes:
        if index.numbers[other.name] in found:
            yield other


def _writes(node: Node, keys: list[str]) -> bool:
    """Whether a node is seen to write one of the keys, itself or by a flow that it is."""
    inner = node.regions.get("subgraph")
    if inner is not None:
        given_back = inner.state.outputs if inner.state is not None else None
        kept = [key for key in keys if given_back is None or key in given_back]
        return any(_writes(other, kept) for other in inner.nodes)
    return node.code is not None and any(write.key in keys for write in node.code.writes)
