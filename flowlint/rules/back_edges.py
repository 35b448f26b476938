"""Loops whose author does not say that they lead back, where that has to be said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.graph.components import shortest_cycle
from flowlint.graph.model import END, Edge
from flowlint.rules.context import RuleContext


@dataclass(frozen=True, slots=True)
class UnmarkedLoop:
    """A part of a flow that goes round, the shortest way round it, and the edge that closes it."""

    cycle: tuple[str, ...]
    closing: Edge
    is_certain: bool


def unmarked_loops(context: RuleContext) -> Iterator[UnmarkedLoop]:
    """One loop for each part of the flow that goes round over edges not marked as leading back."""
    index = context.index
    forward = [
        [edge for edge in edges if edge.target != END and not edge.back] for edges in index.outgoing
    ]
    successors = [[index.numbers[edge.target] for edge in edges] for edges in forward]
    for members in context.cyclic(successors):
        reached = [number for number in members if number in context.ranks]
        first = min(reached, key=context.ranks.__getitem__) if reached else members[0]
        cycle = shortest_cycle(successors, frozenset(members), first)
        names = tuple(index.names[number] for number in cycle)
        closing = next(edge for edge in forward[cycle[-2]] if edge.target == names[0])
        inside = (edge for number in members for edge in forward[number])
        yield UnmarkedLoop(names, closing, all(context.is_certain(edge) for edge in inside))
