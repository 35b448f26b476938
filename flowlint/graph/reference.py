"""What the reference runtime flowrt makes of a flow, as data.

The runtime, which holds flows as objects, and its dialect, which reads them from source, both
stand on this module, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from flowlint.graph.model import ALWAYS, Edge, FlowGraph, Presence, Semantics
from flowlint.source import Span

Routing = Literal["first", "all"]

ROUTINGS = ("first", "all")
OUTCOMES = ("ok", "failed", "timed_out", "cancelled")
JOINS = ("any", "all")
MERGES = ("first", "last", "add", "extend", "union")
PERMISSION_MODES = ("deny-all", "approve-reads", "approve-all")

OUTCOME_PATH = "$result.outcome"
BOUNDED_BY = "max_steps"
STOPPED_BY = "kill_switch"


@dataclass(frozen=True, slots=True)
class KindFacts:
    """What a node kind demands of its nodes, as far as the graph is concerned.

    `regions` are the names that its regions must have; `branches` tells that it has any number
    of regions of any names. `optional` regions may be left out.
    """

    runs: bool = False
    """Whether the node needs a function to run."""
    regions: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    branches: bool = False
    may_pause: bool = False


KINDS: Mapping[str, KindFacts] = MappingProxyType(
    {
        "step": KindFacts(runs=True),
        "gate": KindFacts(),
        "loop": KindFacts(),
        "compute": KindFacts(),
        "start": KindFacts(),
        "end": KindFacts(),
        "action": KindFacts(),
        "shell": KindFacts(),
        "checkpoint": KindFacts(may_pause=True),
        "subflow": KindFacts(may_pause=True),
        "wait": KindFacts(may_pause=True),
        "ask": KindFacts(may_pause=True),
        "decision": KindFacts(may_pause=True),
        "agent": KindFacts(),
        "repeat": KindFacts(regions=("body",)),
        "parallel": KindFacts(branches=True),
        "attempt": KindFacts(regions=("try",), optional=("catch",)),
    }
)
"""The kinds that flowrt brings along. Others have a dot in their names: `acme.translate`."""

MAX_REGION_DEPTH = 64
"""How many regions may stand in each other."""

_FIRST = Semantics(
    system="flowrt",
    built_by="Flow(…)",
    routing="first",
    join="any",
    cycles="allowed",
    end="implicit",
    unmatched_route="raises",
    failure="routes-by-edge",
    on_unreachable="rejected",
    on_unknown_name="rejected",
    on_duplicate_node="rejected",
    on_missing_entry="rejected",
    on_empty="rejected",
    on_duplicate_edge="silent",
    on_forbidden_cycle="rejected",
    guards="sync",
    kinds_document_shape=True,
    default_step_bound=None,
    step_bound_name=BOUNDED_BY,
    node_kinds=tuple(KINDS),
    on_endless_loop="rejected",
    holds_regions=True,
)
_SEMANTICS: Mapping[str, Semantics] = {
    "first": _FIRST,
    "all": replace(_FIRST, routing="all", cycles="forbidden", join="any-with-skip"),
}


def semantics_of(routing: str) -> Semantics:
    """How flowrt treats a flow or region of this routing; an unknown one counts as `first`."""
    return _SEMANTICS.get(routing, _FIRST)


_LONGEST_WHOLE = 1e21
"""From here on a whole number is written with an exponent, as JavaScript does."""


def case_label(value: object) -> str:
    """The text by which a switch finds a value among its cases."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < _LONGEST_WHOLE:
        # JSON does not tell 1.0 from 1.
        return str(int(value))
    return value if isinstance(value, str) else "null" if value is None else str(value)


def is_foreign(kind: str) -> bool:
    """Whether a kind has the name of one that others register: it has a dot."""
    return "." in kind.strip(".")


def names_within(regions: Mapping[str, FlowGraph]) -> frozenset[str] | None:
    """The names of the nodes in the regions of a node, None where they are not all known."""
    if any(region.hides("nodes") for region in regions.values()):
        return None
    return frozenset(node.name for region in regions.values() for node in region.nodes)


def runs_beside_each_other(graph: FlowGraph) -> bool | None:
    """Whether some nodes of a flow may run at the same time, None where that cannot be told."""
    pending = [graph]
    for single in pending:
        if single.semantics.routing == "all":
            return True
        if any(node.kind == "parallel" or node.kind not in KINDS for node in single.nodes):
            return True
        pending += [region for node in single.nodes for region in node.regions.values()]
    return None if any(single.gaps for single in pending) else False


def by_priority(edges: Sequence[tuple[int, Edge]]) -> tuple[Edge, ...]:
    """The edges in the order in which flowrt tries them: by falling priority, then as written."""
    ordered = sorted(edges, key=lambda pair: -pair[0])
    return tuple(edge for _, edge in ordered)


def case_edge(
    source: str,
    target: str,
    on: str,
    label: str | None,
    spans: tuple[Span, Span, Span],
    *,
    order: int,
    presence: Presence = ALWAYS,
) -> Edge:
    """The edge of one case of a switch, or of its default (label None).

    `spans` are the places of the whole, the source's and the target's name.
    """
    is_outcome = on == OUTCOME_PATH and label is not None and label != "ok"
    return Edge(
        source,
        target,
        *spans,
        "outcome" if is_outcome else "case",
        "default" if label is None else label,
        presence=presence,
        order=order,
        after=label if is_outcome and label is not None else "ok",
    )
