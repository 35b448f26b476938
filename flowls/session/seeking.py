"""Flows and nodes of the whole workspace by parts of their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.graph.model import FlowGraph
from flowlint.source import Span
from flowls.session.outline import PartKind
from flowls.session.session import Session

MOST = 500


@dataclass(frozen=True, slots=True)
class Hit:
    """A flow or node that was sought, and the flow it is part of."""

    kind: PartKind
    name: str
    flow: str
    span: Span


def sought(session: Session, query: str) -> list[Hit]:
    """What bears the letters of a query in its name, in this order; the nearest first."""
    found: dict[tuple[Span, str], tuple[int, Hit]] = {}
    for known in session.known:
        for graph in known.graphs:
            for hit in _hits(graph, ""):
                how_far = distance(query, hit.name)
                if how_far is not None:
                    found.setdefault((hit.span, hit.name), (how_far, hit))
    ordered = sorted(found.values(), key=lambda one: (one[0], one[1].name, str(one[1].span)))
    return [hit for _, hit in ordered[:MOST]]


def distance(query: str, name: str) -> int | None:
    """How far a name is from what is sought; None: it does not have its letters in this order."""
    wanted, given = query.replace(" ", "").casefold(), name.casefold()
    if given == wanted:
        return 0
    if given.startswith(wanted):
        return 1
    if wanted in given:
        return 2
    at, gaps = -1, 0
    for letter in wanted:
        found = given.find(letter, at + 1)
        if found < 0:
            return None
        gaps += found - at - 1
        at = found
    return 3 + gaps


def _hits(graph: FlowGraph, around: str) -> Iterator[Hit]:
    name = around or graph.name
    if not around:
        yield Hit("flow", graph.name, graph.semantics.system, graph.span)
    for node in graph.nodes:
        yield Hit("node", node.name, name, node.name_span)
        for slot, region in node.regions.items():
            yield from _hits(region, f"{name} › {node.name} › {slot}")
