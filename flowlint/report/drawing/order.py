"""The order of the nodes within their layers, with few crossings of links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from flowlint.report.drawing.layers import Layered

_SWEEPS = 12
_MUCH = 1500
"""Nodes and stand-ins from which on less is tried."""

_Neighbours = Mapping[int, Sequence[int]]


def arrange(found: Layered) -> None:
    """Order the layers in place."""
    layers = [list(layer) for layer in _first(found)]
    best, fewest = layers, _crossings(layers, found.below)
    small = sum(map(len, layers)) < _MUCH
    for sweep in range(_SWEEPS if small else 4):
        if fewest == 0:
            break
        layers = [list(layer) for layer in layers]
        if sweep % 2 == 0:
            for upper, layer in pairwise(layers):
                _by_middle(layer, upper, found.above)
        else:
            for lower, layer in zip(layers[:0:-1], layers[-2::-1], strict=False):
                _by_middle(layer, lower, found.below)
        if small:
            _swap(layers, found)
        crossings = _crossings(layers, found.below)
        if crossings < fewest:
            best, fewest = layers, crossings
    found.layers[:] = best


def _first(found: Layered) -> list[list[int]]:
    """The layers in the order of a walk downwards."""
    layer_of = {node: number for number, layer in enumerate(found.layers) for node in layer}
    ordered: list[list[int]] = [[] for _ in found.layers]
    seen: set[int] = set()
    for layer in found.layers:
        for root in layer:
            waiting = [root]
            while waiting:
                node = waiting.pop()
                if node in seen:
                    continue
                seen.add(node)
                ordered[layer_of[node]].append(node)
                waiting += reversed(found.below.get(node, ()))
    return ordered


def _by_middle(layer: list[int], fixed: Sequence[int], neighbours: _Neighbours) -> None:
    """Sort a layer by where its neighbours in a fixed layer are, on the average."""
    place = {node: number for number, node in enumerate(fixed)}
    here = {node: number for number, node in enumerate(layer)}
    share = len(fixed) / max(len(layer), 1)

    def middle(node: int) -> float:
        places = [place[other] for other in neighbours.get(node, ()) if other in place]
        return sum(places) / len(places) if places else here[node] * share

    layer.sort(key=middle)


def _swap(layers: list[list[int]], found: Layered) -> None:
    """Swap nodes that stand side by side wherever that saves crossings."""
    place = {node: number for layer in layers for number, node in enumerate(layer)}
    for layer in layers:
        for at in range(len(layer) - 1):
            one, other = layer[at], layer[at + 1]
            now = after = 0
            for neighbours in (found.above, found.below):
                for left in neighbours.get(one, ()):
                    for right in neighbours.get(other, ()):
                        now += place[left] > place[right]
                        after += place[left] < place[right]
            if after < now:
                layer[at], layer[at + 1] = other, one
                place[one], place[other] = at + 1, at


def _crossings(layers: Sequence[Sequence[int]], below: _Neighbours) -> int:
    total = 0
    for upper, lower in pairwise(layers):
        place = {node: number for number, node in enumerate(lower)}
        ends = [
            end
            for node in upper
            for end in sorted(place[other] for other in below.get(node, ()) if other in place)
        ]
        total += _inversions(ends, len(lower))
    return total


def _inversions(ends: Sequence[int], size: int) -> int:
    """How many pairs are in the wrong order; a binary indexed tree counts them."""
    tree = [0] * (size + 1)
    total = 0
    for seen, end in enumerate(ends):
        at, not_after = end + 1, 0
        while at:
            not_after += tree[at]
            at -= at & -at
        total += seen - not_after
        at = end + 1
        while at <= size:
            tree[at] += 1
            at += at & -at
    return total
