"""Which findings belong to which part of a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from flowlint.findings.model import Finding
from flowlint.graph.model import Edge, Entry, FlowGraph, Node
from flowlint.source import Span


@dataclass(slots=True)
class Marks:
    """The findings of one flow, and the parts that they are about, each by its finding's number.

    Numbers count from 1. What `parts` do not hold is about the flow as a whole.
    """

    findings: list[Finding] = field(default_factory=list)
    parts: dict[int, list[int]] = field(default_factory=dict)

    def of(self, part: Node | Edge | Entry) -> tuple[int, ...]:
        """The numbers of the findings about a part."""
        return tuple(self.parts.get(id(part), ()))


def marks_of(
    graphs: Sequence[FlowGraph], findings: Sequence[Finding]
) -> tuple[list[Marks], list[Finding]]:
    """The marks of each flow, and the findings that are about none of them."""
    found = [Marks() for _ in graphs]
    places = [_Places(graph) for graph in graphs]
    left: list[Finding] = []
    for finding in findings:
        owners = _owners(finding, graphs, places)
        for number in owners:
            marks = found[number]
            marks.findings.append(finding)
            for part in places[number].parts(finding):
                marks.parts.setdefault(id(part), []).append(len(marks.findings))
        if not owners:
            left.append(finding)
    return found, left


def _owners(finding: Finding, graphs: Sequence[FlowGraph], places: Sequence[_Places]) -> list[int]:
    """The flows that a finding is about; several only where they cannot be told apart."""
    named = [
        number
        for number in range(len(graphs))
        if finding.flow is not None and finding.flow in places[number].names
    ]
    near = [number for number in named if places[number].holds(finding.span)] or [
        number for number in named if graphs[number].path == finding.span.path
    ]
    sure = [number for number in near if places[number].parts(finding)]
    return sure or near or named


class _Places:
    """The places of the parts of a flow, and of the regions in it."""

    def __init__(self, graph: FlowGraph) -> None:
        self.names: set[str] = set()
        self.nodes: list[Node] = []
        self.links: list[Edge | Entry] = []
        self._spans: list[Span] = []
        self._read(graph)

    def _read(self, graph: FlowGraph) -> None:
        self.names.add(graph.name)
        self.nodes += graph.nodes
        self.links += [*graph.edges, *graph.entries]
        self._spans.append(graph.span)
        for node in graph.nodes:
            for region in node.regions.values():
                self._read(region)

    def holds(self, span: Span) -> bool:
        """Whether a place is a part's or lies where the flow is built."""
        spans = [*self._spans, *(s for link in self.links for s in _spans(link))]
        spans += [s for node in self.nodes for s in (node.span, node.name_span)]
        return any(own.contains(span) for own in spans)

    def parts(self, finding: Finding) -> list[Node | Edge | Entry]:
        """The parts that a finding is about, those that its place names first."""
        span = finding.span
        links: list[Node | Edge | Entry] = [link for link in self.links if span in _ends(link)] or [
            link for link in self.links if span in _spans(link)
        ]
        if links:
            return links
        at: list[Node | Edge | Entry] = [
            node for node in self.nodes if span in (node.name_span, node.span)
        ]
        if at:
            return at[:1]
        around = list(self._around(span))
        if len(around) == 1:
            return [*around]
        named = [node for node in self.nodes if node.name == finding.node]
        return [*named[:1]] or [*around]

    def _around(self, span: Span) -> Iterator[Edge | Entry]:
        """The link whose statement holds the place, if it holds it most closely."""
        holding = [link for link in self.links if any(s.contains(span) for s in _spans(link))]
        if holding:
            sizes = [min(_lines(s) for s in _spans(link) if s.contains(span)) for link in holding]
            yield from (
                link for link, size in zip(holding, sizes, strict=True) if size == min(sizes)
            )


def _ends(link: Edge | Entry) -> tuple[Span, ...]:
    return (link.target_span, link.source_span) if isinstance(link, Edge) else (link.span,)


def _spans(link: Edge | Entry) -> tuple[Span, ...]:
    if isinstance(link, Edge):
        return (link.span, link.target_span, link.source_span)
    return (link.span,) if link.edge is None else (link.span, link.edge)


def _lines(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column
