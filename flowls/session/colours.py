"""Which texts are names of nodes, so that they need not look like any other text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.graph.model import END, FlowGraph
from flowlint.source import Span
from flowls.session.cel.telling import coloured_words
from flowls.session.cel.words import Kind
from flowls.session.mentions import mentions_in
from flowls.session.session import Session
from flowls.session.sources import Sources


@dataclass(frozen=True, slots=True)
class Coloured:
    """A stretch of one line: the name of a node, an end of a flow, a word of a condition."""

    span: Span
    kind: Kind
    is_declaration: bool = False


def coloured(session: Session, path: str, cell: int | None) -> list[Coloured]:
    """All names of nodes that are written in a text, in order, each once."""
    mentions, sources = mentions_in(session, path), Sources(session)
    found: dict[Span, Coloured] = {}
    for symbol in mentions.symbols():
        if not mentions.nodes(symbol):
            continue
        for mention in mentions.of(symbol):
            literal = sources.naming(mention.span, symbol.name)
            if literal is not None:
                is_declaration = mention.role == "node"
                found.setdefault(
                    literal.inner, Coloured(literal.inner, "enumMember", is_declaration)
                )
    for graphs in mentions.graphs.values():
        for graph in graphs:
            for span in _ends(graph, sources):
                found.setdefault(span, Coloured(span, "keyword"))
    for span, kind in coloured_words(mentions, sources, path):
        found.setdefault(span, Coloured(span, kind))
    own = [one for one in found.values() if (one.span.path, one.span.cell) == (path, cell)]
    return sorted(own, key=lambda one: (one.span.line, one.span.column))


def _ends(graph: FlowGraph, sources: Sources) -> Iterator[Span]:
    marker = graph.semantics.end_marker
    if marker is None:
        return
    for edge in graph.edges:
        if edge.target == END and sources.text(edge.target_span) == marker:
            yield edge.target_span
