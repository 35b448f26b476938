"""The fewest supersteps that any run takes.

A run lasts as long as the longest of the ways that it surely takes, and each of its choices may
be made so that it is short: the least solution of equations of minimum and maximum. Knuth's
generalisation of Dijkstra's algorithm (Information Processing Letters 6, 1977) finds it in
O(E log V), also where the flow goes round.
"""

from __future__ import annotations

from collections.abc import Collection
from heapq import heappop, heappush

from flowlint.graph.model import START
from flowlint.graph.supersteps import Leaving, Steps


def fewest_steps(steps: Steps, stops: Collection[str] = ()) -> list[str] | None:
    """Nodes that run one after the other in as many supersteps as every run takes at least.

    None where no run ever ends. At the nodes in `stops` a run may end whatever follows. What waits
    for several nodes is left out, so there may be no run that is as short.
    """
    demands = {
        name: [] if name in stops else _demands(leaving) for name, leaving in steps.leaving.items()
    }
    asked: dict[str, list[tuple[str, int]]] = {}
    for name, needed in demands.items():
        for number, targets in enumerate(needed):
            for target in targets:
                asked.setdefault(target, []).append((name, number))
    missing = {name: len(needed) for name, needed in demands.items()}
    longest = dict.fromkeys(demands, 0)
    followed: dict[str, str] = {}
    met: set[tuple[str, int]] = set()
    settled: set[str] = set()
    heap = [(1, name) for name, count in missing.items() if not count]
    heap.sort()
    while heap:
        length, name = heappop(heap)
        if name in settled:
            continue
        settled.add(name)
        if name == START:
            return _way(followed)
        for demand in asked.get(name, ()):
            if demand in met:
                continue
            met.add(demand)
            owner = demand[0]
            missing[owner] -= 1
            if length > longest[owner]:
                longest[owner] = length
                followed[owner] = name
            if not missing[owner]:
                heappush(heap, (longest[owner] + 1, owner))
    return None


def _demands(leaving: Leaving) -> list[frozenset[str]]:
    """Sets of nodes of each of which one surely follows."""
    sure = [frozenset({move.target}) for move in leaving.certain if not move.presence]
    for choice in leaving.choices:
        if choice.idle or choice.open or any(move.presence for move in choice.moves):
            continue
        sure.append(frozenset(move.target for move in choice.moves))
    return sure


def _way(followed: dict[str, str]) -> list[str]:
    way: list[str] = []
    name: str | None = followed.get(START)
    while name is not None:
        way.append(name)
        name = followed.get(name)
    return way
