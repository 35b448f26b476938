"""What comes of a definition where every node waits for all that have an edge to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from flowlint.dialects.agentsflow.circles import in_order
from flowlint.graph.cells import overlap
from flowlint.graph.model import Edge, Node, Violation

Severity = Literal["error", "warning", "info"]

_NEVER = (
    "in a flow made by `from_definition` a node waits for its sources to complete, which one that "
    "fails does not"
)


def never_after_failure(edges: Sequence[Edge]) -> list[Edge]:
    """The edges, those that count after a failure marked as never taken."""
    return [replace(edge, never=_NEVER) if edge.after != "ok" else edge for edge in edges]


def conjunctive_faults(
    nodes: Sequence[Node], edges: Sequence[Edge], severity: Severity | None
) -> Iterator[Violation]:
    """Nodes that wait for what cannot all come: themselves, or ways that exclude each other.

    `severity` None: that of the rule, where the flow is seen to be run in this way.
    """
    if any(node.presence for node in nodes) or any(edge.presence for edge in edges):
        return
    sources: dict[str, list[Edge]] = {}
    for edge in edges:
        sources.setdefault(edge.target, []).append(edge)
    place = {node.name: node for node in nodes}
    order = in_order(list(place), edges)
    circular = set(place).difference(order)
    yield from _waiting_for_themselves(place, circular, sources, severity)
    needed: dict[str, _Needs] = {}
    for name in order:
        if len(sources.get(name, ())) > 1:
            yield from _exclusive(place[name], sources, needed, severity)


def _waiting_for_themselves(
    place: Mapping[str, Node],
    circular: set[str],
    sources: dict[str, list[Edge]],
    severity: Severity | None,
) -> Iterator[Violation]:
    """The first loop that somebody allowed for: others are refused, which is told as such."""
    for name, node in place.items():
        for edge in sources.get(name, ()) if name in circular else ():
            if not edge.back or edge.source not in circular:
                continue
            if not _leads(edge.target, edge.source, sources):
                continue
            yield Violation(
                edge.span,
                f"Node `{name}` waits for `{edge.source}`, which comes after it: in a flow made "
                "by `from_definition` neither ever runs, and the run reports success",
                "build the flow with `add_edge`, where an edge that leads back starts its target "
                "again",
                name,
                "join-never-completes",
                (("this node waits for itself", node.name_span),),
                severity=severity,
            )
            return


def _leads(start: str, end: str, sources: dict[str, list[Edge]]) -> bool:
    """Whether a way leads from one node to another."""
    seen, waiting = {end}, [end]
    while waiting:
        name = waiting.pop()
        if name == start:
            return True
        for edge in sources.get(name, ()):
            if edge.source not in seen:
                seen.add(edge.source)
                waiting.append(edge.source)
    return False


_Needs = tuple[dict[str, Edge], str]
"""The edges that a run has to take to come to a node, by the nodes that they leave, as far back as
to the last node with several sources, and what that one is called."""


def _needs(name: str, sources: dict[str, list[Edge]]) -> _Needs:
    found: dict[str, Edge] = {}
    seen = {name}
    while len(into := sources.get(name, [])) == 1:
        found[into[0].source] = into[0]
        name = into[0].source
        if name in seen:
            break
        seen.add(name)
    return found, name


def _all_needs(own: dict[str, Edge], base: str, needed: Mapping[str, _Needs]) -> dict[str, Edge]:
    """The same as far back as to the beginning."""
    parts = [own]
    while base in needed:
        before, base = needed[base]
        parts.append(before)
    return {gate: edge for part in reversed(parts) for gate, edge in part.items()}


def _exclusive(
    node: Node,
    sources: dict[str, list[Edge]],
    needed: dict[str, _Needs],
    severity: Severity | None,
) -> Iterator[Violation]:
    """A node of whose sources a run only ever completes one."""
    mine: dict[str, Edge] = {}
    rival: tuple[Edge, Edge] | None = None
    ways = [_needs(edge.source, sources) for edge in sources[node.name]]
    # What all of them need to come to where they part is no rival of itself.
    base = ways[0][1] if len({base for _, base in ways}) == 1 else ""
    for own, behind in ways:
        needs_of = own if base else _all_needs(own, behind, needed)
        for gate, needs in needs_of.items():
            other = mine.get(gate)
            if other is not None and other is not needs and _excludes(other, needs):
                rival = rival or (other, needs)
            mine[gate] = needs
    needed[node.name] = mine, base
    if rival is None:
        return
    first, second = rival
    yield Violation(
        node.name_span,
        f"Node `{node.name}` waits for the ways over `{first.target}` and over "
        f"`{second.target}`, of which a run out of `{first.source}` only takes one: in a flow made "
        "by `from_definition` it never runs, and the run reports success",
        "build the flow with `add_edge`, where a node runs once one of the ways to it came",
        node.name,
        "join-never-completes",
        (
            (f"`{first.label}` leads to `{first.target}`", first.span),
            (f"`{second.label}` leads to `{second.target}`", second.span),
        ),
        severity=severity,
    )


def _excludes(first: Edge, second: Edge) -> bool:
    """Whether a run surely never takes both of two edges of one node."""
    if first.target == second.target:
        return False
    if (first.after != "ok") != (second.after != "ok"):
        return True
    if first.guard is None or second.guard is None:
        return False
    return overlap(first.guard.formula, second.guard.formula) is False
