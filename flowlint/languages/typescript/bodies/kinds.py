"""What `typeof` and `Array.isArray` tell of values in a body."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flowlint.languages.bodies.names import Names
from flowlint.languages.typescript.bodies.frame import Closure, Frame
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Given, Givens, OpaqueText, Plain, Row, Table, Thing
from flowlint.values.model import Class, Function, Instance

if TYPE_CHECKING:
    from tree_sitter import Node

Seen = Callable[[Given], Given | None]
"""What a test looks at of a value: the value itself, or its type; None where that is not known."""


def typeof(given: Given) -> str | None:
    """What `typeof` gives of a value; None where that is not known."""
    match given:
        case Plain(value=None):
            return "object" if given.member == "null" else "undefined"
        case Plain(value=bool()):
            return "boolean"
        case Plain(value=int() | float()):
            return "number"
        case Plain(value=str()) | OpaqueText():
            return "string"
        case Table() | Row() | Thing(value=Instance()):
            return "object"
        case Thing(value=Function() | Class() | Closure()):
            return "function"
    return None


def types_of(frame: Frame, found: Givens, node: Node) -> Givens:
    """What `typeof` gives of something that is one of some values."""
    kinds = list(dict.fromkeys(map(typeof, found)))
    if not kinds or None in kinds:
        return frame.opaque("the type of a value", node)
    return tuple(Plain(kind, frame.span(node)) for kind in kinds)


def looked_at(frame: Frame, node: Node, names: Names) -> tuple[str, Seen] | None:
    """The name of the body's own that a test looks at by itself or by its `typeof`."""
    node = _bare(node)
    seen = _itself
    if node.type == "unary_expression":
        operator, argument = (
            node.child_by_field_name("operator"),
            node.child_by_field_name("argument"),
        )
        if operator is None or operator.type != "typeof" or argument is None:
            return None
        node, seen = _bare(argument), _type
    if node.type != "identifier":
        return None
    name = frame.text(node)
    return (name, seen) if name in names else None


def _itself(given: Given) -> Given | None:
    return given


def _type(given: Given) -> Given | None:
    kind = typeof(given)
    return None if kind is None else Plain(kind, given.span)


def _bare(node: Node) -> Node:
    """An expression without brackets around it."""
    while node.type == "parenthesized_expression" and len(children(node)) == 1:
        node = children(node)[0]
    return node


def is_array(given: Given) -> bool | None:
    """Whether a value is an array; None where that is not known."""
    if isinstance(given, Row):
        return given.kind == "list" or None
    return False if isinstance(given, Table) or typeof(given) not in (None, "object") else None
