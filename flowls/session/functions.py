"""References to functions in flows, and where the functions are defined."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flowlint.graph.model import FlowGraph, Node
from flowlint.source import Span
from flowls.session.mentions import Mentions, Symbol
from flowls.session.sources import Sources

_WORD = re.compile(r"\w+")


def functions_of(mentions: Mentions, symbol: Symbol) -> list[Span]:
    """The functions that the nodes of a name run."""
    nodes = mentions.nodes(symbol)
    return list(dict.fromkeys(n.runs.span for n in nodes if n.runs and n.runs.span))


def definitions_at(mentions: Mentions, place: Span, sources: Sources) -> list[Span]:
    """The functions that are referred to at a place: those of nodes, guards and routers."""
    found: dict[Span, None] = {}
    word = _word_at(place, sources)
    for graphs in mentions.graphs.values():
        for graph in graphs:
            for node in graph.nodes:
                if word is not None and _runs(node, word) and node.span.contains(place):
                    found[node.runs.span] = None  # type: ignore[union-attr, index]
            for span, definition in _others(graph):
                if span.contains(place) and not span.contains(definition):
                    found[definition] = None
    return list(found)


def _others(graph: FlowGraph) -> Iterator[tuple[Span, Span]]:
    for edge in graph.edges:
        if edge.guard is not None and edge.guard.definition is not None:
            yield edge.guard.span, edge.guard.definition
    for router in graph.routers:
        if router.definition is not None:
            yield router.span, router.definition


def _runs(node: Node, word: str) -> bool:
    runs = node.runs
    return runs is not None and runs.span is not None and runs.name.rpartition(".")[2] == word


def _word_at(place: Span, sources: Sources) -> str | None:
    lines = sources.lines(place)
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    column = place.column - 1
    return next((w[0] for w in _WORD.finditer(line) if w.start() <= column <= w.end()), None)
