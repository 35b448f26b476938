"""What ObjectStack makes of a flow, as data."""

from __future__ import annotations

from dataclasses import replace

from flowlint.dialects.objectstack.kinds import KINDS
from flowlint.graph.model import Semantics

MAX_ENTRIES = 100
"""How often a run may come to one node."""

FLOW = Semantics(
    system="ObjectStack",
    built_by="registerFlow(…)",
    routing="inclusive",
    join="any",
    cycles="marked-back-edges",
    end="implicit",
    unmatched_route="ends-silently",
    failure="routes-by-edge",
    on_unreachable="silent",
    on_unknown_name="silent",
    on_duplicate_node="silent",
    kept_duplicate="first",
    on_missing_entry="silent",
    on_empty="silent",
    on_duplicate_edge="taken-twice",
    on_forbidden_cycle="rejected",
    default_step_bound=MAX_ENTRIES,
    step_bound_name="the limit of entries of one node",
    step_bound_error="`aborting as a runaway loop`",
    node_kinds=tuple(KINDS),
    holds_regions=True,
    start_kind="start",
    no_entry_error="FLOW_NO_START_NODE",
    end_kinds=frozenset({"end"}),
    gate_kinds=frozenset({"decision"}),
    unknown_case="takes-all",
    runs_per_arrival=True,
)
"""A flow as it is registered."""

REGION = replace(
    FLOW,
    cycles="forbidden",
    on_unknown_name="rejected",
    on_duplicate_node="rejected",
    on_empty="rejected",
    start_kind=None,
    on_pause="fails",
)
"""A flow inside of a node: a loop's body, a branch, what is tried, what catches."""
