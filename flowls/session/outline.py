"""The flows in a document as a tree: flow, nodes, regions, nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from flowlint.graph.model import FlowGraph, Node
from flowlint.source import Span
from flowls.session.session import Session
from flowls.session.sources import Sources

PartKind = Literal["flow", "node", "region"]


@dataclass(frozen=True, slots=True)
class Part:
    """A flow, a node or a region. `span` has all of it and its parts, `name_span` lies within."""

    kind: PartKind
    name: str
    detail: str
    span: Span
    name_span: Span
    parts: tuple[Part, ...] = ()


def outline(session: Session, path: str, cell: int | None = None) -> list[Part]:
    """The flows that are constructed in a document, and nodes of flows from elsewhere."""
    document = Span(path, 1, 1, 1, 1, cell)
    sources = Sources(session)
    graphs = session.graphs(path)
    own = {graph.span for graph in graphs}
    found = [
        _flow(graph, document, own, sources) for graph in graphs if _is_in(graph.span, document)
    ]
    known = {part.name_span for flow in found for part in _all(flow)}
    for one in session.known.showing_in(path):
        for graph in one.graphs:
            for node in graph.nodes if graph.span not in own else ():
                if _is_in(node.span, document):
                    part = _node(node, document, own, sources, f" of {graph.name}")
                    if part.name_span not in known:
                        known.add(part.name_span)
                        found.append(part)
    return sorted(found, key=lambda part: (part.span.line, part.span.column))


def part_of_node(node: Node, sources: Sources) -> Part:
    """A node alone."""
    return _node(replace(node, regions={}), node.span, (), sources)


def _all(part: Part) -> Iterable[Part]:
    yield part
    for inner in part.parts:
        yield from _all(inner)


def _flow(graph: FlowGraph, document: Span, own: Collection[Span], sources: Sources) -> Part:
    count = len(graph.nodes)
    detail = f"{graph.semantics.system} · {count} {'node' if count == 1 else 'nodes'}"
    return _around("flow", graph.name, detail, graph, document, own, sources)


def _around(
    kind: PartKind,
    name: str,
    detail: str,
    graph: FlowGraph,
    document: Span,
    own: Collection[Span],
    sources: Sources,
) -> Part:
    inner = [
        _node(node, document, own, sources) for node in graph.nodes if _is_in(node.span, document)
    ]
    spans = [part.span for part in inner]
    spans += [edge.span for edge in graph.edges if edge.checked]
    spans += [entry.edge or entry.span for entry in graph.entries]
    span = _hull(graph.span, (one for one in spans if _is_in(one, document)))
    return Part(kind, name, detail, span, graph.span, tuple(inner))


def _node(
    node: Node, document: Span, own: Collection[Span], sources: Sources, behind: str = ""
) -> Part:
    regions = tuple(
        _around("region", name, "region", region, document, own, sources)
        for name, region in node.regions.items()
        # What is a flow by itself stands beside the others.
        if _is_in(region.span, document) and region.span not in own
    )
    span = _hull(node.span, (region.span for region in regions))
    place = sources.name_place(node.name_span, node.name)
    name_span = place if node.span.contains(place) else node.span
    runs = f" · {node.runs.name}" if node.runs is not None else ""
    return Part("node", node.name, f"{node.kind}{runs}{behind}", span, name_span, regions)


def _is_in(span: Span, document: Span) -> bool:
    return (span.path, span.cell) == (document.path, document.cell)


def _hull(first: Span, others: Iterable[Span]) -> Span:
    start, end = (first.line, first.column), (first.end_line, first.end_column)
    for span in others:
        start = min(start, (span.line, span.column))
        end = max(end, (span.end_line, span.end_column))
    return Span(first.path, *start, *end, first.cell)
