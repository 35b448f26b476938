"""What can be reached from where, and the shortest way that shows it.

A join of several sources counts as reached when any of its sources is: whether the others
arrive too is another question, and saying "unreachable" must never be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

UNREACHED = -2
ORIGIN = -1


@dataclass(frozen=True, slots=True)
class Reach:
    """What a search came to.

    `parents` holds for each vertex the one it was first reached from: `ORIGIN` at the origins
    themselves, `UNREACHED` where no way leads. `order` holds the reached ones, nearest first.
    """

    parents: list[int]
    order: list[int]

    def __contains__(self, vertex: int) -> bool:
        return self.parents[vertex] != UNREACHED

    def path_to(self, vertex: int, limit: int = 50) -> list[int] | None:
        """The shortest way from an origin to `vertex`, both included; None when there is none.

        Of a way longer than `limit` only the last vertices are given, so that many ways through
        a huge graph stay cheap.
        """
        if vertex not in self:
            return None
        way = [vertex]
        while (parent := self.parents[vertex]) != ORIGIN and len(way) < limit:
            way.append(parent)
            vertex = parent
        way.reverse()
        return way


def search(successors: Sequence[Sequence[int]], origins: Iterable[int]) -> Reach:
    """Breadth first from the origins."""
    parents = [UNREACHED] * len(successors)
    order = []
    for origin in origins:
        if parents[origin] == UNREACHED:
            parents[origin] = ORIGIN
            order.append(origin)
    for vertex in order:
        for target in successors[vertex]:
            if parents[target] == UNREACHED:
                parents[target] = vertex
                order.append(target)
    return Reach(parents, order)
