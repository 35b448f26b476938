"""Edges of definitions and builders as edges of a flow."""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.dialects.agentsflow.model import OUTCOMES
from flowlint.graph.guards import Guard
from flowlint.graph.model import Edge, Presence
from flowlint.source import Span


@dataclass(frozen=True, slots=True)
class Ends:
    """The names an edge leads from and to, and where they stand."""

    source: str
    target: str
    source_span: Span
    target_span: Span


def edge_between(
    ends: Ends,
    span: Span,
    condition: str,
    guard: Guard | None,
    presence: Presence,
    order: int,
) -> Edge:
    """An edge with a condition; one that a predicate decides may lead back."""
    is_decided = condition == "on_condition"
    after = OUTCOMES.get(condition, "ok")
    label = condition if after != "ok" else None
    if is_decided and guard is not None:
        label = guard.text
    return Edge(
        ends.source,
        ends.target,
        span,
        ends.source_span,
        ends.target_span,
        "outcome" if after != "ok" else "when" if is_decided else "always",
        label,
        guard if is_decided else None,
        presence=presence,
        order=order,
        after=after,
        back=is_decided,
    )
