"""Adding cases and fields to objects and arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.changes import AddCase, SetField
from flowlint.languages.edits import Made
from flowlint.languages.typescript.changing.code import (
    Code,
    key_of,
    name_of_key,
    parts,
    said_by,
    unwrapped,
    wrapped,
)
from flowlint.languages.typescript.changing.texts import (
    imported,
    key_text,
    quote_of,
    written,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def set_field(change: SetField, code: Code) -> Made | None:
    """A property with a text, in the place of the one there or behind the others."""
    holder = _object_at(change, code)
    if holder is None:
        return None
    members = parts(holder)
    given = [part for part in members if name_of_key(key_of(part), code) == change.name]
    if given:
        value = given[-1].child_by_field_name("value")
        inner = unwrapped(value) if value is not None else None
        if inner is None or said_by(inner, code) is None:
            return None
        text = written(change.value, code.text(inner)[0])
        return None if text is None else Made((code.edit(inner.start_byte, inner.end_byte, text),))
    if any(part.type == "spread_element" for part in members):
        return None
    key, text = key_text(change.name, holder, code), written(change.value, quote_of(code))
    if key is None or text is None:
        return None
    return _behind(holder, f"{key}: {text}", code)


def _object_at(change: SetField, code: Code) -> Node | None:
    """The object at a place: itself, the value of a property, or what a call is given first."""
    node = code.at(change.span)
    if node is not None and node.type == "pair":
        node = node.child_by_field_name("value")
    node = unwrapped(node) if node is not None else None
    if node is not None and node.type in ("call_expression", "new_expression"):
        arguments = node.child_by_field_name("arguments")
        given = parts(arguments) if arguments is not None else []
        node = unwrapped(given[0]) if given else None
    return node if node is not None and node.type == "object" else None


def add_case(change: AddCase, code: Code) -> Made | None:
    """One more case behind the others of an object or array."""
    node = code.at(change.beside)
    holder = wrapped(node).parent if node is not None else None
    if holder is not None and holder.type == "pair":
        holder = holder.parent
    if holder is None:
        return None
    if holder.type == "object":
        values = [
            value
            for part in parts(holder)
            if (value := part.child_by_field_name("value")) is not None
        ]
        key, target = _key(change, holder, code), _value(change.target, change, values, code)
        said = None if key is None or target is None else f"{key}: {target}"
    elif holder.type == "array" and change.value == change.target:
        said = _value(change.value, change, parts(holder), code)
    else:
        return None
    return None if said is None else _behind(holder, said, code)


def _key(change: AddCase, holder: Node, code: Code) -> str | None:
    name = _marker(change.value, change, code)
    return f"[{name}]" if name is not None else key_text(change.value, holder, code)


def _value(text: str, change: AddCase, beside: list[Node], code: Code) -> str | None:
    """A value as the code writes it, between quotes like those beside it."""
    name = _marker(text, change, code)
    if name is not None:
        return name
    literals = [unwrapped(value) for value in beside]
    quotes = [code.text(value)[0] for value in literals if said_by(value, code) is not None]
    return written(text, quotes[-1] if quotes else quote_of(code))


def _marker(text: str, change: AddCase, code: Code) -> str | None:
    marker = change.marker
    return imported(marker, code) if marker is not None and marker.value == text else None


def _behind(holder: Node, said: str, code: Code) -> Made | None:
    """A part behind the last one, in a line of its own if that has one."""
    members = parts(holder)
    if not members:
        start, end = holder.start_byte + 1, holder.end_byte - 1
        is_empty = not code.data[start:end].strip()
        inner = f" {said} " if holder.type == "object" else said
        return Made((code.edit(start, end, inner),)) if is_empty else None
    last = members[-1]
    end, comma = last.end_byte, last.next_sibling
    has_comma = comma is not None and comma.type == ","
    stop = comma.end_byte if comma is not None and has_comma else end
    indent = code.indent(last)
    if indent is None or not code.is_alone(last.start_byte, stop):
        return Made((code.edit(end, end, f", {said}"),))
    if not has_comma:
        return Made((code.edit(end, end, f",\n{indent}{said}"),))
    line_end = code.line_end(stop)
    return Made((code.edit(line_end, line_end, f"{indent}{said},\n"),))
