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
    names = [node.name for node in nodes]
    return set(names).difference(in_order(names, [edge for edge in edges if not edge.back]))


def in_order(names: Sequence[str], edges: Sequence[Edge]) -> list[str]:
    """The nodes, each after all that lead to it; those on circles or behind them are left out."""
    waiting = dict.fromkeys(names, 0)
    following: dict[str, list[str]] = {}
    for edge in edges:
        if edge.source in waiting and edge.target in waiting:
            waiting[edge.target] += 1
            following.setdefault(edge.source, []).append(edge.target)
    found = [name for name, count in waiting.items() if not count]
    for name in found:
        for other in following.get(name, ()):
            waiting[other] -= 1
            if not waiting[other]:
                found.append(other)
    return found
