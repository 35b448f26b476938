"""What a run keeps of the flow it runs: its shape, without its functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flowrt.authoring import Edge, Node, Region, Switch

if TYPE_CHECKING:
    from flowrt.flow import Flow


def snapshot(flow: Flow) -> dict[str, Any]:
    """The flow as JSON: for people and viewers; it is not loaded again."""
    origin = {} if flow.origin is None else {"origin": dict(flow.origin)}
    return {
        "flow": flow.name,
        "title": flow.title,
        **origin,
        "entry": flow.entry,
        "routing": flow.routing,
        **_graph(flow.nodes, flow.edges),
    }


def _graph(nodes: Iterable[Node], edges: Iterable[Edge | Switch]) -> dict[str, Any]:
    return {"nodes": [_node(node) for node in nodes], "edges": [_edge(edge) for edge in edges]}


def _node(node: Node) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": node.name, "kind": node.kind}
    if node.run is not None:
        shown["run"] = getattr(node.run, "__qualname__", type(node.run).__name__)
    if node.timeout is not None:
        shown["timeout"] = node.timeout
    if node.regions:
        shown["regions"] = {name: _region(region) for name, region in node.regions.items()}
    return shown


def _region(region: Region) -> dict[str, Any]:
    return {
        "entry": region.entry,
        "routing": region.routing,
        **_graph(region.nodes, region.edges),
    }


def _edge(edge: Edge | Switch) -> dict[str, Any]:
    if isinstance(edge, Switch):
        cases = {"on": edge.on, "cases": dict(edge.cases), "default": edge.default}
        return {"from": edge.src, "switch": cases}
    when = edge.when if isinstance(edge.when, str) else getattr(edge.when, "__name__", None)
    return {"from": edge.src, "to": edge.dst, "when": when, "outcome": edge.outcome}
