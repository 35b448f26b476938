"""Which edges a run can never take, where a node's edges are tried in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from flowlint.graph.cells import Fate, fates
from flowlint.graph.guards import Formula, Truth
from flowlint.graph.index import Index
from flowlint.graph.model import Edge, FlowGraph, Semantics
from flowlint.rules.presence import whenever

_TRUE = Truth(True)
_MAX_COMPARED = 64

Reason = Literal["never true", "never", "duplicate", "second default", "shadowed"]
Sameness = tuple[str, str, str | None, str]


@dataclass(frozen=True, slots=True)
class DeadEdge:
    """An edge that is never taken, and why.

    `never true`: by its own guard; `never`: by what its system does; `duplicate`: an edge like it
    comes first; `second default`: it has no guard and neither has an earlier edge; `shadowed`: the
    edges in `earlier` win over it. `raises` is true where one of them raises instead in some state.
    """

    edge: Edge
    reason: Reason
    earlier: tuple[Edge, ...] = ()
    raises: bool = False


def dead_edges(graph: FlowGraph, index: Index) -> dict[int, DeadEdge]:
    """The edges that are never taken, by their identity."""
    found: dict[int, DeadEdge] = {}
    decide = _Decisions(graph.semantics)
    for leaving in index.outgoing:
        # A node with one edge and no guard, which is most of them, has nothing to decide.
        if len(leaving) > 1 or (leaving and leaving[0].guard is not None):
            for edges in _rivals(leaving):
                for dead in decide.of_node(edges):
                    found[id(dead.edge)] = dead
        for edge in leaving:
            if edge.never is not None:
                found.setdefault(id(edge), DeadEdge(edge, "never"))
    return found


def dead_among(leaving: list[Edge], semantics: Semantics) -> list[DeadEdge]:
    """Those of all edges of one node that are never taken."""
    decide = _Decisions(semantics)
    return [dead for edges in _rivals(leaving) for dead in decide.of_node(edges)]


def _rivals(leaving: list[Edge]) -> Iterable[list[Edge]]:
    """The edges of one node in groups of which at most one edge may be taken."""
    first = leaving[0].after
    if all(edge.after == first for edge in leaving):
        return (leaving,)
    groups: dict[str, list[Edge]] = {}
    for edge in leaving:
        groups.setdefault(edge.after, []).append(edge)
    return groups.values()


def tries_in_order(semantics: Semantics) -> bool:
    """Whether the first edge that matches is taken, and no other."""
    return semantics.routing in ("first", "single-switch")


def is_default(edge: Edge) -> bool:
    """Whether the edge is taken whatever the state is."""
    return edge.guard is None and edge.kind == "always"


def formula_of(edge: Edge, semantics: Semantics) -> Formula | None:
    """When an edge is taken, as far as its guard says; None: cannot be told."""
    if edge.guard is None:
        return _TRUE if is_default(edge) else None
    # An async guard is wrong in a way of its own where it is called as a plain function.
    if edge.guard.is_async and semantics.guards != "sync-or-async":
        return None
    return edge.guard.formula


def sameness(edge: Edge) -> Sameness | None:
    """What edges of one source have in common that say the same; None where it cannot be told."""
    if edge.kind not in ("always", "when", "outcome") or edge.group:
        return None
    guard = edge.guard
    if guard is None:
        return edge.target, edge.kind, edge.label, ""
    if guard.formula is not None:
        what: object = (guard.text, guard.definition, guard.formula)
    elif guard.identity is not None:
        what = guard.identity
    else:
        # Guards out of sight may differ though they are written alike, as what makes them may.
        return None
    return edge.target, edge.kind, edge.label, repr(what)


class _Decisions:
    """Decides the edges of nodes; the same guards recur, so the answers are kept."""

    def __init__(self, semantics: Semantics) -> None:
        self._semantics = semantics
        self._is_ordered = tries_in_order(semantics)
        self._fates: dict[tuple[int, ...], tuple[Fate | None, ...] | None] = {}

    def of_node(self, edges: Sequence[Edge]) -> Iterator[DeadEdge]:
        """The edges among those of one node that are never taken."""
        if not self._is_ordered:
            for edge in edges:
                if self._fates_of([edge]) == ("never true",):
                    yield DeadEdge(edge, "never true")
            return
        groups = [edges]
        if any(edge.presence for edge in edges):
            groups = [_before_and(edges, place) for place in range(min(len(edges), _MAX_COMPARED))]
        for group in groups:
            for dead in self._tried_in_order(group):
                if len(groups) == 1 or dead.edge is group[-1]:
                    yield dead

    def _tried_in_order(self, edges: Sequence[Edge]) -> Iterator[DeadEdge]:
        first_default: Edge | None = None
        seen: dict[Sameness, Edge] = {}
        fates = self._fates_of(edges[:_MAX_COMPARED])
        may_repeat = len({edge.target for edge in edges}) < len(edges)
        for place, edge in enumerate(edges):
            fate = fates[place] if fates and place < len(fates) else None
            same = sameness(edge) if may_repeat else None
            if fate == "never true":
                yield DeadEdge(edge, "never true")
            elif same is not None and same in seen:
                yield DeadEdge(edge, "duplicate", (seen[same],))
            elif first_default is not None:
                reason: Reason = "second default" if is_default(edge) else "shadowed"
                yield DeadEdge(edge, reason, (first_default,))
            elif fate in ("shadowed", "raises"):
                yield self._shadowed(edge, edges[:place], fate)
            if same is not None:
                seen.setdefault(same, edge)
            if first_default is None and is_default(edge):
                first_default = edge

    def _shadowed(self, edge: Edge, before: Sequence[Edge], fate: Fate) -> DeadEdge:
        """Which earlier edges it is that win: a single one, if one is enough."""
        first_to_raise: Edge | None = None
        for other in before:
            alone = self._fates_of([other, edge])
            if alone is not None and alone[1] == "shadowed":
                return DeadEdge(edge, "shadowed", (other,))
            if alone is not None and alone[1] == "raises":
                first_to_raise = first_to_raise or other
        if first_to_raise is not None:
            return DeadEdge(edge, "shadowed", (first_to_raise,), True)
        known = [other for other in before if formula_of(other, self._semantics) is not None]
        return DeadEdge(edge, "shadowed", tuple(known), fate == "raises")

    def _fates_of(self, edges: Sequence[Edge]) -> tuple[Fate | None, ...] | None:
        formulas = [formula_of(edge, self._semantics) for edge in edges]
        key = tuple(map(id, formulas))
        if key not in self._fates:
            self._fates[key] = fates(formulas)
        return self._fates[key]


def _before_and(edges: Sequence[Edge], place: int) -> list[Edge]:
    """An edge behind those of the earlier ones that are there whenever it is."""
    edge = edges[place]
    return [*(other for other in edges[:place] if whenever(edge.presence, other.presence)), edge]
