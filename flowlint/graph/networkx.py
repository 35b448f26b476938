"""The graph as a networkx object, for those who want to ask it more."""

from __future__ import annotations

from typing import cast

from flowlint.graph.index import entry_names
from flowlint.graph.model import END, START, FlowGraph


def to_networkx(graph: FlowGraph) -> object:
    """A `networkx.MultiDiGraph` of the nodes with their kind and the edges with kind and label.

    Start and end are vertices too.
    """
    # Imported here because it is dear to import and nothing else needs it.
    import networkx  # type: ignore[import-untyped]

    result = networkx.MultiDiGraph(name=graph.name)
    result.add_node(START, kind="start")
    for node in graph.nodes:
        result.add_node(node.name, kind=node.kind)
    for name in entry_names(graph):
        result.add_edge(START, name, kind="always", label=None)
    for edge in graph.edges:
        if edge.source == START and edge.target != END:
            continue
        label = edge.guard.text if edge.guard else edge.label
        result.add_edge(edge.source, edge.target, kind=edge.kind, label=label)
    return cast(object, result)
