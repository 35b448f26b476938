"""What leads to a node and where it leads, over the borders of regions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.graph.model import END, START, FlowGraph, Node
from flowlint.source import Span
from flowls.session.mentions import Mentions, Symbol


@dataclass(frozen=True, slots=True)
class Stop:
    """A node or, without a name, the start of a flow."""

    flow: Span
    name: str | None

    @property
    def symbol(self) -> Symbol:
        """The stop as the name of a node."""
        return Symbol(self.flow, self.name or "")


Ways = dict[Stop, list[Span]]
"""Stops with the places that say so, in the order in which they are told."""


def graph_of(mentions: Mentions, flow: Span) -> FlowGraph | None:
    """The flow or region that is constructed at a place."""
    return next(iter(mentions.graphs.get(flow, ())), None)


def node_of(mentions: Mentions, stop: Stop) -> Node | None:
    """The node that bears a name."""
    return next(iter(mentions.nodes(stop.symbol)), None)


def ways_in(mentions: Mentions, stop: Stop) -> Ways:
    """What leads to a node: other nodes, the start, and the node whose region begins with it."""
    found: Ways = {}
    for graph in mentions.graphs.get(stop.flow, ()):
        for entry in graph.entries:
            if entry.name == stop.name:
                found.setdefault(_start(mentions, stop.flow), []).append(entry.edge or entry.span)
        for edge in graph.edges:
            if edge.target == stop.name and edge.source != START:
                found.setdefault(Stop(stop.flow, edge.source), []).append(edge.span)
    return _each_once(found)


def ways_out(mentions: Mentions, stop: Stop) -> Ways:
    """Where a node leads: to other nodes, and into its regions."""
    found: Ways = {}
    for graph in mentions.graphs.get(stop.flow, ()):
        if stop.name is None:
            for entry in graph.entries:
                if entry.name != END:
                    place = entry.edge or entry.span
                    found.setdefault(Stop(stop.flow, entry.name), []).append(place)
            continue
        for region in _regions(graph, stop.name):
            for entry in region.entries:
                place = entry.edge or entry.span
                found.setdefault(Stop(region.span, entry.name), []).append(place)
        for edge in graph.edges:
            if edge.source == stop.name and edge.target != END:
                found.setdefault(Stop(stop.flow, edge.target), []).append(edge.span)
    return _each_once(found)


def _regions(graph: FlowGraph, name: str) -> Iterator[FlowGraph]:
    for node in graph.nodes:
        if node.name == name:
            yield from node.regions.values()


def _start(mentions: Mentions, flow: Span) -> Stop:
    around = mentions.around(flow)
    return Stop(flow, None) if around is None else Stop(*around)


def _each_once(ways: Ways) -> Ways:
    return {stop: list(dict.fromkeys(spans)) for stop, spans in ways.items()}
