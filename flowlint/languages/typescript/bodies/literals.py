"""Literals in a body: objects, arrays, templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.bodies.names import Names
from flowlint.languages.bodies.tables import spread, with_key
from flowlint.languages.typescript.bodies.closures import closure
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.languages.typescript.reading.literals import unescaped
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Givens, Plain, Row, Table

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_TEXTS = 8
"""Texts that a template may come to and are told apart."""


def mapping(frame: Frame, node: Node, names: Names) -> Givens:
    """An object literal."""
    table = Table((), frame.span(node), identity=frame.work.number())
    for part in children(node):
        if part.type == "pair":
            key_node, value_node = (
                part.child_by_field_name("key"),
                part.child_by_field_name("value"),
            )
            if key_node is None or value_node is None:
                continue
            values = frame.evaluate(value_node, names)
            table = with_key(table, _key(frame, key_node, names), values, frame.span(key_node))
        elif part.type == "shorthand_property_identifier":
            own: Givens = (Plain(frame.text(part), frame.span(part)),)
            table = with_key(table, own, frame.evaluate(part, names), frame.span(part))
        elif part.type == "spread_element":
            table = spread(table, _inner(frame, part, names), frame.span(part))
        elif part.type == "method_definition":
            name_node = part.child_by_field_name("name")
            if name_node is not None:
                key = _key(frame, name_node, names)
                table = with_key(table, key, closure(frame, part, names), frame.span(name_node))
    return (table,)


def _key(frame: Frame, node: Node, names: Names) -> Givens:
    if node.type == "computed_property_name":
        return _inner(frame, node, names)
    if node.type in ("string", "number"):
        return frame.evaluate(node, names)
    return (Plain(frame.text(node), frame.span(node)),)


def array(frame: Frame, node: Node, names: Names) -> Givens:
    """An array literal."""
    items: list[Givens] = []
    more = repeated = False
    for part in children(node):
        if part.type != "spread_element":
            items.append(frame.evaluate(part, names))
            continue
        inner = _inner(frame, part, names)
        if len(inner) == 1 and isinstance(inner[0], Row):
            items += inner[0].items
            more, repeated = more or inner[0].more, repeated or inner[0].repeated
        else:
            frame.leak(inner)
            more = True
    number = frame.work.number()
    return (Row("list", tuple(items), frame.span(node), more, repeated, number),)


def texts(frame: Frame, parts: list[Givens], node: Node) -> Givens:
    """A text put together of parts, where all of these are constants."""
    whole = [""]
    are_texts = False
    for part in parts:
        plain = [given for given in part if isinstance(given, Plain)]
        if not plain or len(plain) != len(part) or len(whole) * len(plain) > MAX_TEXTS:
            return frame.opaque("a text that is put together", node)
        are_texts |= all(isinstance(given.value, str) for given in plain)
        if not all(isinstance(given.value, str | int) for given in plain):
            return frame.opaque("a text that is put together", node)
        whole = [text + _written(given) for text in whole for given in plain]
    if not are_texts:
        return frame.opaque("a computed value", node)
    return tuple(Plain(text, frame.span(node)) for text in dict.fromkeys(whole))


def _written(given: Plain) -> str:
    if isinstance(given.value, bool):
        return "true" if given.value else "false"
    return str(given.value)


def template(frame: Frame, node: Node, names: Names) -> Givens:
    """A template: constants where all of its holes are."""
    parts: list[Givens] = [(Plain("", frame.span(node)),)]
    at = node.start_byte + 1
    source = frame.scope.module.parsed.text
    for hole in children(node):
        if hole.type != "template_substitution":
            continue
        parts.append((Plain(unescaped(source.slice(at, hole.start_byte)), frame.span(node)),))
        at = hole.end_byte
        inner = children(hole)
        if inner:
            parts.append(frame.evaluate(inner[0], names))
    parts.append((Plain(unescaped(source.slice(at, node.end_byte - 1)), frame.span(node)),))
    return texts(frame, parts, node)


def _inner(frame: Frame, node: Node, names: Names) -> Givens:
    """The value inside of a spread or of brackets."""
    parts = children(node)
    return frame.evaluate(parts[0], names) if parts else frame.opaque("nothing", node)
