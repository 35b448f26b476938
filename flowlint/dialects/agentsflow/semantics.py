"""What AgentsFlow does with a flow, by the way in which it is run."""

from __future__ import annotations

from dataclasses import replace

from flowlint.graph.model import Semantics

EXPLICIT = Semantics(
    system="AgentsFlow",
    built_by="run_flow()",
    routing="all",
    join="any-with-skip",
    cycles="marked-back-edges",
    end="implicit",
    unmatched_route="ends-silently",
    failure="routes-by-edge",
    on_unreachable="silent",
    on_unknown_name="fails",
    on_duplicate_node="refused-at-once",
    on_missing_entry="silent",
    on_empty="silent",
    on_duplicate_edge="collapsed",
    on_forbidden_cycle="fails",
    guards="sync",
    start_marker="`__start__`",
    end_marker="`__end__`",
    back_cure='give the edge to `{target}` the condition "on_condition", with a predicate that '
    "says when to repeat",
)
"""Edges are added to a builder: a node runs once all that leads to it is resolved."""

DEFINITION = replace(
    EXPLICIT,
    built_by="FlowDefinition(…)",
    join="all",
    on_unknown_name="rejected",
    on_duplicate_node="silent",
    kept_duplicate="last",
    on_duplicate_edge="silent",
    on_forbidden_cycle="rejected",
    guards="none",
)
"""A definition: a node waits for every node that has an edge to it."""

CREW = replace(
    EXPLICIT,
    system="AgentCrew",
    join="all",
    cycles="forbidden",
    failure="raises",
    guards="none",
    on_duplicate_node="silent",
    start_marker=None,
    end_marker=None,
)
"""A crew: an agent waits for all agents before it, and nothing but their order can be said."""

CREW_DEFINITION = replace(
    CREW,
    built_by="CrewDefinition(…)",
    on_unknown_name="rejected",
    on_forbidden_cycle="rejected",
)
"""A crew as data."""

PLAN = replace(
    DEFINITION,
    system="ExecutionPlan",
    built_by="ExecutionPlan(…)",
    cycles="forbidden",
    failure="raises",
    on_duplicate_node="rejected",
    on_duplicate_edge="rejected",
    on_empty="rejected",
    on_missing_entry="rejected",
    start_marker=None,
    end_marker=None,
)
"""A plan of tools: a node waits for those that it depends on."""

BLUEPRINT = replace(
    DEFINITION,
    system="WorkflowBlueprint",
    built_by="the compiler of blueprints",
    on_duplicate_node="refused-at-once",
    on_empty="rejected",
    on_missing_entry="rejected",
    start_marker=None,
    end_marker=None,
)
"""A blueprint of a flow, from which a definition is made."""

BLUEPRINT_CREW = replace(BLUEPRINT, cycles="forbidden", failure="raises")
"""A blueprint of a crew, from which a definition of a crew is made."""
