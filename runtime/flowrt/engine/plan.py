"""A flow or region made ready to run: edges by their source, in the order they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any

from flowrt.authoring import Edge, Node, Routing, Switch
from flowrt.engine.waiting import never_waits

PLAIN_KINDS = frozenset({"step", "gate", "loop"})
"""Kinds that only run their function: `kind` says what the node is for, edges route."""


@dataclass(frozen=True, slots=True)
class Hop:
    """An edge ready to be tried. `number` is its place among the edges as declared."""

    number: int
    edge: Edge | Switch
    when: Callable[[dict[str, Any]], object] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Nodes by name, hops by source and by target."""

    nodes: dict[str, Node]
    hops: dict[str, tuple[Hop, ...]]
    incoming: dict[str, tuple[Hop, ...]]
    entry: str
    routing: Routing
    table: dict[str, tuple[Any, tuple[tuple[Any, str], ...]]] | None = None
    """Function and (guard, target) pairs by node, where the plain loop can run it all."""
    prompt: bool = False
    """Whether the plain loop can run it all without ever being suspended."""


def make_plan(
    nodes: Iterable[Node], edges: Sequence[Edge | Switch], entry: str, routing: Routing
) -> Plan:
    """Make a checked graph ready to run. Raises FlowError for a guard that does not parse."""
    by_name = {node.name: node for node in nodes}
    hops: dict[str, list[Hop]] = {name: [] for name in by_name}
    incoming: dict[str, list[Hop]] = {name: [] for name in by_name}
    for number, edge in enumerate(edges):
        hop = Hop(number, edge, _condition(edge))
        hops[edge.src].append(hop)
        for target in targets_of(edge):
            incoming[target].append(hop)
    ordered = {name: tuple(sorted(found, key=_urgency)) for name, found in hops.items()}
    plain = routing == "first" and all(_is_plain_node(node) for node in by_name.values())
    plain = plain and all(_is_plain_edge(edge) for edge in edges)
    return Plan(
        by_name,
        ordered,
        {name: tuple(found) for name, found in incoming.items()},
        entry,
        routing,
        _table(by_name, ordered) if plain else None,
        plain and all(never_waits(node.run) for node in by_name.values()),
    )


def _table(
    nodes: dict[str, Node], hops: dict[str, tuple[Hop, ...]]
) -> dict[str, tuple[Any, tuple[tuple[Any, str], ...]]]:
    return {
        name: (node.run, tuple((hop.when, targets_of(hop.edge)[0]) for hop in hops[name]))
        for name, node in nodes.items()
    }


def targets_of(edge: Edge | Switch) -> tuple[str, ...]:
    """Where an edge may lead to, each node once."""
    if isinstance(edge, Edge):
        return (edge.dst,)
    default = () if edge.default is None else (edge.default,)
    return tuple(dict.fromkeys((*edge.cases.values(), *default)))


def _urgency(hop: Hop) -> tuple[int, int]:
    return (-hop.edge.priority, hop.number)


def _condition(edge: Edge | Switch) -> Callable[[dict[str, Any]], object] | None:
    if isinstance(edge, Switch) or edge.when is None or isinstance(edge.when, str):
        return None
    return edge.when


def runs_bare(node: Node) -> bool:
    """Whether all there is to a try of a node is calling its function with the state."""
    if node.kind not in PLAIN_KINDS or node.run is None or node.config:
        return False
    return node.timeout is None and node.heartbeat is None and not node.before and not node.after


def _is_plain_node(node: Node) -> bool:
    return runs_bare(node) and node.retry is None and iscoroutinefunction(node.run)


def _is_plain_edge(edge: Edge | Switch) -> bool:
    return (
        isinstance(edge, Edge)
        and not isinstance(edge.when, str)
        and edge.outcome == "ok"
        and edge.priority == 0
    )
