"""Drawings in which nothing lies on anything else."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from flowlint.report.drawing.layers import Link, layered
from flowlint.report.drawing.layout import Layout, Size, layout
from flowlint.report.drawing.measure import shorten, text_width, wrap
from flowlint.report.drawing.order import arrange

SIZES = st.builds(Size, st.sampled_from([18.0, 60.0, 180.0]), st.sampled_from([16.0, 34.0, 150.0]))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Size], list[Link]]:
    sizes = draw(st.lists(SIZES, min_size=1, max_size=9))
    node = st.integers(0, len(sizes) - 1)
    label = st.sampled_from([0.0, 50.0])
    return sizes, draw(st.lists(st.builds(Link, node, node, label, st.just(16.0)), max_size=16))


@given(graphs())
@settings(max_examples=300)
def test_nodes_do_not_overlap_and_all_is_within(made: tuple[list[Size], list[Link]]) -> None:
    sizes, links = made
    placed = layout(sizes, links)
    boxes = list(zip(placed.middles, sizes, strict=True))
    for (x, y), size in boxes:
        assert x - size.width / 2 >= -0.01 and x + size.width / 2 <= placed.width + 0.01
        assert y - size.height / 2 >= -0.01 and y + size.height / 2 <= placed.height + 0.01
    for ((x, y), size), ((u, v), other) in combinations(boxes, 2):
        beside = abs(x - u) >= (size.width + other.width) / 2 - 0.01
        assert beside or abs(y - v) >= (size.height + other.height) / 2 - 0.01


@given(graphs())
def test_links_begin_and_end_at_their_nodes(made: tuple[list[Size], list[Link]]) -> None:
    sizes, links = made
    placed = layout(sizes, links)
    for link, route in zip(links, placed.routes, strict=True):
        assert bool(route.points) == (link.source != link.target)
        if not route.points:
            continue
        for end, node in ((route.points[0], link.source), (route.points[-1], link.target)):
            x, y = placed.middles[node]
            assert abs(end[0] - x) <= sizes[node].width / 2
            assert abs(abs(end[1] - y) - sizes[node].height / 2) < 0.01
        ys = [point[1] for point in route.points]
        assert ys == sorted(ys, reverse=route.back)


@given(graphs())
def test_links_pass_beside_nodes(made: tuple[list[Size], list[Link]]) -> None:
    """Where a link runs through a layer, it runs upright, and not through a node of it."""
    sizes, links = made
    placed = layout(sizes, links)
    for link, route in zip(links, placed.routes, strict=True):
        for (x1, y1), (x2, y2) in pairwise(route.points):
            if x1 != x2:
                continue
            low, high = sorted((y1, y2))
            for number, ((u, v), size) in enumerate(zip(placed.middles, sizes, strict=True)):
                if number in (link.source, link.target):
                    continue
                within = low < v - size.height / 2 + 0.01 and v + size.height / 2 - 0.01 < high
                assert not (within and abs(x1 - u) < size.width / 2)


def drawn(count: int, *links: tuple[int, int]) -> Layout:
    return layout([Size(60, 34)] * count, [Link(*link) for link in links])


def test_a_chain_is_straight_and_a_way_back_leads_up() -> None:
    placed = drawn(3, (0, 1), (1, 2), (2, 0))
    assert [y for _, y in placed.middles] == sorted(y for _, y in placed.middles)
    assert [route.back for route in placed.routes] == [False, False, True]
    chain = drawn(4, (0, 1), (1, 2), (2, 3))
    assert len({x for x, _ in chain.middles}) == 1


def test_crossings_that_need_not_be_are_not() -> None:
    found = layered(6, [Link(0, 4), Link(0, 5), Link(1, 3), Link(2, 3), Link(1, 2)])
    arrange(found)
    place = {node: at for layer in found.layers for at, node in enumerate(layer)}
    for above, below in pairwise(found.layers):
        pairs = [(place[n], place[m]) for n in above for m in found.below.get(n, ()) if m in below]
        assert not any(a < c and b > d for (a, b), (c, d) in combinations(sorted(pairs), 2))


def test_a_large_graph_is_laid_out_in_no_time() -> None:
    """A work bound, not a clock: each link has as many points as layers that it passes."""
    placed = drawn(400, *((n, n + 1) for n in range(399)), *((n, n + 7) for n in range(0, 392, 7)))
    assert sum(len(route.points) for route in placed.routes) < 5000


@given(st.text(max_size=80), st.floats(40, 300))
def test_wrapped_lines_fit_and_lose_nothing(text: str, width: float) -> None:
    lines = list(wrap(text, 12, width))
    for line in lines:
        assert text_width(line, 12) <= width or len(line) == 1
    from flowlint.report.style import plain

    assert "".join(lines).replace(" ", "") == "".join(plain(text).split())


@given(st.text(), st.integers(6, 40))
def test_short_texts_are_short_and_safe(text: str, limit: int) -> None:
    shown = shorten(text, limit)
    assert len(shown) <= limit
    assert shown.isprintable()
