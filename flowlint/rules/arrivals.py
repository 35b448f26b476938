"""Nodes that several ways lead to, where a node runs once for each way that comes to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.graph.model import Edge
from flowlint.rules.context import RuleContext
from flowlint.rules.routes import is_default


@dataclass(frozen=True, slots=True)
class Meeting:
    """A node at which ways from a fork meet that are all taken, with two of these ways."""

    node: str
    fork: str
    ways: tuple[tuple[str, ...], tuple[str, ...]]
    last: tuple[Edge, Edge]


def meetings(context: RuleContext) -> Iterator[Meeting]:
    """The nodes where ways meet, each with the nearest fork.

    Only edges that are taken on every run count, so that the ways are certain.
    """
    graph, index = context.graph, context.index
    if not graph.semantics.runs_per_arrival or graph.hides("edges"):
        return
    certain = [_certain(number, context) for number in range(index.declared)]
    told: set[str] = set()
    for number in context.reached.order:
        if number >= index.declared or len(certain[number]) < 2:
            continue
        # What chooses and does not is told as such.
        if context.nodes[index.names[number]].kind in graph.semantics.gate_kinds:
            continue
        yield from _met(number, certain, context, told)


def _certain(number: int, context: RuleContext) -> list[Edge]:
    """The edges that are taken whenever a node has run."""
    index = context.index
    edges = [
        edge
        for edge in index.outgoing[number]
        if is_default(edge)
        and edge.after == "ok"
        and not edge.back
        and context.is_live(edge)
        and context.is_certain(edge)
        and index.numbers.get(edge.target, index.declared) < index.declared
    ]
    # That an edge is written twice is told as such.
    return list({edge.target: edge for edge in reversed(edges)}.values())[::-1]


def _met(
    fork: int, certain: list[list[Edge]], context: RuleContext, told: set[str]
) -> Iterator[Meeting]:
    """Where ways from this fork first meet."""
    index, ends = context.index, context.graph.semantics.end_kinds
    came: dict[int, tuple[Edge, tuple[Edge, ...]]] = {}
    met: set[int] = set()
    for first in certain[fork]:
        pending: list[tuple[int, tuple[Edge, ...]]] = [(index.numbers[first.target], (first,))]
        seen: set[int] = {fork}
        for number, way in pending:
            if number in seen:
                continue
            seen.add(number)
            other = came.setdefault(number, (first, way))
            if other[0] is not first:
                name = index.names[number]
                met.add(number)
                if context.nodes[name].kind not in ends and name not in told:
                    told.add(name)
                    yield _meeting(name, index.names[fork], other[1], way)
                continue
            pending += [
                (index.numbers[edge.target], (*way, edge))
                for edge in certain[number]
                if number not in met
            ]


def _meeting(name: str, fork: str, way: tuple[Edge, ...], other: tuple[Edge, ...]) -> Meeting:
    ways = (
        (fork, *(edge.target for edge in way)),
        (fork, *(edge.target for edge in other)),
    )
    return Meeting(name, fork, ways, (way[-1], other[-1]))
