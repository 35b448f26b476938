"""What a flow is, apart from the places where it is written and from one name in it."""

from __future__ import annotations

import re
from collections.abc import Collection

from flowlint.graph.model import Edge, FlowGraph
from flowlint.source import Span
from flowls.session.mentions import returns_names

Names = tuple[str, str]
_EITHER = "\0"
"""Stands for both names where the one may or may not have become the other."""


def shape_of(graph: FlowGraph, names: Names, flows: Collection[Span] | None) -> object:
    """What has to stay when the first of the names becomes the second in these flows.

    `flows` None: it has become so already.
    """
    is_changing = flows is not None and graph.span in flows
    old, new = names

    def named(name: str) -> str:
        return new if is_changing and name == old else name

    by_return = {
        router.choice
        for router in graph.routers
        if router.more is None or returns_names(router, graph)
    }

    def label_of(edge: Edge) -> str | None:
        # What a router is seen to return may be the name; any other case is not what it leads to.
        follows = edge.label in names and edge.choice in by_return
        return None if edge.guard is not None else _EITHER if follows else edge.label

    nodes = [
        (
            named(node.name),
            node.kind,
            node.runs.name if node.runs is not None else None,
            bool(node.presence),
            node.routes_itself,
            node.deferred,
            node.may_pause,
            node.takes,
            node.may_take,
            [(slot, shape_of(region, names, flows)) for slot, region in node.regions.items()],
        )
        for node in graph.nodes
    ]
    edges = [
        (
            named(edge.source),
            named(edge.target),
            edge.kind,
            label_of(edge),
            edge.group,
            edge.choice,
            edge.checked,
            edge.after,
            edge.certain,
        )
        for edge in graph.edges
    ]
    entries = [(named(entry.name), entry.kind, bool(entry.presence)) for entry in graph.entries]
    gaps = [(sorted(gap.hides), named(gap.node) if gap.node else None) for gap in graph.gaps]
    state = graph.state.channels.keys() if graph.state is not None else None
    steps = (graph.step_bound, graph.bounded, graph.built, graph.malformed)
    return nodes, edges, entries, gaps, state and sorted(state), steps, len(graph.violations)


def guards_of(graph: FlowGraph, names: Names) -> object:
    """What the edges of a flow compare with; of which node's output they do so does not count."""
    outputs = re.compile(rf"(outputs|results)(\W+)(?:{'|'.join(map(re.escape, names))})\b")
    own = [
        outputs.sub(r"\1", repr(edge.guard.formula))
        for edge in graph.edges
        if edge.guard is not None
    ]
    inner = [guards_of(r, names) for node in graph.nodes for r in node.regions.values()]
    return own, inner
