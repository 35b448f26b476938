"""The nodes `__start__` and `__end__`, which do nothing but begin and end a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from flowlint.dialects.agentsflow.circles import in_circles
from flowlint.graph.model import END, START, Edge, Entry, Gap, Node, Violation
from flowlint.source import Span

MARKERS = {START: "start", END: "end"}
"""The ids of such nodes with their types."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A flow without the nodes that only mark where it begins and ends."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    entries: tuple[Entry, ...]


def without_markers(
    nodes: Sequence[Node], edges: Sequence[Edge], entries: Sequence[Entry]
) -> Marked:
    """Take the marking nodes out of a flow: what they lead to are its entries.

    Nodes of these ids that do something of their own stay what they are, but for their names.
    """
    begun = [
        Entry(
            edge.target,
            edge.target_span,
            "always" if edge.kind == "always" else edge.kind,
            edge.label,
            edge.presence,
            edge.span,
        )
        for edge in edges
        if edge.source == START and edge.target != END
    ]
    return Marked(
        tuple(node for node in nodes if node.name not in MARKERS),
        tuple(edge for edge in edges if edge.source not in MARKERS and edge.target != START),
        (*(entry for entry in entries if entry.name not in MARKERS), *begun),
    )


def only_markers(nodes: Sequence[Node], span: Span) -> Iterator[Gap]:
    """A gap that says so, where a flow has no node but such: it is not without nodes."""
    if nodes and all(node.name in MARKERS for node in nodes):
        hides: frozenset[Literal["nodes", "edges", "entry"]] = frozenset({"nodes", "entry"})
        yield Gap(span, "it only begins and ends", hides, told=True)


def undeclared_markers(
    nodes: Sequence[Node], edges: Sequence[Edge], effect: str
) -> Iterator[Violation]:
    """Edges to and from such nodes where the flow has none; `effect` is what comes of it."""
    declared = {node.name for node in nodes}
    for edge in edges:
        for name, place in ((edge.source, edge.source_span), (edge.target, edge.target_span)):
            if name in MARKERS and name not in declared:
                yield Violation(
                    place,
                    f"An edge names `{name}`, but no node has this id: {effect}",
                    f"add a node `{name}` of the type `{MARKERS[name]}`",
                    rule="dangling-edge",
                )


def marker_faults(nodes: Sequence[Node], edges: Sequence[Edge], effect: str) -> Iterator[Violation]:
    """What is wrong with edges that leave the end or lead to the start."""
    declared = {node.name for node in nodes}
    circular = in_circles(nodes, edges)
    for edge in edges:
        if edge.source != END and edge.target != START:
            continue
        if edge.source == END and edge.target not in declared | MARKERS.keys():
            yield Violation(
                edge.target_span,
                f"Edge from `{edge.source}` leads to `{edge.target}`, which is no node of this "
                f"flow: {effect}",
                "name a node of this flow, or remove the edge",
                rule="dangling-edge",
            )
        elif not edge.back and {edge.source, edge.target} <= circular:
            yield Violation(
                edge.span,
                f"The flow goes round over the edge from `{edge.source}` to `{edge.target}`: "
                f"{effect}",
                "remove the edge",
                rule="forbidden-cycle",
            )
