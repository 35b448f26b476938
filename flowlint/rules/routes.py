"""Which edges a run can never take, where a node's edges are tried in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from flowlint.graph.cells import can_match, shadowed, uncovered
from flowlint.graph.guards import Formula, Truth
from flowlint.graph.index import Index
from flowlint.graph.model import Edge, FlowGraph, Semantics
from flowlint.rules.presence import whenever


@dataclass(frozen=True, slots=True)
class DeadEdge:
    """An edge that is never taken, and why.

    `never true`: by its own guard; `duplicate`: an edge like it comes first; `second default`:
    it has no guard and neither has an earlier edge; `shadowed`: the edges in `earlier` win over
    it. `raises` is true where one of them raises instead in some state. `proven` is false where
    it holds for likely states only.
    """

    edge: Edge
    reason: Literal["never true", "duplicate", "second default", "shadowed"]
    earlier: tuple[Edge, ...] = ()
    raises: bool = False
    proven: bool = True


def dead_edges(graph: FlowGraph, index: Index) -> dict[int, DeadEdge]:
    """The edges that are never taken, by their identity."""
    found: dict[int, DeadEdge] = {}
    is_ordered = tries_in_order(graph.semantics)
    for edges in index.outgoing:
        # A node with one edge and no guard, which is most of them, has nothing to decide.
        if not edges or (len(edges) == 1 and edges[0].guard is None):
            continue
        earlier: list[Edge] = []
        for edge in edges:
            dead = _dead(edge, earlier if is_ordered else [], graph.semantics)
            if dead is not None:
                found[id(edge)] = dead
            else:
                earlier.append(edge)
    return found


def tries_in_order(semantics: Semantics) -> bool:
    """Whether the first edge that matches is taken, and no other."""
    return semantics.routing in ("first", "single-switch")


def is_default(edge: Edge) -> bool:
    """Whether the edge is taken whatever the state is."""
    return edge.guard is None and edge.kind == "always"


def formula_of(edge: Edge, semantics: Semantics) -> Formula | None:
    """When an edge is taken, as far as its guard says; None: cannot be told."""
    if edge.guard is None:
        return Truth(True) if is_default(edge) else None
    # An async guard is wrong in a way of its own where it is called as a plain function.
    if edge.guard.is_async and semantics.guards != "sync-or-async":
        return None
    return edge.guard.formula


def is_duplicate(first: Edge, second: Edge) -> bool:
    """Whether two edges of one source say the same thing."""
    if (first.target, first.kind, first.label) != (second.target, second.kind, second.label):
        return False
    if first.kind not in ("always", "when", "outcome") or first.group or second.group:
        return False
    one, other = first.guard, second.guard
    if one is None or other is None:
        return one is other
    if (one.text, one.definition) != (other.text, other.definition):
        return False
    # One place in a loop makes different guards of the same text.
    return repr(one.formula) == repr(other.formula) and (
        one.formula is not None or one.span != other.span
    )


def _dead(edge: Edge, earlier: Sequence[Edge], semantics: Semantics) -> DeadEdge | None:
    formula = formula_of(edge, semantics)
    if can_match(formula) is False:
        return DeadEdge(edge, "never true")
    before = [other for other in earlier if whenever(edge.presence, other.presence)]
    if not before:
        return None
    for other in before:
        if is_duplicate(other, edge):
            return DeadEdge(edge, "duplicate", (other,))
    default = next(filter(is_default, before), None)
    if default is not None:
        return DeadEdge(edge, "second default" if is_default(edge) else "shadowed", (default,))
    return _shadow(edge, formula, before, semantics)


def _shadow(
    edge: Edge, formula: Formula | None, before: Sequence[Edge], semantics: Semantics
) -> DeadEdge | None:
    formulas = [formula_of(other, semantics) for other in before]
    result = shadowed(formula, formulas)
    if result:
        for other, its in zip(before, formulas, strict=True):
            if shadowed(formula, [its]) == result:
                return DeadEdge(edge, "shadowed", (other,), raises=result == "raises")
        known = [other for other, its in zip(before, formulas, strict=True) if its is not None]
        return DeadEdge(edge, "shadowed", tuple(known), raises=result == "raises")
    if is_default(edge) and uncovered(formulas) is False:
        return DeadEdge(edge, "shadowed", tuple(before), proven=False)
    return None
