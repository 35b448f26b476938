"""Numbers for names: the shape of a graph in the form that algorithms are fast on."""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.graph.model import END, START, Edge, FlowGraph

Adjacency = list[list[int]]
"""For every vertex the vertices that follow it."""


@dataclass(frozen=True, slots=True)
class Index:
    """A graph with its names numbered from 0, in declaration order.

    The first `declared` numbers are nodes; the others are names that edges and entries mention
    but no node bears. The markers for start and end have no number. `outgoing` holds every edge
    of a vertex in declaration order, also those to the end.
    """

    names: list[str]
    numbers: dict[str, int]
    declared: int
    outgoing: list[list[Edge]]
    successors: Adjacency
    entries: list[int]

    def missing(self) -> list[str]:
        """The names that are mentioned but not declared."""
        return self.names[self.declared :]


def index_graph(graph: FlowGraph) -> Index:
    """Number the names of a graph and collect what follows what. Linear."""
    numbers: dict[str, int] = {}
    for node in graph.nodes:
        numbers.setdefault(node.name, len(numbers))
    declared = len(numbers)
    entries = [numbers.setdefault(name, len(numbers)) for name in entry_names(graph)]
    for edge in graph.edges:
        if edge.source != START:
            numbers.setdefault(edge.source, len(numbers))
        if edge.target != END:
            numbers.setdefault(edge.target, len(numbers))
    outgoing: list[list[Edge]] = [[] for _ in numbers]
    successors: Adjacency = [[] for _ in numbers]
    for edge in graph.edges:
        if edge.source == START:
            continue
        number = numbers[edge.source]
        outgoing[number].append(edge)
        if edge.target != END:
            successors[number].append(numbers[edge.target])
    return Index(list(numbers), numbers, declared, outgoing, successors, entries)


def entry_names(graph: FlowGraph) -> list[str]:
    """Where a run may begin: the stated entries and the targets of edges from the start."""
    names = [entry.name for entry in graph.entries if entry.name != END]
    names += [edge.target for edge in graph.edges if edge.source == START and edge.target != END]
    return list(dict.fromkeys(names))


def reversed_adjacency(successors: Adjacency) -> Adjacency:
    """The same graph with every arrow turned round."""
    predecessors: Adjacency = [[] for _ in successors]
    for vertex, following in enumerate(successors):
        for target in following:
            predecessors[target].append(vertex)
    return predecessors
