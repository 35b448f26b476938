"""Nodes, edges and definitions as records of fields, however they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flowlint.dialects.reading import alternatives
from flowlint.dialects.remembered import remembered
from flowlint.graph.model import ALWAYS
from flowlint.source import Span
from flowlint.values.model import Argument, Built, Const, Mapped, Value


@dataclass(frozen=True, slots=True)
class Field:
    """A field that is given: its value, and where its name and its value stand."""

    value: Value
    key: Span
    place: Span


@dataclass(frozen=True, slots=True)
class Record:
    """The fields of one thing. `is_open` tells that it may have fields which are not known."""

    span: Span
    fields: Mapping[str, Field]
    is_open: bool = False

    def find(self, name: str) -> Field | None:
        """The field of a name; None where it is not given, or given as None."""
        found = self.fields.get(name)
        return None if found is None or is_null(found.value) else found

    def get(self, name: str) -> Value | None:
        """The value of a field, None where it is not given."""
        found = self.find(name)
        return found.value if found is not None else None

    def text(self, name: str) -> str | None:
        """The text that a field surely has, None for anything else."""
        value = self.get(name)
        return value.value if isinstance(value, Const) and isinstance(value.value, str) else None

    def where(self, name: str) -> Span:
        """Where the value of a field stands, else the record."""
        found = self.fields.get(name)
        return found.place if found is not None else self.span


def record_of(value: Value) -> Record | None:
    """The record that a value is, None where it is none or not known."""
    if isinstance(value, Built):
        return _of_call(value)
    if isinstance(value, Mapped):
        return remembered(value, "record", lambda: _of_mapping(value))
    return None


def _of_call(built: Built) -> Record:
    fields: dict[str, Field] = {}
    for item in built.arguments.items:
        if item.name is not None and not item.spread:
            fields[_alias(item.name)] = _field(item)
    return Record(built.origin.span(), fields, built.arguments.spread)


def _alias(name: str) -> str:
    """Fields that are called otherwise in Python than in data."""
    return "from" if name == "from_" else name


def _field(item: Argument) -> Field:
    place = (item.place or item.value.origin).span()
    return Field(item.value, place, place)


def _of_mapping(value: Mapped) -> Record:
    fields: dict[str, Field] = {}
    is_open = value.rest is not None or value.disturbed
    for entry in value.entries:
        if not isinstance(entry.key, Const) or not isinstance(entry.key.value, str):
            is_open = True
        elif entry.presence != ALWAYS:
            is_open = True
            fields.pop(entry.key.value, None)
        else:
            key = entry.key.origin.span()
            fields[_alias(entry.key.value)] = Field(entry.value, key, entry.value.origin.span())
    return Record(value.origin.span(), fields, is_open)


def is_null(value: Value) -> bool:
    """Whether a value is None."""
    return isinstance(value, Const) and value.value is None


def is_plain(value: Value) -> bool:
    """Whether a value is one constant, whatever a test gives."""
    return all(isinstance(one, Const) for _, one in alternatives(value))
