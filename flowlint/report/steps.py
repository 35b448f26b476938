"""Where the steps that findings name are stated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph, Node
from flowlint.source import Span


class StepPlaces:
    """The places of nodes, by the file and the name of their flow."""

    __slots__ = ("_flows",)

    def __init__(self, graphs: Sequence[FlowGraph]) -> None:
        self._flows: dict[str, list[dict[str, Span]]] = {}
        for graph in graphs:
            nodes = {node.name: node.name_span for node in reversed(list(all_nodes(graph)))}
            self._flows.setdefault(graph.name, []).append(nodes)

    def of(self, finding: Finding, name: str) -> Span | None:
        """Where a node of the flow of a finding is named; None where that is not known."""
        flows = self._flows.get(finding.flow or "", [])
        spans = [nodes[name] for nodes in flows if name in nodes]
        near = [span for span in spans if span.path == finding.span.path]
        return next(iter(near or spans), None)


def all_nodes(graph: FlowGraph) -> Iterator[Node]:
    """The nodes of a flow and of the regions in it."""
    for node in graph.nodes:
        yield node
        for region in node.regions.values():
            yield from all_nodes(region)
