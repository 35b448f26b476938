"""What comes of a definition where every node waits for all that have an edge to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

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
    order, circular = _in_order(nodes, sources)
    yield from _waiting_for_themselves(nodes, circular, sources, severity)
    needed: dict[str, dict[str, Edge]] = {}
    for name in order:
        yield from _exclusive(name, nodes, sources.get(name, []), needed, severity)


def _in_order(nodes: Sequence[Node], sources: dict[str, list[Edge]]) -> tuple[list[str], list[str]]:
    """The nodes after those that they wait for, and those for which there is no such order."""
    left = dict.fromkeys(node.name for node in nodes)
    done: dict[str, None] = {}
    while True:
        ready = [n for n in left if all(edge.source not in left for edge in sources.get(n, ()))]
        if not ready:
            return list(done), list(left)
        for name in ready:
            done[name] = None
            del left[name]


def _waiting_for_themselves(
    nodes: Sequence[Node],
    circular: list[str],
    sources: dict[str, list[Edge]],
    severity: Severity | None,
) -> Iterator[Violation]:
    if not circular:
        return
    within = set(circular)
    # Only loops that somebody allowed for: others are refused, which is told as such.
    closing = [
        edge
        for name in circular
        for edge in sources.get(name, ())
        if edge.back and edge.source in within
    ]
    place = {node.name: node for node in nodes}
    for edge in closing:
        if edge.target not in place or _leads(edge.target, edge.source, sources) is False:
            continue
        node = place[edge.target]
        yield Violation(
            edge.span,
            f"Node `{edge.target}` waits for `{edge.source}`, which comes after it: in a flow made "
            "by `from_definition` neither ever runs, and the run reports success",
            "build the flow with `add_edge`, where an edge that leads back starts its target again",
            edge.target,
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


def _exclusive(
    name: str,
    nodes: Sequence[Node],
    into: list[Edge],
    needed: dict[str, dict[str, Edge]],
    severity: Severity | None,
) -> Iterator[Violation]:
    """A node of whose sources a run only ever completes one."""
    mine: dict[str, Edge] = {}
    rival: tuple[Edge, Edge] | None = None
    for edge in into:
        for gate, needs in needed.get(edge.source, {}).items():
            other = mine.get(gate)
            if other is not None and other is not needs and _excludes(other, needs):
                rival = rival or (other, needs)
            mine[gate] = needs
    alone = {edge.source for edge in into}
    if len(into) == 1 and len(alone) == 1:
        mine[into[0].source] = into[0]
    needed[name] = mine
    if rival is None:
        return
    first, second = rival
    node = next(node for node in nodes if node.name == name)
    yield Violation(
        node.name_span,
        f"Node `{name}` waits for the ways over `{first.target}` and over `{second.target}`, of "
        f"which a run out of `{first.source}` only takes one: in a flow made by `from_definition` "
        "it never runs, and the run reports success",
        "build the flow with `add_edge`, where a node runs once one of the ways to it came",
        name,
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
