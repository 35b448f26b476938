"""Graphs as JSON, of the schema `flowlint.graph/1`.

The `state` of a graph is null where nothing is known of it, else an object: the `name` of its
schema, its `range`, and for each of its `keys` the `kind` (`last`: it holds one value; `reducer`:
values are put together; `managed`: the system gives it; `other`) and the `range` where it is
declared. `complete` tells whether these are all of the keys, `more` why there may be others. A
state that is a single value has the one key `__root__`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from flowlint.graph.code import StateSchema
from flowlint.graph.model import END, START, Edge, Entry, FlowGraph, Node
from flowlint.report.places import Json, range_of

SCHEMA = "flowlint.graph/1"


def render(graphs: Sequence[FlowGraph]) -> str:
    """The JSON text."""
    document = {"schema": SCHEMA, "graphs": [_graph(graph) for graph in graphs]}
    return json.dumps(document, indent=2, ensure_ascii=False)


def entry_names(graph: FlowGraph) -> list[str]:
    """The nodes at which a run begins, each once."""
    started = [edge.target for edge in graph.edges if edge.source == START]
    return list(dict.fromkeys([*(entry.name for entry in graph.entries), *started]))


def exit_names(graph: FlowGraph) -> list[str]:
    """The nodes at which a run ends, in declaration order.

    Those with an edge to the end marker and, where the system ends so, those that no edge leaves.
    """
    ending = {edge.source for edge in graph.edges if edge.target == END}
    if graph.semantics.end == "implicit":
        leaving = {edge.source for edge in graph.edges}
        ending |= {node.name for node in graph.nodes if node.name not in leaving}
    return [name for name in node_names(graph) if name in ending]


def node_names(graph: FlowGraph) -> list[str]:
    """The names of the nodes, each once, in declaration order."""
    return list(dict.fromkeys(node.name for node in graph.nodes))


def _graph(graph: FlowGraph) -> dict[str, Json]:
    nodes = {node.name: node for node in reversed(graph.nodes)}
    return {
        "dialect": graph.dialect,
        "name": graph.name,
        "path": graph.path,
        "symbol": graph.symbol,
        "range": range_of(graph.span),
        "entry": list(entry_names(graph)),
        "nodes": [_node(nodes[name]) for name in node_names(graph)],
        "edges": [
            *(_start_edge(entry) for entry in graph.entries if entry.edge is not None),
            *(_edge(edge) for edge in graph.edges if edge.source != START),
        ],
        "exits": list(exit_names(graph)),
        "complete": graph.complete,
        "gaps": [{"range": range_of(gap.span), "reason": gap.reason} for gap in graph.gaps],
        "state": _state(graph.state) if graph.state is not None else None,
    }


def _state(state: StateSchema) -> dict[str, Json]:
    return {
        "name": state.name,
        "range": range_of(state.span),
        "keys": {
            key: {"kind": channel.kind, "range": range_of(channel.span)}
            for key, channel in state.channels.items()
        },
        "complete": state.more is None,
        "more": state.more,
    }


def _node(node: Node) -> dict[str, Json]:
    return {
        "name": node.name,
        "kind": node.kind,
        "range": range_of(node.span),
        "regions": {name: _graph(region) for name, region in node.regions.items()},
    }


def _start_edge(entry: Entry) -> dict[str, Json]:
    """An edge out of the start marker, in systems where the entry is an edge."""
    return {
        "source": START,
        "target": entry.name,
        "kind": entry.kind,
        "label": entry.label,
        "certain": not entry.presence,
        "group": None,
        "range": range_of(entry.edge or entry.span),
    }


def _edge(edge: Edge) -> dict[str, Json]:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "label": _label(edge),
        "certain": edge.certain,
        "group": edge.group,
        "range": range_of(edge.span),
    }


def _label(edge: Edge) -> str | None:
    if edge.label is not None or edge.guard is None:
        return edge.label
    return edge.guard.text
