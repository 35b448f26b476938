"""Reachability, components and cycles against networkx, and on graphs that break recursion."""

from __future__ import annotations

import sys
from itertools import pairwise

import networkx
import pytest
from handmade import ALL, edge, findings, flow, is_, node
from handmade import tests as under
from hypothesis import given
from hypothesis import strategies as st

from flowlint.graph.components import components, cyclic_components, shortest_cycle
from flowlint.graph.index import index_graph, reversed_adjacency
from flowlint.graph.model import END, START
from flowlint.graph.networkx import to_networkx
from flowlint.graph.reachability import search

HUGE = 100_000


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    size = draw(st.integers(1, 12))
    vertex = st.integers(0, size - 1)
    return [draw(st.lists(vertex, max_size=4)) for _ in range(size)]


def as_networkx(successors: list[list[int]]) -> networkx.DiGraph:
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(len(successors)))
    graph.add_edges_from(
        (vertex, target) for vertex, following in enumerate(successors) for target in following
    )
    return graph


@given(graphs(), st.integers(0, 11))
def test_search_finds_shortest_ways(successors: list[list[int]], origin: int) -> None:
    origin %= len(successors)
    lengths = networkx.single_source_shortest_path_length(as_networkx(successors), origin)
    reach = search(successors, [origin])
    for vertex in range(len(successors)):
        assert (vertex in reach) == (vertex in lengths)
        way = reach.path_to(vertex)
        if way is None:
            assert vertex not in lengths
            continue
        assert (way[0], way[-1], len(way) - 1) == (origin, vertex, lengths[vertex])
        assert all(after in successors[before] for before, after in pairwise(way))
    assert [lengths[vertex] for vertex in reach.order] == sorted(lengths.values())


@given(graphs())
def test_components(successors: list[list[int]]) -> None:
    graph = as_networkx(successors)
    expected = {frozenset(found) for found in networkx.strongly_connected_components(graph)}
    found = components(successors)
    assert {frozenset(component) for component in found} == expected
    place = {vertex: number for number, component in enumerate(found) for vertex in component}
    for vertex, following in enumerate(successors):
        assert all(place[target] <= place[vertex] for target in following)


@given(graphs())
def test_shortest_cycles(successors: list[list[int]]) -> None:
    graph = as_networkx(successors)
    for component in cyclic_components(successors):
        for start in component:
            cycle = shortest_cycle(successors, component, start)
            assert cycle[0] == cycle[-1] == start
            steps = list(pairwise(cycle))
            assert all(after in successors[before] for before, after in steps)
            ways = [
                networkx.shortest_path_length(graph, target, start) + 1
                for target in successors[start]
                if networkx.has_path(graph, target, start)
            ]
            assert len(steps) == min(ways)
    acyclic = networkx.is_directed_acyclic_graph(graph)
    assert acyclic == (not cyclic_components(successors))


@given(graphs())
def test_turning_round(successors: list[list[int]]) -> None:
    turned = reversed_adjacency(successors)
    again = reversed_adjacency(turned)
    assert [sorted(found) for found in again] == [sorted(found) for found in successors]


def test_the_index_counts_names_once() -> None:
    graph = flow("a b a", [("a", "b"), ("b", "c"), edge("b", END), edge(START, "b")], "a", ALL)
    index = index_graph(graph)
    assert index.names == ["a", "b", "c"]
    assert index.declared == 2
    assert index.missing() == ["c"]
    assert index.entries == [0, 1]
    assert index.successors == [[1], [2], []]
    assert [len(edges) for edges in index.outgoing] == [1, 2, 0]


def test_networkx_has_start_and_end() -> None:
    graph = to_networkx(flow("a b", [("a", "b"), edge("b", END)], "a", ALL))
    assert isinstance(graph, networkx.MultiDiGraph)
    assert set(graph.edges()) == {(START, "a"), ("a", "b"), ("b", END)}
    assert graph.nodes["a"]["kind"] == "step"


@pytest.mark.parametrize("closes", [False, True], ids=["chain", "cycle"])
def test_nothing_recurses(closes: bool) -> None:
    successors = [[number + 1] for number in range(HUGE - 1)] + [[0] if closes else []]
    assert sys.getrecursionlimit() < HUGE
    assert len(components(successors)) == (1 if closes else HUGE)
    reach = search(successors, [0])
    assert len(reach.order) == HUGE
    assert len(reach.path_to(HUGE - 1) or ()) == 50
    if closes:
        assert len(shortest_cycle(successors, range(HUGE), 5)) == HUGE + 1


@pytest.mark.parametrize("closes", [False, True], ids=["chain", "cycle"])
def test_rules_survive_huge_flows(closes: bool) -> None:
    names = [f"n{number}" for number in range(20_000)]
    edges = list(pairwise(names))
    if closes:
        edges.append((names[-1], names[0]))
    told = findings(flow(" ".join(names), edges, "n0"))
    assert [found.name for found in told] == (["loop-without-exit"] if closes else [])
    cut_off = findings(flow(" ".join(["a", *names]), edges))
    assert [found.name for found in cut_off] == ["unreachable-node"]
    assert len(cut_off[0].related) == 10


def test_a_hub_with_very_many_edges() -> None:
    names = [f"n{number}" for number in range(20_000)]
    edges = [edge("a", name, "looks_good") for name in names]
    assert findings(flow(" ".join(["a", *names]), edges)) == []
    edges = [edge("a", name, is_("kind", name)) for name in names]
    assert findings(flow(" ".join(["a", *names]), edges)) == []
    edges = [edge("a", name) for name in names]
    assert [found.name for found in findings(flow(" ".join(["a", *names]), edges))] == [
        "multiple-outgoing-edges"
    ]


def test_a_name_declared_under_very_many_tests() -> None:
    nodes = [node("a", presence=under(**{f"t{number}": True})) for number in range(20_000)]
    names = {found.name for found in findings(flow(nodes, [("a", "a")]))}
    assert names == {"loop-without-exit"}
