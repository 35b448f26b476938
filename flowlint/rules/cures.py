"""Fixes that several rules offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from flowlint.changes import Change, Marker, Remove, Rename, Reorder, UseMarker
from flowlint.findings.model import Fix
from flowlint.graph.model import END, START, Edge, FlowGraph, Node
from flowlint.graph.names import letters
from flowlint.graph.reachability import search
from flowlint.rules.absent import Absent, Mention
from flowlint.rules.context import RuleContext
from flowlint.rules.routes import dead_among
from flowlint.source import Span

_SMALL = 2000


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
    return Marker(END, name, _package(graph)) if name is not None else None


def start_marker(graph: FlowGraph) -> Marker | None:
    """The marker of the start, in systems that have one."""
    name = graph.semantics.start_marker
    return Marker(START, name, _package(graph)) if name is not None else None


def _package(graph: FlowGraph) -> str:
    return graph.semantics.package or graph.semantics.system.lower()


def removal(
    context: RuleContext, edges: Collection[Edge], nodes: Collection[Node] = ()
) -> tuple[Change, ...] | None:
    """The changes that remove edges and nodes; None where other parts would go with them."""
    gone = Counter(node.span for node in nodes)
    gone.update(edge.span for edge in edges)
    if any(context.parts_at[span] > count for span, count in gone.items()):
        return None
    return tuple(Remove(span) for span in gone)


def cuts_off(context: RuleContext, edge: Edge) -> bool:
    """Whether its target may not be reached any more when this edge is gone."""
    index, numbers = context.index, context.index.numbers
    if edge.source == START or edge.target == END:
        return edge.source == START
    source, target = numbers[edge.source], numbers[edge.target]
    reached = search(index.successors, index.entries) if _is_small(context) else context.reached
    # The way on which the search came to the target does not use the edge.
    if target not in reached or reached.parents[target] != source:
        return False
    if any(e.target == edge.target and e is not edge for e in index.outgoing[source]):
        return False
    if not _is_small(context):
        return True
    without = list(index.successors)
    without[source] = [number for number in without[source] if number != target]
    return target not in search(without, index.entries)


def _is_small(context: RuleContext) -> bool:
    """Whether each fix may look at the whole flow, or many of them would take for ever."""
    return len(context.graph.edges) <= _SMALL


def reordering(context: RuleContext, edges: Sequence[Edge]) -> Fix | None:
    """The fix that lets edges of one node be tried in this order, if each is taken then."""
    stated = sorted(edges, key=lambda edge: edge.order)
    places = _places(stated)
    if places is None:
        return None
    order = tuple(next(n for n, edge in enumerate(stated) if edge is moved) for moved in edges)
    moved = dict(zip(map(id, stated), edges, strict=True))
    leaving = context.index.outgoing[context.index.numbers[edges[0].source]]
    tried = [moved.get(id(edge), edge) for edge in leaving]
    dead = {id(one.edge) for one in dead_among(tried, context.graph.semantics)}
    before = sum(id(edge) in context.dead_edges for edge in leaving)
    if any(id(edge) in dead for edge in edges) or len(dead) >= before:
        return None
    return Fix("try them in another order", "unsafe", changes=(Reorder(places, order),))


def _places(edges: Sequence[Edge]) -> tuple[Span, ...] | None:
    """Where edges are written, if in the order in which they are tried."""
    spans = [edge.span for edge in edges]
    is_plain = len({*spans}) == len(spans) and spans == sorted(spans)
    return tuple(spans) if is_plain else None
