"""Where the nodes of a drawing go and how its links run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flowlint.report.drawing.columns import columns
from flowlint.report.drawing.layers import Layered, Link, layered
from flowlint.report.drawing.order import arrange

_GAP = 26.0
_LAYER_GAP = 21.0
_STAND_IN = 6.0
_PORT = 18.0
"""How far apart links leave a node, where there is room."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Route:
    """How a link runs, from its source to its target, and where its label goes.

    Each pair of `points` is joined by a curve that begins and ends upright. `back` tells that it
    leads upwards. A link from a node to itself has no points.
    """

    points: tuple[Point, ...]
    label: Point
    back: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """The middles of the nodes, the routes of the links and the size of all of it."""

    middles: tuple[Point, ...]
    routes: tuple[Route, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a node."""

    width: float
    height: float


def layout(sizes: Sequence[Size], links: Sequence[Link]) -> Layout:
    """Lay out nodes with links between them, the first node on top."""
    if not sizes:
        return Layout((), (), 0.0, 0.0)
    found = layered(len(sizes), links)
    arrange(found)
    total = len(sizes) + sum(len(chain) - 2 for chain in found.chains.values())
    widths = [size.width + 2 * _beside(links, node) for node, size in enumerate(sizes)]
    widths += [_STAND_IN] * (total - len(sizes))
    heights = [size.height for size in sizes] + [0.0] * (total - len(sizes))
    for number, holder in found.labels.items():
        if links[number].label_width:
            widths[holder] = links[number].label_width
            heights[holder] = links[number].label_height
    xs = columns(found, widths, _GAP)
    bands, height = _bands(found.layers, heights)
    layer_of = {node: number for number, layer in enumerate(found.layers) for node in layer}
    ys = [sum(bands[layer_of[node]]) / 2 for node in range(total)]
    places = list(zip(xs, ys, strict=True))
    ports = _ports(found, sizes, xs)
    routes = [
        _route(number, link, found, places, ports, [bands[layer_of[n]] for n in chain], sizes)
        if (chain := found.chains.get(number))
        else _round(link, places[link.source], sizes[link.source])
        for number, link in enumerate(links)
    ]
    width = max(x + widths[node] / 2 for node, x in enumerate(xs))
    return Layout(tuple(places[: len(sizes)]), tuple(routes), width, height)


def _beside(links: Sequence[Link], node: int) -> float:
    """The room that links from a node to itself take beside it."""
    own = [link for link in links if link.source == link.target == node]
    return max((24.0 + link.label_width for link in own), default=0.0)


def _bands(layers: Sequence[Sequence[int]], heights: Sequence[float]) -> tuple[list[Point], float]:
    """From where to where each layer goes."""
    bands: list[Point] = []
    top = 0.0
    for layer in layers:
        height = max((heights[node] for node in layer), default=0.0)
        bands.append((top, top + height))
        top += height + _LAYER_GAP
    return bands, top - _LAYER_GAP


def _ports(
    found: Layered, sizes: Sequence[Size], xs: Sequence[float]
) -> dict[tuple[int, int, int], float]:
    """Where on a node each link begins or ends: by node, side (-1: top) and link."""
    by_side: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for number, chain in found.chains.items():
        by_side.setdefault((chain[0], 1), []).append((xs[chain[1]], number))
        by_side.setdefault((chain[-1], -1), []).append((xs[chain[-2]], number))
    ports: dict[tuple[int, int, int], float] = {}
    for (node, side), ends in by_side.items():
        ends.sort()
        room = sizes[node].width * 0.6
        apart = min(_PORT, room / max(len(ends) - 1, 1))
        for at, (_, number) in enumerate(ends):
            ports[node, side, number] = xs[node] + (at - (len(ends) - 1) / 2) * apart
    return ports


def _route(
    number: int,
    link: Link,
    found: Layered,
    places: Sequence[Point],
    ports: dict[tuple[int, int, int], float],
    bands: Sequence[Point],
    sizes: Sequence[Size],
) -> Route:
    chain = found.chains[number]
    upper, lower = chain[0], chain[-1]
    points = [(ports[upper, 1, number], places[upper][1] + sizes[upper].height / 2)]
    for node, (top, bottom) in zip(chain[1:-1], bands[1:-1], strict=True):
        if top == bottom:
            continue
        x = places[node][0]
        points += [(x, top), (x, bottom)]
    points.append((ports[lower, -1, number], places[lower][1] - sizes[lower].height / 2))
    back = number in found.turned
    ordered = tuple(reversed(points)) if back else tuple(points)
    return Route(ordered, places[found.labels[number]], back)


def _round(link: Link, middle: Point, size: Size) -> Route:
    x, y = middle
    return Route((), (x + size.width / 2 + 24.0 + link.label_width / 2, y), True)
