"""Names after more rounds of a loop than were followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Names
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.values.bodies import Given, Opaque, Plain, Row, Table

if TYPE_CHECKING:
    from tree_sitter import Node


def widened(frame: Frame, node: Node | None, before: Names, after: Names | None) -> Names | None:
    """The names after a loop: what its last round brought may be something else after the next."""
    if node is None or after is None:
        return after
    left = dict(after)
    for name, givens in after.items():
        known = before.get(name)
        if known is None or known is givens:
            continue
        if not {*map(_look, givens)} <= {*map(_look, known)}:
            left[name] = joined(givens, frame.opaque("what a loop gives", node))
    return left


def _look(given: Given) -> object:
    """What makes two values alike, whenever they were made."""
    match given:
        case Plain():
            return "plain", type(given.value), given.value, given.member
        case Table():
            keys = [
                (key.name, key.certain, frozenset(map(_look, key.values))) for key in given.keys
            ]
            return "table", frozenset(keys), given.more, given.whole is not None
        case Row():
            items = tuple(frozenset(map(_look, item)) for item in given.items)
            return "row", items, given.more, given.repeated
    return Opaque if isinstance(given, Opaque) else type(given), given.span
