"""The tests under which parts of a flow are there."""

from __future__ import annotations

Presence = frozenset[tuple[str, bool]]
"""Pairs of (test, outcome). Empty: always there.

Two parts with equal presence are there together, so an edge under test C between nodes under
test C is never dangling.
"""

ALWAYS: Presence = frozenset()
