"""Which layer each node of a drawing is in, so that links lead down from layer to layer.

Links that close a loop are turned round first. Links that pass layers get a stand-in in each of
them. Nodes are in layers of even numbers; the odd ones between them have room for labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

STEP = 2


@dataclass(frozen=True, slots=True)
class Link:
    """A link from one node to another, by number, with the room its label takes."""

    source: int
    target: int
    label_width: float = 0.0
    label_height: float = 0.0


@dataclass(slots=True)
class Layered:
    """Nodes and stand-ins by layer, and the chain of them that each link runs along.

    Stand-ins are numbered on from the nodes. `chains` lead downwards; those of links in `turned`
    begin at the link's target. `labels` tells the stand-in that holds the label of a link. Links
    from a node to itself have no chain.
    """

    count: int
    layers: list[list[int]]
    chains: dict[int, list[int]] = field(default_factory=dict)
    turned: set[int] = field(default_factory=set)
    labels: dict[int, int] = field(default_factory=dict)
    above: dict[int, list[int]] = field(default_factory=dict)
    below: dict[int, list[int]] = field(default_factory=dict)


def layered(count: int, links: Sequence[Link]) -> Layered:
    """Put `count` nodes into layers; those that come first are put on top where there is choice."""
    turned = _closing(count, links)
    layer_of = _longest(count, links, turned)
    layers: list[list[int]] = [[] for _ in range(max(layer_of, default=0) + 1)]
    found = Layered(count, layers, turned=turned)
    for node in range(count):
        layers[layer_of[node]].append(node)
    for number, link in enumerate(links):
        if link.source != link.target:
            _chain(found, number, link, layer_of)
    return found


def _chain(found: Layered, number: int, link: Link, layer_of: list[int]) -> None:
    turned = number in found.turned
    upper, lower = (link.target, link.source) if turned else (link.source, link.target)
    chain = [upper]
    first, last = layer_of[upper] + 1, layer_of[lower] - 1
    for layer in range(first, last + 1):
        stand_in = len(layer_of)
        layer_of.append(layer)
        found.layers[layer].append(stand_in)
        chain.append(stand_in)
    chain.append(lower)
    found.chains[number] = chain
    found.labels[number] = chain[-2] if turned else chain[1]
    for one, other in pairwise(chain):
        found.below.setdefault(one, []).append(other)
        found.above.setdefault(other, []).append(one)


def _closing(count: int, links: Sequence[Link]) -> set[int]:
    """The links that lead back to where a walk from the first nodes has come from."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    entered = [False] * count
    for number, link in enumerate(links):
        leaving[link.source].append(number)
        entered[link.target] |= link.source != link.target
    order = sorted(range(count), key=lambda node: entered[node])
    seen, on_way = [False] * count, [False] * count
    closing: set[int] = set()
    for root in order:
        if seen[root]:
            continue
        seen[root] = on_way[root] = True
        way = [(root, iter(leaving[root]))]
        while way:
            node, rest = way[-1]
            following = next(rest, None)
            if following is None:
                on_way[node] = False
                way.pop()
                continue
            target = links[following].target
            if on_way[target]:
                closing.add(following)
            elif not seen[target]:
                seen[target] = on_way[target] = True
                way.append((target, iter(leaving[target])))
    return closing


def _longest(count: int, links: Sequence[Link], turned: set[int]) -> list[int]:
    """The layer of each node: as far down as the longest way to it, roots close to what follows."""
    after: list[list[int]] = [[] for _ in range(count)]
    before = [0] * count
    for number, link in enumerate(links):
        if link.source == link.target:
            continue
        upper, lower = link.source, link.target
        if number in turned:
            upper, lower = lower, upper
        after[upper].append(lower)
        before[lower] += 1
    roots = [node for node in range(count) if not before[node]]
    layer = [0] * count
    ready = list(reversed(roots))
    while ready:
        node = ready.pop()
        for lower in after[node]:
            layer[lower] = max(layer[lower], layer[node] + STEP)
            before[lower] -= 1
            if not before[lower]:
                ready.append(lower)
    for root in roots[1:]:
        if after[root]:
            layer[root] = min(layer[lower] for lower in after[root]) - STEP
    return layer
