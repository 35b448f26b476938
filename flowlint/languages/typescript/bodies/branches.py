"""Parts of expressions that need not be evaluated: what they do to names may be done after them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Names
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.values.bodies import Givens

if TYPE_CHECKING:
    from tree_sitter import Node

LOOKING = frozenset(
    {"false", "identifier", "member_expression", "null", "number", "string", "true", "undefined"}
)
"""Expressions that change nothing."""


def one_of(
    frame: Frame, ways: Sequence[tuple[Node | None, Names | None]], names: Names
) -> list[Givens]:
    """What each of some expressions gives, of which one is evaluated or none.

    Each goes with the names where it is come to, None where it never is. A way without an
    expression is one on which nothing more is evaluated.
    """
    open_ways = [(node, way) for node, way in ways if way is not None]
    found: list[Givens] = []
    changed: set[str] = set()
    frame.work.doubts += len(open_ways) > 1
    for node, way in open_ways:
        if node is None:
            continue
        if node.type in LOOKING:
            found.append(frame.evaluate(node, way))
            continue
        begun = dict(way)
        found.append(frame.evaluate(node, way))
        if way != begun:
            changed |= {name for name in way if name in names and way[name] != begun.get(name)}
    frame.work.doubts -= len(open_ways) > 1
    for name in changed:
        names[name] = joined(*(way[name] for _, way in open_ways if name in way))
    return found
