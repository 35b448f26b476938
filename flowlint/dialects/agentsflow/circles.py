"""Circles that are refused, for which nobody needs to be told as well that nothing begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.graph.model import Edge, Gap, Node
from flowlint.source import Span


def circles(nodes: Sequence[Node], edges: Sequence[Edge], span: Span) -> Iterator[Gap]:
    """A gap that says so, where nodes follow each other without a predicate that decides."""
    if in_circles(nodes, edges):
        yield Gap(span, "the flow goes round", frozenset({"entry"}), told=True)


def in_circles(nodes: Sequence[Node], edges: Sequence[Edge]) -> set[str]:
    """The nodes that follow themselves, and those that only come between or after such."""
    left = {node.name for node in nodes}
    plain = [edge for edge in edges if not edge.back]
    while True:
        waiting = {edge.target for edge in plain if edge.source in left and edge.target in left}
        ready = left - waiting
        if not ready:
            return left
        left -= ready
