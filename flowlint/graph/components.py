"""Strongly connected components and the cycles in them."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components (Tarjan, iterative), last in flow order first."""
    size = len(successors)
    number = [0] * size  # 0: not seen yet
    lowest = [0] * size
    on_stack = bytearray(size)
    position = [0] * size
    stack: list[int] = []
    found: list[list[int]] = []
    count = 0
    for root in range(size):
        if number[root]:
            continue
        work = [root]
        while work:
            vertex = work[-1]
            if not number[vertex]:
                count += 1
                number[vertex] = lowest[vertex] = count
                stack.append(vertex)
                on_stack[vertex] = 1
            following = successors[vertex]
            at = position[vertex]
            low = lowest[vertex]
            descended = False
            while at < len(following):
                target = following[at]
                if not number[target]:
                    # Not stepped over: its low mark is read when the walk comes back here.
                    work.append(target)
                    descended = True
                    break
                if on_stack[target] and lowest[target] < low:
                    low = lowest[target]
                at += 1
            position[vertex] = at
            lowest[vertex] = low
            if descended:
                continue
            work.pop()
            if low == number[vertex]:
                found.append(_unwind(stack, on_stack, vertex))
    return found


def cyclic_components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The components with a cycle in them, each sorted, first in numbering first."""
    cyclic = []
    for component in components(successors):
        if len(component) > 1 or component[0] in successors[component[0]]:
            component.sort()
            cyclic.append(component)
    cyclic.sort()
    return cyclic


def shortest_cycle(
    successors: Sequence[Sequence[int]], component: Collection[int], start: int
) -> list[int]:
    """A shortest cycle through `start` within its component; `start` stands at both ends."""
    inside = component if isinstance(component, (set, frozenset)) else set(component)
    parents: dict[int, int] = {}
    frontier = [start]
    while frontier:
        following = []
        for vertex in frontier:
            for target in successors[vertex]:
                if target == start:
                    return _way_back(parents, vertex, start)
                if target in inside and target not in parents:
                    parents[target] = vertex
                    following.append(target)
        frontier = following
    return []


def _unwind(stack: list[int], on_stack: bytearray, root: int) -> list[int]:
    component = []
    while True:
        vertex = stack.pop()
        on_stack[vertex] = 0
        component.append(vertex)
        if vertex == root:
            return component


def _way_back(parents: dict[int, int], last: int, start: int) -> list[int]:
    way = [start]
    while last != start:
        way.append(last)
        last = parents[last]
    way.append(start)
    way.reverse()
    return way
