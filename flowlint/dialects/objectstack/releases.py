"""Flows of projects that use an older release than the one that is known."""

from __future__ import annotations

from dataclasses import replace

from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph, Node, Violation

PACKAGE = "@objectstack/spec"
KNOWN = 17
"""The release whose checks are known; older ones check less."""


def for_release(graph: FlowGraph, around: Surroundings) -> FlowGraph:
    """The same, where the project uses an older release: told as what is going to be refused."""
    if not (graph.violations or any(node.regions for node in graph.nodes)):
        return graph
    version = around.version_of(PACKAGE)
    if version is None or version[0] >= KNOWN:
        return graph
    return _older(graph)


def _older(graph: FlowGraph) -> FlowGraph:
    nodes = tuple(_node(node) if node.regions else node for node in graph.nodes)
    violations = tuple(map(_from_then_on, graph.violations))
    return replace(graph, nodes=nodes, violations=violations)


def _node(node: Node) -> Node:
    regions = {slot: _older(region) for slot, region in node.regions.items()}
    return replace(node, regions=regions)


def _from_then_on(seen: Violation) -> Violation:
    if seen.severity == "info":
        return seen
    message = f"{seen.message}, from ObjectStack {KNOWN} on"
    if seen.rule == "removed-api":
        return replace(seen, severity="info", message=message)
    return replace(seen, severity="warning", message=message)
