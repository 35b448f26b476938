"""Where the names of nodes are mentioned: the index behind all that treats them as symbols."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from flowlint.graph.code import Router
from flowlint.graph.model import END, START, FlowGraph, Node
from flowlint.source import Span
from flowls.session.session import Session

Role = Literal["node", "source", "target", "entry", "code", "text"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """The name of a node within the flow or region that is constructed at `flow`."""

    flow: Span
    name: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that names a node. `elsewhere`: the text of the name stands at another place."""

    symbol: Symbol
    span: Span
    role: Role
    elsewhere: bool = False


class Mentions:
    """All mentions in some flows and their regions."""

    def __init__(self, graphs: Iterable[FlowGraph]) -> None:
        self.graphs: dict[Span, list[FlowGraph]] = defaultdict(list)
        """The flows and regions by where they are constructed, as often as they were met."""
        self._around: dict[Span, tuple[Span, str]] = {}
        self._by_symbol: dict[Symbol, dict[Span, Mention]] = defaultdict(dict)
        self._by_place: dict[tuple[str, int | None], list[Mention]] = defaultdict(list)
        for graph in graphs:
            self._enter(graph, None)

    def of(self, symbol: Symbol) -> list[Mention]:
        """All mentions of a node, in the order of their places."""
        found = self._by_symbol.get(symbol, {}).values()
        return sorted(found, key=lambda mention: _order(mention.span))

    def symbols(self) -> list[Symbol]:
        """All names that are mentioned."""
        return list(self._by_symbol)

    def at(self, path: str, cell: int | None, line: int, column: int) -> list[Mention]:
        """What is mentioned at a place; the narrowest, if several stretches lie around it."""
        place = (line, column)
        around = [
            mention
            for mention in self._by_place.get((path, cell), ())
            if (mention.span.line, mention.span.column)
            <= place
            <= (mention.span.end_line, mention.span.end_column)
        ]
        if not around:
            return []
        narrowest = min((mention.span for mention in around), key=_extent)
        return [mention for mention in around if mention.span == narrowest]

    def on(self, span: Span) -> list[Mention]:
        """What is mentioned exactly there."""
        among = self._by_place.get((span.path, span.cell), ())
        return [mention for mention in among if mention.span == span]

    def nodes(self, symbol: Symbol) -> list[Node]:
        """The nodes that bear a name, each once."""
        found: dict[Span, Node] = {}
        for graph in self.graphs.get(symbol.flow, ()):
            for node in graph.nodes:
                if node.name == symbol.name:
                    found.setdefault(node.name_span, node)
        return list(found.values())

    def places_of_node(self, symbol: Symbol) -> list[Span]:
        """Where a node is declared: where it is made, or its name where several are made there."""
        found: dict[Span, None] = {}
        for node in self.nodes(symbol):
            known = self._by_symbol[symbol]
            if node.name_span in known:
                found[node.name_span] = None
                continue
            texts = [one.span for one in known.values() if one.role == "node"]
            found.update(dict.fromkeys(texts or [node.span]))
        return list(found)

    def around(self, flow: Span) -> tuple[Span, str] | None:
        """The flow that a region is part of, and the name of its node there."""
        return self._around.get(flow)

    def _enter(self, graph: FlowGraph, parent: FlowGraph | None) -> None:
        if graph not in self.graphs[graph.span]:
            self.graphs[graph.span].append(graph)
        for name, span, role, elsewhere in _named(graph):
            self._put(graph.span, name, span, role, elsewhere)
        for node in graph.nodes:
            if parent is not None and node.code is not None:
                for handover in node.code.handovers:
                    if handover.to_parent:
                        self._put(parent.span, handover.target, handover.span, "code", False)
            for region in node.regions.values():
                self._around[region.span] = (graph.span, node.name)
                self._enter(region, graph)

    def _put(self, flow: Span, name: str, span: Span, role: Role, elsewhere: bool) -> None:
        if name in (START, END):
            return
        known = self._by_symbol[Symbol(flow, name)]
        if span not in known:
            known[span] = mention = Mention(Symbol(flow, name), span, role, elsewhere)
            self._by_place[span.path, span.cell].append(mention)


def mentions_in(session: Session, path: str) -> Mentions:
    """The mentions in all flows of which something is to be seen in a file."""
    session.graphs(path)
    return Mentions(graph for one in session.known.showing_in(path) for graph in one.graphs)


def mentions_of(session: Session, path: str, wanted: Iterable[Symbol]) -> Mentions:
    """The mentions in all flows of all files that mention some nodes, one of them in `path`."""
    wanted = list(wanted)
    looked: set[str] = set()
    pending = {path}
    while pending:
        for one in sorted(pending):
            session.graphs(one)
        looked |= pending
        known = {one.path: one for file in looked for one in session.known.showing_in(file)}
        found = Mentions(graph for _, one in sorted(known.items()) for graph in one.graphs)
        pending = {m.span.path for symbol in wanted for m in found.of(symbol)} - looked
    return found


Named = tuple[str, Span, Role, bool]


def _named(graph: FlowGraph) -> Iterator[Named]:
    """The names in one flow with their places; those of nodes first."""
    texts: dict[tuple[str, Span], list[Span]] = defaultdict(list)
    for text in graph.texts:
        texts[text.name, text.place].append(text.span)
    declaring = {router.span for router in graph.routers}
    declaring.update(n.runs.span for n in graph.nodes if n.runs is not None and n.runs.span)
    bearers: dict[Span, set[str]] = defaultdict(set)
    for node in graph.nodes:
        bearers[node.name_span].add(node.name)

    def told(name: str, place: Span, role: Role) -> Iterator[Named]:
        found = texts.get((name, place), [])
        # What only declares the name, or holds it, is no mention where the text is known.
        is_other = place in declaring or bool(bearers.get(place, set()) - {name})
        if not found or not (is_other or any(place.contains(span) for span in found)):
            yield name, place, role, bool(found) and place not in found
        for span in found:
            yield name, span, role, False

    for node in graph.nodes:
        yield from told(node.name, node.name_span, "node")
    for edge in graph.edges:
        yield from told(edge.source, edge.source_span, "source")
        yield from told(edge.target, edge.target_span, "target")
    for entry in graph.entries:
        yield from told(entry.name, entry.span, "entry")
    for node in graph.nodes:
        for handover in node.code.handovers if node.code is not None else ():
            if not handover.to_parent:
                yield from told(handover.target, handover.span, "code")
    for router in graph.routers:
        is_by_name = returns_names(router, graph)
        for route in router.routes:
            if route.value is not None and (route.sends or is_by_name):
                yield from told(route.value, route.span, "code")
    for node in graph.nodes:
        for read in node.outputs:
            # What is written there need not be the name, but what holds it.
            if read.field is None:
                yield read.node, read.span, "code", True
    for text in graph.texts:
        yield text.name, text.span, "text", False


def returns_names(router: Router, graph: FlowGraph) -> bool:
    """Whether what a router returns are the names of nodes themselves, not of cases."""
    if router.cases is None:
        return not router.open_cases
    targets = {edge.target_span for edge in graph.edges if edge.choice == router.choice}
    targets.update(entry.span for entry in graph.entries if entry.choice == router.choice)
    return all(span in targets for span in (router.case_spans or {}).values())


def _extent(span: Span) -> tuple[int, int]:
    lines = span.end_line - span.line
    return lines, span.end_column - span.column if lines == 0 else span.end_column


def _order(span: Span) -> tuple[str, int, int, int, int, int]:
    cell = -1 if span.cell is None else span.cell
    return (span.path, cell, span.line, span.column, span.end_line, span.end_column)
