"""Tables of what a declaration of a system may say, from the types that also read it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, get_origin

from flowlint.dialects.declared.declaration import Edges, Entry, Field, Nodes, System, key_of
from flowlint.dialects.declared.defaults import semantics_of
from flowlint.dialects.declared.parsing import choices_of, hints_of, inner_record, plain_type
from flowlint.dialects.declared.schema import docs_of_fields
from flowlint.graph.model import Semantics


def systems_table() -> str:
    """Every key of a system."""
    return _table(System)


def nodes_table() -> str:
    """Every key of `nodes`."""
    return _table(Nodes)


def edges_table() -> str:
    """Every key of `edges`."""
    return _table(Edges)


def entry_table() -> str:
    """Every key of `entry`."""
    return _table(Entry)


def semantics_table() -> str:
    """Every key of `semantics` with its values and what holds where it is not stated."""
    mildest = semantics_of("", "")
    hints = hints_of(Semantics)
    rows = [
        f"| `{key_of(field.name)}` | {_kind(hints[field.name])} | "
        f"{_default(getattr(mildest, field.name))} |"
        for field in dataclasses.fields(Semantics)
        if field.name not in ("system", "built_by")
    ]
    head = ["| key | value | where it is not stated |", "|---|---|---|"]
    return "\n".join([*head, *rows])


def _table(made: type) -> str:
    return "\n".join(["| key | value | what it says |", "|---|---|---|", *_rows(made)])


def _rows(made: type) -> Iterator[str]:
    hints, texts = hints_of(made), docs_of_fields(made)
    for field in dataclasses.fields(made):
        kind = "a table" if field.name == "semantics" else _kind(hints[field.name])
        yield f"| `{key_of(field.name)}` | {kind} | {texts[field.name]} |"
        if made is System and field.name == "name":
            yield "| `title` | a text | How messages call it, where not by its name. |"


def _kind(hint: Any) -> str:
    if hint == Field:
        return "an argument, a position or both"
    if inner_record(hint) is not None:
        return "a table or a list of tables"
    plain = plain_type(hint)
    choices = choices_of(plain)
    if choices is not None:
        return ", ".join(f"`{choice}`" for choice in choices)
    if get_origin(plain) in (tuple, frozenset):
        return "a text or a list of texts"
    if plain is bool:
        return "`true` or `false`"
    return "a whole number above 0" if plain is int else "a text"


def _default(value: object) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, str) and value:
        return f"`{value}`"
    return ""
