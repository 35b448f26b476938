"""What rules share about one graph, computed once and only when asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

from flowlint.graph.components import cyclic_components
from flowlint.graph.index import Adjacency, Index, index_graph
from flowlint.graph.model import ALWAYS, END, START, Edge, FlowGraph, Node, Presence
from flowlint.graph.names import NearNames, are_numbered
from flowlint.graph.reachability import ORIGIN, Reach, search
from flowlint.rules.absent import Absent, absent_names
from flowlint.rules.options import OptionValue, RuleOption
from flowlint.rules.routes import DeadEdge, dead_edges
from flowlint.source import Span

T = TypeVar("T")


@dataclass
class RuleContext:
    """Analyses of one graph, cached for all rules.

    `options` holds what is stated for rules. A region is a flow inside of another one, and shares
    with it what bounds it.
    """

    graph: FlowGraph
    options: Mapping[RuleOption[object], OptionValue] = field(default_factory=dict)
    is_region: bool = False
    _shared: dict[object, object] = field(default_factory=dict, repr=False)
    _cyclic: list[tuple[Adjacency, list[list[int]]]] = field(default_factory=list, repr=False)

    @cached_property
    def node_names(self) -> frozenset[str]:
        """The names of all declared nodes."""
        return frozenset(node.name for node in self.graph.nodes)

    @cached_property
    def index(self) -> Index:
        """The graph in numbers."""
        return index_graph(self.graph)

    @cached_property
    def is_empty(self) -> bool:
        """Whether the flow lacks all of its nodes: one fault, however many places name some."""
        graph = self.graph
        if graph.nodes or graph.refused or graph.hides("nodes"):
            return False
        # A flow that leads from its start to its end has no nodes and lacks none.
        if any(entry.name == END for entry in graph.entries):
            return False
        return graph.semantics.on_empty != "allowed"

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """The first declaration of every node."""
        first: dict[str, Node] = {}
        for node in self.graph.nodes:
            first.setdefault(node.name, node)
        return first

    @cached_property
    def declared(self) -> dict[str, list[Node]]:
        """All declarations of every node."""
        found: dict[str, list[Node]] = {}
        for node in self.graph.nodes:
            found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def touching(self) -> dict[str, list[Edge]]:
        """The edges that lead to or from every name."""
        found: dict[str, list[Edge]] = {}
        for edge in self.graph.edges:
            for name in {edge.source, edge.target}:
                found.setdefault(name, []).append(edge)
        return found

    @cached_property
    def conditional(self) -> dict[str, list[Presence]]:
        """Under which tests the nodes are there that are not always there."""
        found: dict[str, list[Presence]] = {}
        for node in self.graph.nodes:
            if node.presence:
                found.setdefault(node.name, []).append(node.presence)
        if found:
            for node in self.graph.nodes:
                if not node.presence:
                    found.pop(node.name, None)
        return found

    @cached_property
    def parts_at(self) -> Counter[Span]:
        """How many nodes, edges and entries are written at a place."""
        graph = self.graph
        spans = Counter(node.span for node in graph.nodes)
        spans.update(edge.span for edge in graph.edges)
        spans.update(entry.edge for entry in graph.entries if entry.edge is not None)
        return spans

    @cached_property
    def near_names(self) -> NearNames:
        """The names that a wrong name may have been meant to be."""
        return NearNames([*self.nodes])

    @cached_property
    def dead_edges(self) -> dict[int, DeadEdge]:
        """The edges that are never taken, by their identity."""
        return dead_edges(self.graph, self.index)

    @cached_property
    def live_successors(self) -> Adjacency:
        """What follows what over the edges that a run may take."""
        numbers = self.index.numbers
        successors = list(self.index.successors)
        for source in {dead.edge.source for dead in self.dead_edges.values()}:
            number = numbers[source]
            successors[number] = [
                numbers[edge.target]
                for edge in self.index.outgoing[number]
                if edge.target != END and self.is_live(edge)
            ]
        return successors

    def is_live(self, edge: Edge) -> bool:
        """Whether a run may take the edge."""
        return id(edge) not in self.dead_edges

    @cached_property
    def reached(self) -> Reach:
        """What a run may come to, over the edges that it may take."""
        return search(self.live_successors, self.index.entries)

    @cached_property
    def ranks(self) -> dict[int, int]:
        """For what a run may come to, how early it does."""
        return {number: rank for rank, number in enumerate(self.reached.order)}

    def way_to(self, number: int) -> list[str]:
        """The shortest run from an entry to this vertex; of a long one its end."""
        way = self.reached.path_to(number) or [number]
        names = [self.index.names[vertex] for vertex in way]
        return names if self.reached.parents[way[0]] == ORIGIN else ["…", *names]

    def cyclic(self, successors: Adjacency) -> list[list[int]]:
        """The parts of the flow in which these edges go round."""
        # Rules ask about different edges, which mostly come to the same ones.
        for known, found in self._cyclic:
            if known == successors:
                return found
        self._cyclic.append((successors, cyclic_components(successors)))
        return self._cyclic[-1][1]

    @cached_property
    def on_cycle(self) -> frozenset[int]:
        """The vertices from which some way leads back to them."""
        cyclic = self.cyclic(self.index.successors)
        return frozenset(number for members in cyclic for number in members)

    @cached_property
    def may_lead_anywhere(self) -> frozenset[str]:
        """The nodes that may hand over to nodes which no edge of theirs names."""
        names = {node.name for node in self.graph.nodes if node.routes_itself != "no"}
        for gap in self.graph.gaps:
            if "targets" in gap.hides:
                names |= self.node_names if gap.node is None else {gap.node}
        return frozenset(names)

    @cached_property
    def routes_in_doubt(self) -> frozenset[str]:
        """The nodes of which it cannot be told where they lead, or when."""
        unsure = {gap.node for gap in self.graph.gaps if "conditions" in gap.hides}
        return self.may_lead_anywhere.union(name for name in unsure if name is not None)

    @cached_property
    def absent(self) -> list[Absent]:
        """The names that edges and entries mention and no node bears, first mentioned first."""
        return absent_names(self.graph, self.index, self.conditional)

    @cached_property
    def suggestions(self) -> dict[str, str]:
        """For names that no node bears, the node that was meant, where that is plain."""
        # Beyond some hundred wrong names nobody misspelled anything; the search is dear.
        missing = [found.name for found in self.absent if found.name not in self.node_names][:200]
        unreached = {
            name
            for name, number in self.index.numbers.items()
            if missing and number < self.index.declared and number not in self.reached
        }
        near = ((name, self.near_names.of(name, unreached)) for name in missing)
        meant = {name: other for name, other in near if other is not None}
        return meant or self._only_pair(missing, unreached)

    def _only_pair(self, missing: list[str], unreached: set[str]) -> dict[str, str]:
        """One name leads nowhere and one node is led to by nothing: the one was meant."""
        followed = {n for following in self.index.successors for n in following}
        lonely = [name for name in unreached if self.index.numbers[name] not in followed]
        targets = {edge.target for edge in self.graph.edges}
        if len(missing) != 1 or len(lonely) != 1 or missing[0] not in targets:
            return {}
        if are_numbered(missing[0], lonely[0]):
            return {}
        return {missing[0]: lonely[0]}

    def option(self, option: RuleOption[T]) -> T:
        """What is stated for an option of a rule, else its default."""
        return cast(T, self.options.get(option, cast(OptionValue, option.default)))

    def shared(self, analysis: Callable[[RuleContext], T]) -> T:
        """What this analysis gives for the graph, computed once."""
        if analysis not in self._shared:
            self._shared[analysis] = analysis(self)
        return cast(T, self._shared[analysis])

    def is_certain(self, edge: Edge) -> bool:
        """Whether the edge is there in every build in which the node it leaves is."""
        if not edge.presence:
            return True
        presences = self.conditional.get(edge.source, [ALWAYS])
        return all(edge.presence <= presence for presence in presences)

    def node_edges(self) -> Iterator[tuple[Node, list[Edge]]]:
        """Every node with the edges that leave it, in declaration order."""
        outgoing, numbers = self.index.outgoing, self.index.numbers
        for name, node in self.nodes.items():
            yield node, outgoing[numbers[name]]

    @cached_property
    def leads_to_end(self) -> bool:
        """Whether the flow states somewhere that it ends."""
        ends = self.graph.semantics.end_kinds
        if any(node.kind in ends for node in self.graph.nodes):
            return True
        return any(edge.target == END and edge.source != START for edge in self.graph.edges)
