"""What a run keeps of the flow it runs: all that was said of it, with functions by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from flowrt.authoring import Edge, Node, Permissions, Region, Retry, Switch

if TYPE_CHECKING:
    from flowrt.flow import Flow

_DEEPEST = 50
"""How deep a config is shown; what is deeper is named by its type."""

_GRAPHS: WeakKeyDictionary[Flow, dict[str, Any]] = WeakKeyDictionary()
_ABOUT_A_NODE = ("timeout", "heartbeat", "detail", "config", "before", "after")


def snapshot(flow: Flow) -> dict[str, Any]:
    """The flow as JSON: for people and viewers; it is not loaded again."""
    origin = {} if flow.origin is None else {"origin": dict(flow.origin)}
    bounds = {
        "max_steps": flow.max_steps,
        "max_parallel": flow.max_parallel,
        "merge": _shown(flow.merge) or None,
        "permissions": (
            None if flow.permissions == Permissions() else _shown(asdict(flow.permissions))
        ),
    }
    return {
        "flow": flow.name,
        "title": flow.title,
        **origin,
        "entry": flow.entry,
        "routing": flow.routing,
        **{name: value for name, value in bounds.items() if value is not None},
        **_graph_of(flow),
    }


def _graph_of(flow: Flow) -> dict[str, Any]:
    """The graph of a flow, shown once for all of its runs: it does not change."""
    known = _GRAPHS.get(flow)
    if known is None:
        known = _GRAPHS[flow] = _graph(flow.nodes, flow.edges)
    return known


def _graph(nodes: Iterable[Node], edges: Iterable[Edge | Switch]) -> dict[str, Any]:
    return {"nodes": [_node(node) for node in nodes], "edges": [_edge(edge) for edge in edges]}


def _node(node: Node) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": node.name, "kind": node.kind}
    if node.run is not None:
        shown["run"] = _name(node.run)
    if node.retry is not None:
        shown["retry"] = _retry(node.retry)
    if node.join != "any":
        shown["join"] = node.join
    said = {name: _shown(getattr(node, name)) for name in _ABOUT_A_NODE}
    shown |= {name: value for name, value in said.items() if value not in (None, {}, [])}
    if node.regions:
        shown["regions"] = {name: _region(region) for name, region in node.regions.items()}
    return shown


def _retry(retry: Retry) -> dict[str, Any]:
    on = [error.__qualname__ for error in retry.on]
    shown = {name: _shown(value) for name, value in asdict(retry).items() if name != "on"}
    return shown if on == ["Exception"] else {**shown, "on": on}


def _region(region: Region) -> dict[str, Any]:
    return {
        "entry": region.entry,
        "routing": region.routing,
        **_graph(region.nodes, region.edges),
    }


def _edge(edge: Edge | Switch) -> dict[str, Any]:
    priority = {"priority": edge.priority} if edge.priority else {}
    if isinstance(edge, Switch):
        cases = {"on": edge.on, "cases": dict(edge.cases), "default": edge.default}
        return {"from": edge.src, "switch": cases, **priority}
    when = edge.when if edge.when is None or isinstance(edge.when, str) else _name(edge.when)
    prompt = {} if edge.prompt is None else {"prompt": _shown(edge.prompt)}
    shown = {"from": edge.src, "to": edge.dst, "when": when, "outcome": edge.outcome}
    return {**shown, **priority, **prompt}


def _shown(value: Any, depth: int = 0) -> Any:
    """A value as JSON; what is none is shown by its name, or that of its type."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if depth < _DEEPEST and isinstance(value, Mapping):
        return {str(key): _shown(inner, depth + 1) for key, inner in value.items()}
    if depth < _DEEPEST and isinstance(value, list | tuple):
        return [_shown(inner, depth + 1) for inner in value]
    return _name(value)


def _name(value: object) -> str:
    return str(getattr(value, "__qualname__", type(value).__name__))
