"""Changing what literal texts and keys say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.changes import Marker, Rename, Reorder, UseMarker
from flowlint.languages.edits import Made, quoted
from flowlint.languages.typescript.changing.code import (
    Code,
    is_identifier,
    key_of,
    name_of_key,
    parts,
    said_by,
    unwrapped,
    wrapped,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_PROPERTIES = frozenset({"pair", "method_definition"})


def rename(change: Rename, code: Code) -> Made | None:
    """Another text, or another key for a value."""
    node = code.at(change.span)
    if node is None:
        return None
    if node.type in _PROPERTIES:
        return _key(key_of(node), change, code)
    inner = unwrapped(node)
    if inner.type in ("property_identifier", "shorthand_property_identifier"):
        return _key(inner, change, code)
    if inner.type == "computed_property_name":
        inner = parts(inner)[0]
    if said_by(inner, code) == change.old:
        text = written(change.new, code.text(inner)[0])
        return None if text is None else _instead(inner, text, code)
    holder = wrapped(node).parent
    if holder is not None and holder.type == "pair":
        return _key(key_of(holder), change, code)
    return None


def _key(key: Node | None, change: Rename, code: Code) -> Made | None:
    if key is None or name_of_key(key, code) != change.old:
        return None
    if key.type == "shorthand_property_identifier":
        new = key_text(change.new, key.parent, code)
        return None if new is None else _instead(key, f"{new}: {change.old}", code)
    if key.type == "property_identifier":
        if is_identifier(change.new):
            return _instead(key, change.new, code)
        if key.parent is None or key.parent.type not in _PROPERTIES:
            return None
        new = written(change.new, quote_of(code))
        return None if new is None else _instead(key, new, code)
    inner = parts(key)[0] if key.type == "computed_property_name" else key
    text = written(change.new, code.text(inner)[0])
    return None if text is None else _instead(inner, text, code)


def _instead(node: Node, text: str, code: Code) -> Made:
    return Made((code.edit(node.start_byte, node.end_byte, text),))


def written(text: str, quote: str) -> str | None:
    """A text between quotes, None where it cannot stand there as it is."""
    return None if quote == "`" and "${" in text else quoted(text, quote)


def quote_of(code: Code) -> str:
    """The quotes that a module uses most."""
    return "'" if code.data.count(b"'") > code.data.count(b'"') else '"'


def key_text(name: str, holder: Node | None, code: Code) -> str | None:
    """A key as the others of an object are written: with quotes only where it takes some."""
    keys = [key_of(part) for part in parts(holder)] if holder is not None else []
    quoted_keys = [key for key in keys if key is not None and key.type == "string"]
    if is_identifier(name) and len(quoted_keys) < max(len(keys), 1):
        return name
    quote = code.text(quoted_keys[0])[0] if quoted_keys else quote_of(code)
    return written(name, quote)


def use_marker(change: UseMarker, code: Code) -> Made | None:
    """A marker instead of the text that sounds like it."""
    node = code.at(change.span)
    inner = unwrapped(node) if node is not None else None
    if inner is None or inner.type == "property_identifier" or said_by(inner, code) != change.old:
        return None
    text = imported(change.marker, code) or written(change.marker.value, code.text(inner)[0])
    return None if text is None else _instead(inner, text, code)


def imported(marker: Marker, code: Code) -> str | None:
    """What the module calls a marker, None where it does not import it."""
    for statement in code.module.tree.root_node.named_children:
        source = statement.child_by_field_name("source")
        if statement.type != "import_statement" or source is None:
            continue
        if marker.package not in code.text(source)[1:-1].split("/"):
            continue
        pending = [statement]
        while pending:
            node = pending.pop()
            if node.type != "import_specifier":
                pending += node.named_children
                continue
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            if name is not None and code.text(name) == marker.name:
                return code.text(alias or name)
    return None


def reorder(change: Reorder, code: Code) -> Made | None:
    """Parts of one array or object in another order; commas and comments stay where they are."""
    found = [node for span in change.spans if (node := code.at(span)) is not None]
    nodes = [wrapped(node) for node in found]
    holders = {node.parent.id for node in nodes if node.parent is not None}
    if len(nodes) < len(change.spans) or len(holders) != 1:
        return None
    if nodes[0].parent is None or nodes[0].parent.type not in ("array", "object"):
        return None
    sources = [code.text(node) for node in nodes]
    return Made(
        tuple(
            code.edit(node.start_byte, node.end_byte, sources[number])
            for node, number in zip(nodes, change.order, strict=True)
            if sources[number] != code.text(node)
        )
    )
