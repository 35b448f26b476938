"""`try` and what is done when something fails: with the names of every moment in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.names import Names, meet
from flowlint.languages.typescript.bodies.assigning import unsure
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.languages.typescript.bodies.patterns import bind
from flowlint.values.bodies import Given, Row, Table

if TYPE_CHECKING:
    from tree_sitter import Node

_WITHOUT_RISK = frozenset(
    {
        *("array", "computed_property_name", "comment", "escape_sequence", "expression_statement"),
        *("false", "null", "number", "object", "pair", "parenthesized_expression"),
        *("property_identifier", "return_statement", "statement_block", "string"),
        *("string_fragment", "true", "undefined"),
    }
)
"""What runs without anything that can fail, where it holds nothing else."""

Inner = Callable[[Frame, "Node | None", "Names | None"], "Names | None"]
"""Reads a block; gives the names after it, None where nothing gets there."""


def attempt(frame: Frame, node: Node, names: Names, inner: Inner) -> Names | None:
    """What a `try` does, with all of its parts."""
    finalizer = node.child_by_field_name("finalizer")
    if finalizer is None:
        return _tried(frame, node, names, inner)
    before, returned = dict(names), len(frame.returns)
    watch: list[Names] = []
    frame.watches.append(watch)
    out = _tried(frame, node, names, inner)
    frame.watches.pop()
    # It is also come to where something was thrown or returned, and then is not gone on from.
    begun = meet([before, *watch]) or before
    until = len(frame.returns)
    body = finalizer.child_by_field_name("body")
    inner(frame, body, dict(begun))
    if len(frame.returns) == until:
        frame.returns[returned:until] = [
            tuple(_open(given) for given in givens) for givens in frame.returns[returned:until]
        ]
    return inner(frame, body, dict(out)) if out is not None else None


def _open(given: Given) -> Given:
    """What was returned may have been changed before anybody got it."""
    if not isinstance(given, Table | Row):
        return given
    changed = unsure(given)
    return replace(changed, more=True) if isinstance(changed, Table | Row) else changed


def _tried(frame: Frame, node: Node, names: Names, inner: Inner) -> Names | None:
    """The names where the body, or what catches, comes to its end."""
    before = dict(names)
    handler = node.child_by_field_name("handler")
    watch: list[Names] = []
    frame.watches.append(watch)
    frame.work.tried += handler is not None
    after = inner(frame, node.child_by_field_name("body"), names)
    frame.work.tried -= handler is not None
    frame.watches.pop()
    if handler is None or _cannot_fail(node.child_by_field_name("body")):
        return after
    started = meet([before, *watch]) or before
    caught = dict(started)
    parameter = handler.child_by_field_name("parameter")
    if parameter is not None:
        bind(frame, parameter, frame.opaque("what was thrown", parameter), caught)
    frame.work.doubts += 1
    after_catch = inner(frame, handler.child_by_field_name("body"), caught)
    frame.work.doubts -= 1
    return meet([after, after_catch])


def _cannot_fail(body: Node | None) -> bool:
    """Whether nothing in a block can throw: it only gives what is written there."""
    pending = [body] if body is not None else []
    while pending:
        node = pending.pop()
        if node.type not in _WITHOUT_RISK:
            return False
        pending += node.named_children
    return True
