"""How far to the right each node of a layered drawing goes.

After U. Brandes and B. Köpf, Fast and Simple Horizontal Coordinate Assignment (2001): nodes are
lined up with the median of their neighbours in four ways, and each takes the mean of the two middle
ones of the four places. Links that pass several layers become straight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from flowlint.report.drawing.layers import Layered

_Neighbours = Mapping[int, Sequence[int]]


def columns(found: Layered, widths: Sequence[float], gap: float) -> list[float]:
    """The middle of each node and stand-in, from 0 on."""
    conflicts = _conflicts(found)
    ways: list[dict[int, float]] = []
    for downwards in (True, False):
        layers = found.layers if downwards else found.layers[::-1]
        neighbours = found.above if downwards else found.below
        for leftwards in (True, False):
            ordered = layers if leftwards else [layer[::-1] for layer in layers]
            roots = _aligned(ordered, neighbours, conflicts)
            places = _packed(ordered, roots, widths, gap)
            ways.append(places if leftwards else {node: -x for node, x in places.items()})
    _line_up(ways, widths)
    middles = [0.0] * len(widths)
    for node in range(len(widths)):
        places4 = sorted(way[node] for way in ways)
        middles[node] = (places4[1] + places4[2]) / 2
    first = min((x - widths[node] / 2 for node, x in enumerate(middles)), default=0.0)
    return [x - first for x in middles]


def _line_up(ways: list[dict[int, float]], widths: Sequence[float]) -> None:
    """Shift the four so that they share an edge with the narrowest of them."""

    def bounds(way: dict[int, float]) -> tuple[float, float]:
        low = min((x - widths[node] / 2 for node, x in way.items()), default=0.0)
        high = max((x + widths[node] / 2 for node, x in way.items()), default=0.0)
        return low, high

    low, high = min(map(bounds, ways), key=lambda pair: pair[1] - pair[0])
    for number, way in enumerate(ways):
        own = bounds(way)
        shift = low - own[0] if number % 2 == 0 else high - own[1]
        for node in way:
            way[node] += shift


def _conflicts(found: Layered) -> set[tuple[int, int]]:
    """Links between nodes that cross one between stand-ins: the latter is to be straight."""
    conflicts: set[tuple[int, int]] = set()
    for upper, lower in zip(found.layers, found.layers[1:], strict=False):
        place = {node: number for number, node in enumerate(upper)}
        left, begin = 0, 0
        for at, node in enumerate(lower):
            inner = _inner(found, node, place)
            if inner is None and at < len(lower) - 1:
                continue
            right = place[inner] if inner is not None else len(upper)
            for checked in lower[begin : at + 1]:
                for other in found.above.get(checked, ()):
                    crosses = not left <= place[other] <= right
                    if crosses and not (checked >= found.count and other >= found.count):
                        conflicts.add((other, checked))
            begin, left = at + 1, right
    return conflicts


def _inner(found: Layered, node: int, place: Mapping[int, int]) -> int | None:
    """The stand-in above a stand-in."""
    if node < found.count:
        return None
    return next((o for o in found.above.get(node, ()) if o >= found.count and o in place), None)


def _aligned(
    layers: Sequence[Sequence[int]], neighbours: _Neighbours, conflicts: set[tuple[int, int]]
) -> dict[int, int]:
    """For each node the root of the column that it stands in."""
    place = {node: number for layer in layers for number, node in enumerate(layer)}
    root = {node: node for node in place}
    taken: set[int] = set()
    for layer in layers:
        last = -1
        for node in layer:
            others = sorted(neighbours.get(node, ()), key=place.__getitem__)
            middle = (len(others) - 1) // 2
            for other in others[middle : len(others) // 2 + 1]:
                free = root[node] == node and other not in taken and last < place[other]
                if free and (node, other) not in conflicts and (other, node) not in conflicts:
                    root[node] = root[other]
                    taken.add(other)
                    last = place[other]
    return root


def _packed(
    layers: Sequence[Sequence[int]], root: Mapping[int, int], widths: Sequence[float], gap: float
) -> dict[int, float]:
    """The columns as far to the left as they go, and then drawn towards their right neighbours."""
    after: dict[int, dict[int, float]] = {node: {} for node in root.values()}
    before: dict[int, dict[int, float]] = {node: {} for node in root.values()}
    for layer in layers:
        for one, other in pairwise(layer):
            room = (widths[one] + widths[other]) / 2 + gap
            left, right = root[one], root[other]
            after[left][right] = before[right][left] = max(after[left].get(right, 0.0), room)
    order = _topological(after, before)
    x: dict[int, float] = {}
    for node in order:
        x[node] = max((x[left] + room for left, room in before[node].items()), default=0.0)
    for node in reversed(order):
        room_left = min((x[right] - room for right, room in after[node].items()), default=x[node])
        x[node] = max(x[node], room_left)
    return {node: x[root[node]] for node in root}


def _topological(
    after: Mapping[int, Mapping[int, float]], before: Mapping[int, Mapping[int, float]]
) -> list[int]:
    waiting = {node: len(lefts) for node, lefts in before.items()}
    ready = [node for node, number in waiting.items() if not number]
    order: list[int] = []
    while ready:
        node = ready.pop()
        order.append(node)
        for right in after[node]:
            waiting[right] -= 1
            if not waiting[right]:
                ready.append(right)
    return order
