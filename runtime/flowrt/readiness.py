"""Whether the nodes of a flow can do their work with what a run is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from flowrt.authoring import Edge, Node, Switch
from flowrt.cel import compiled
from flowrt.engine.context import Missing
from flowrt.errors import FlowError
from flowrt.registry import find_kind

Asked = tuple[tuple[Node, Missing], ...]
"""Nodes that can lack something, and who knows what."""

_SHOWN = 5


def nodes_to_ask(nodes: Iterable[Node]) -> Asked:
    """The nodes, also in regions, whose kind or actions know before a run what they lack."""
    found = []
    for node in nodes:
        kind = find_kind(node.kind)
        if kind is not None and kind.missing is not None:
            found.append((node, kind.missing))
        found += _actions_to_ask(node)
        for region in node.regions.values():
            found += nodes_to_ask(region.nodes)
    return tuple(found)


def _actions_to_ask(node: Node) -> Iterator[tuple[Node, Missing]]:
    """The actions of a node that know before a run what they lack."""
    actions = [*node.before, *node.after]
    if node.kind == "action" and "action" in node.config:
        actions.append({**node.config.get("with", {}), "type": node.config["action"]})
    if not actions:
        return
    from flowrt.actions.registry import lacks_of

    for action in actions:
        lacks = lacks_of(action)
        if lacks is not None:
            yield node, partial(_action_lacks, lacks)


def _action_lacks(
    lacks: Callable[[Mapping[str, Any]], str | None],
    _: Node,
    services: Mapping[str, Any],
    who: str,
) -> str | None:
    lack = lacks(services)
    return None if lack is None else f"{who} {lack}"


def compile_guards(nodes: Iterable[Node], edges: Iterable[Edge | Switch]) -> None:
    """Make the guards in CEL ready, also in regions: the first one loads what evaluates them, which
    must not stand between the end of a node and its record."""
    for edge in edges:
        if isinstance(edge, Edge) and isinstance(edge.when, str):
            compiled(edge.when)
    for node in nodes:
        for region in node.regions.values():
            compile_guards(region.nodes, region.edges)


def check_ready(asked: Mapping[str, Asked], services: Mapping[str, Any]) -> None:
    """Raise FlowError naming what the nodes of flows lack; nodes are given by flow."""
    lacks = list(_lacks(asked, services))
    if len(lacks) > _SHOWN:
        lacks[_SHOWN:] = [f"and {len(lacks) - _SHOWN} nodes more"]
    if lacks:
        raise FlowError("\n".join(lacks))


def _lacks(asked: Mapping[str, Asked], services: Mapping[str, Any]) -> Iterator[str]:
    for flow, nodes in asked.items():
        for node, missing in nodes:
            lack = missing(node, services, f"node `{node.name}` of flow `{flow}`")
            if lack is not None:
                yield lack
