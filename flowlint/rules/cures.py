"""Fixes that several rules offer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from flowlint.changes import Change, Marker, Remove, Rename, Reorder, UseMarker
from flowlint.findings.model import Fix
from flowlint.graph.index import index_graph
from flowlint.graph.model import END, START, Edge, FlowGraph, Node
from flowlint.graph.names import letters
from flowlint.graph.reachability import search
from flowlint.rules.absent import Absent, Mention
from flowlint.rules.context import RuleContext
from flowlint.rules.routes import dead_edges
from flowlint.source import Span


def name_fix(absent: Absent, context: RuleContext) -> Fix | None:
    """The node, or the marker of the system, that a name which no node bears was to be."""
    if any(mention.when is not None for mention in absent.mentions):
        return None
    meant = context.suggestions.get(absent.name)
    spans = dict.fromkeys(mention.span for mention in absent.mentions)
    if meant is not None:
        is_plain = context.near_names.only(absent.name) == meant
        renames = tuple(Rename(span, absent.name, meant) for span in spans)
        return Fix(f"write `{meant}`", "safe" if is_plain else "unsafe", changes=renames)
    markers = [marker_for(absent.name, mention, context.graph) for mention in absent.mentions]
    known = [marker for marker in markers if marker is not None]
    if not known or len(known) < len(markers) or len({*known}) > 1:
        return None
    changes = tuple(UseMarker(span, absent.name, known[0]) for span in spans)
    return Fix(f"use `{known[0].name}`", "safe", changes=changes)


def marker_for(name: str, mention: Mention, graph: FlowGraph) -> Marker | None:
    """The marker that a text sounds like, where it can stand."""
    if mention.role == "source":
        return start_marker(graph) if letters(name) == "start" else None
    return end_marker(graph) if letters(name) == "end" else None


def end_marker(graph: FlowGraph) -> Marker | None:
    """The marker of the end, in systems that have one."""
    name = graph.semantics.end_marker
    return Marker(END, name, graph.semantics.system.lower()) if name is not None else None


def start_marker(graph: FlowGraph) -> Marker | None:
    """The marker of the start, in systems that have one."""
    name = graph.semantics.start_marker
    return Marker(START, name, graph.semantics.system.lower()) if name is not None else None


def removal(
    graph: FlowGraph, edges: Collection[Edge], nodes: Collection[Node] = ()
) -> tuple[Change, ...] | None:
    """The changes that remove edges and nodes; None where other parts would go with them."""
    gone: list[Node | Edge] = [*nodes, *edges]
    parts: list[Node | Edge] = [*graph.nodes, *graph.edges]
    spans = dict.fromkeys(part.span for part in gone)
    removed = {id(part) for part in gone}
    kept = [part.span for part in parts if id(part) not in removed]
    kept += [entry.edge for entry in graph.entries if entry.edge is not None]
    if not spans.keys().isdisjoint(kept):
        return None
    return tuple(Remove(span) for span in spans)


def cuts_off(graph: FlowGraph, edges: Collection[Edge]) -> bool:
    """Whether no way leads to some node any more when these edges are gone."""
    removed = {id(edge) for edge in edges}
    rest = replace(graph, edges=tuple(edge for edge in graph.edges if id(edge) not in removed))
    before, after = index_graph(graph), index_graph(rest)
    reached = {before.names[number] for number in search(before.successors, before.entries).order}
    left = {after.names[number] for number in search(after.successors, after.entries).order}
    return not reached <= left


def reordering(graph: FlowGraph, context: RuleContext, edges: Sequence[Edge]) -> Fix | None:
    """The fix that lets edges of one node be tried in this order, if each is taken then."""
    stated = sorted(edges, key=lambda edge: edge.order)
    places = _places(stated)
    if places is None:
        return None
    order = tuple(next(n for n, edge in enumerate(stated) if edge is moved) for moved in edges)
    moved = dict(zip(map(id, stated), edges, strict=True))
    tried = replace(graph, edges=tuple(moved.get(id(edge), edge) for edge in graph.edges))
    dead = dead_edges(tried, index_graph(tried))
    if any(id(edge) in dead for edge in edges) or len(dead) >= len(context.dead_edges):
        return None
    return Fix("try them in another order", "unsafe", changes=(Reorder(places, order),))


def _places(edges: Sequence[Edge]) -> tuple[Span, ...] | None:
    """Where edges are written, if in the order in which they are tried."""
    spans = [edge.span for edge in edges]
    is_plain = len({*spans}) == len(spans) and spans == sorted(spans)
    return tuple(spans) if is_plain else None
