"""All changes of flows that are offered at a place."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.graph.model import FlowGraph
from flowlint.source import Span
from flowls.session.offers import Offer
from flowls.session.refactoring.adding import default_edges, missing_nodes
from flowls.session.refactoring.extracting import extractions
from flowls.session.refactoring.place import At
from flowls.session.refactoring.switching import switches
from flowls.session.refactoring.writing import writing
from flowls.session.session import Session
from flowls.session.sources import Sources


def refactorings(session: Session, place: Span) -> Iterator[Offer]:
    """What can be done to the flows that are written at a place, each once."""
    graphs = [graph for graph in _all(session.graphs(place.path)) if graph.span.cell == place.cell]
    if not graphs:
        return
    written = writing(place.path, place.cell, Sources(session).lines(place))
    if written is None:
        return
    at = At(place, written)
    seen: set[str] = set()
    for graph in graphs:
        for offers in (
            missing_nodes(at, graph),
            default_edges(at, graph),
            switches(at, graph, session.files),
            extractions(at, graph),
        ):
            for offer in offers:
                if offer.key not in seen:
                    seen.add(offer.key)
                    yield offer


def _all(graphs: tuple[FlowGraph, ...]) -> Iterator[FlowGraph]:
    for graph in graphs:
        yield graph
        for node in graph.nodes:
            yield from _all(tuple(node.regions.values()))
