"""What can be reached from where, and the shortest way that shows it.

A join of several sources counts as reached when any of its sources is: whether the others
arrive too is another question, and saying "unreachable" must never be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

UNREACHED = -2
ORIGIN = -1


def search(successors: Sequence[Sequence[int]], origins: Iterable[int]) -> list[int]:
    """Breadth first from the origins: for each vertex the one it was first reached from.

    `ORIGIN` stands at the origins themselves, `UNREACHED` where no way leads.
    """
    parents = [UNREACHED] * len(successors)
    frontier = []
    for origin in origins:
        if parents[origin] == UNREACHED:
            parents[origin] = ORIGIN
            frontier.append(origin)
    while frontier:
        following = []
        for vertex in frontier:
            for target in successors[vertex]:
                if parents[target] == UNREACHED:
                    parents[target] = vertex
                    following.append(target)
        frontier = following
    return parents


def path_to(parents: Sequence[int], vertex: int, limit: int = 50) -> list[int] | None:
    """The shortest way from an origin to `vertex`, both included; None when there is none.

    Of a way longer than `limit` only the last vertices are given, so that many ways through a
    huge graph stay cheap.
    """
    if parents[vertex] == UNREACHED:
        return None
    way = [vertex]
    while (parent := parents[vertex]) != ORIGIN and len(way) < limit:
        way.append(parent)
        vertex = parent
    way.reverse()
    return way
