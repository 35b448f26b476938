"""What holds of a declared system where its declaration says nothing.

Nothing is refused and nothing is lost: what a system does with a fault has to be stated before
anybody is told that it does so.
"""

from __future__ import annotations

from flowlint.graph.model import Semantics


def semantics_of(title: str, built_by: str) -> Semantics:
    """The mildest semantics of a system of this name."""
    return Semantics(
        system=title,
        built_by=built_by,
        routing="all",
        join="any",
        cycles="allowed",
        end="implicit",
        unmatched_route="ends-silently",
        failure="raises",
        on_unreachable="silent",
        on_unknown_name="silent",
        on_duplicate_node="silent",
        on_missing_entry="silent",
        on_empty="allowed",
        on_duplicate_edge="collapsed",
        guards="sync-or-async",
        step_bound_name="",
    )
