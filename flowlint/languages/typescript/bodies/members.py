"""Properties of values in a body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined
from flowlint.languages.typescript.bodies.frame import Closure, Frame
from flowlint.values.bodies import Given, Givens, Parameter, Plain, Row, Table, Thing
from flowlint.values.model import Function

if TYPE_CHECKING:
    from tree_sitter import Node


def member(frame: Frame, owner: Given, name: str, node: Node, *, is_asked: bool = False) -> Givens:
    """What a property of a value holds; `is_asked`: read in a way that allows for it to be gone."""
    if isinstance(owner, Parameter):
        place = node.child_by_field_name("property") or node
        return (frame.read_of(owner, name, place, "get" if is_asked else "dot"),)
    if isinstance(owner, Table):
        return element(frame, owner, name, node)
    if isinstance(owner, Thing) and not isinstance(owner.value, Closure):
        machine = frame.work.machine
        value = machine.member(owner.value, name, frame.origin(node))  # type: ignore[arg-type]
        if not isinstance(value, Function) and name in frame.late_writes().properties:
            return frame.opaque(f"`{name}`, which functions write", node)
        return frame.of_value(value, node)
    if isinstance(owner, Row) and name == "length" and not (owner.more or owner.repeated):
        return (Plain(len(owner.items), frame.span(node)),)
    return frame.opaque(f"`{name}` of a value", node)


def element(frame: Frame, table: Table, name: str, node: Node) -> Givens:
    """What a mapping holds under a key."""
    held = next((key for key in reversed(table.keys) if key.name == name), None)
    is_open = table.more or table.whole is not None
    if held is None:
        return frame.opaque(f"`{name}` of an object", node) if is_open else frame.undefined(node)
    unsure = frame.opaque(f"`{name}` of an object", node) if is_open or not held.certain else ()
    return joined(held.values, unsure)
