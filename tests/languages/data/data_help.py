"""Values of data as plain Python, and with their places."""

from __future__ import annotations

from typing import Any

from flowlint.languages.places import Documents
from flowlint.source import Span
from flowlint.values.model import Const, Mapped, Sequence, Value


def plain(value: Value) -> Any:
    """The value as `json.loads` would give it."""
    if isinstance(value, Mapped):
        return {plain(entry.key): plain(entry.value) for entry in value.entries}
    if isinstance(value, Sequence):
        return [plain(item.value) for item in value.items]
    assert isinstance(value, Const)
    return value.value


def written(value: Value) -> list[str]:
    """Every value with its place, outer ones first; keys before what they name."""
    place = shown(value.origin.span())
    if isinstance(value, Mapped):
        inner = [line for e in value.entries for line in (*written(e.key), *written(e.value))]
        return [place, *inner]
    if isinstance(value, Sequence):
        return [place, *(line for item in value.items for line in written(item.value))]
    assert isinstance(value, Const)
    return [f"{place} {value.value}"]


def shown(span: Span) -> str:
    return f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"


def shown_faults(documents: Documents) -> list[str]:
    return [f"{shown(fault.span)} {fault.message}" for fault in documents.faults]
