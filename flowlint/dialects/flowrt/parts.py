"""Parts of flows, however they are written: calls in Python, mappings in data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flowlint.dialects.flowrt.model import EDGE, PARAMETERS, REQUIRED, SWITCH
from flowlint.graph.definitions.parts import may_hold_regions
from flowlint.graph.model import Violation
from flowlint.graph.reference_fields import (
    FIELDS,
    REGION_SLOTS,
    Field,
    PartKind,
    duration,
    fits,
    known_fields,
    missing_field,
    unknown_field,
    wrong_type,
)
from flowlint.source import Span
from flowlint.values.model import Argument, Built, Const, Mapped, Sequence, Unknown, Value

_DATA_NAMES = {"src": "from", "dst": "to"}


@dataclass(slots=True)
class Part:
    """A flow, node, edge or what else: its fields under the names they have in data.

    `owner` is how it is spoken of. `spread` tells that it may have fields that are not known.
    """

    span: Span
    owner: str
    fields: Mapping[str, Argument]
    spread: bool = False
    faults: list[Violation] = field(default_factory=list)

    def find(self, name: str) -> Argument | None:
        """The field of a name, None where it is not given."""
        return self.fields.get(name)

    def get(self, name: str) -> Value | None:
        """The value of a field, None where it is not given."""
        found = self.fields.get(name)
        return found.value if found is not None else None

    def is_given(self, name: str) -> bool:
        """Whether a field may have a value other than None."""
        value = self.get(name)
        if value is None:
            return self.spread
        return not (isinstance(value, Const) and value.value is None)


def part_of_built(built: Built) -> Part:
    """A part that a call in Python makes, with what the call gives it in vain."""
    model = built.model
    positional, named = PARAMETERS[model]
    owner = f"{model.key.removeprefix('flowrt.')}(…)"
    span = built.origin.span()
    fields: dict[str, Argument] = {}
    part = Part(span, owner, fields, built.arguments.spread)
    is_known = True
    places = iter(positional)
    for item in built.arguments.items:
        if item.spread:
            is_known = item.spread == "**"
        elif item.name is None and is_known:
            name = next(places, None)
            if name is None:
                said = f"{owner} is given too many arguments"
                part.faults.append(Violation(span, said, "give the others by name"))
            else:
                fields[_data_name(built, name)] = item
        elif item.name is not None and item.name in (*positional, *named):
            fields[_data_name(built, item.name)] = item
        elif item.name is not None:
            place = (item.place or item.value.origin).span()
            fault = unknown_field(owner, item.name, (*positional, *named), place)
            part.faults.append(fault)
    if not part.spread:
        for name in REQUIRED[model]:
            # A flow without entry is told as such.
            if _data_name(built, name) not in fields and name != "entry":
                part.faults.append(missing_field(owner, name, span))
    return part


def _data_name(built: Built, name: str) -> str:
    return _DATA_NAMES.get(name, name) if built.model in (EDGE, SWITCH) else name


def part_of_mapping(kind: PartKind, value: Mapped, owner: str = "The part") -> Part:
    """A part that is a mapping in data, with what its shape has of faults."""
    span = value.origin.span()
    fields: dict[str, Argument] = {}
    part = Part(span, owner, fields)
    known = _known_fields(kind, value)
    may_hold = kind == "node" and _may_hold_regions(value)
    for entry in value.entries:
        place = (entry.place or entry.key.origin).span()
        name = entry.key.value if isinstance(entry.key, Const) else None
        if name is None or not isinstance(name, str):
            shown = str(name)
            part.faults.append(unknown_field(owner, shown, known, place))
            continue
        if name not in known:
            # Where the kind is wrong, that is told.
            if not (may_hold and name in REGION_SLOTS):
                part.faults.append(unknown_field(owner, name, known, place))
        elif isinstance(entry.value, Unknown):
            continue
        elif not is_null(entry.value) and not fits(plain(entry.value), known[name]):
            part.faults.append(wrong_type(owner, name, known[name], entry.value.origin.span()))
        elif is_null(entry.value) and known[name].required:
            part.faults.append(missing_field(owner, name, place))
        elif not is_null(entry.value):
            fields[name] = Argument(entry.value, name)
    written = {entry.key.value for entry in value.entries if isinstance(entry.key, Const)}
    for name, about in known.items():
        if about.required and name not in written and value.rest is None:
            part.faults.append(missing_field(owner, name, span))
    return part


def _known_fields(kind: PartKind, value: Mapped) -> Mapping[str, Field]:
    if kind != "node":
        return FIELDS[kind]
    stated = next((e.value for e in value.entries if plain(e.key) == "kind"), None)
    return known_fields(plain(stated) if stated is not None else None)


def _may_hold_regions(value: Mapped) -> bool:
    return may_hold_regions({plain(entry.key): plain(entry.value) for entry in value.entries})


def is_null(value: Value) -> bool:
    """Whether a value is null."""
    return isinstance(value, Const) and value.value is None


def plain(value: Value) -> object:
    """A value of data as far as its type goes: containers are given empty."""
    if isinstance(value, Const):
        return value.value
    return {} if isinstance(value, Mapped) else [] if isinstance(value, Sequence) else value


def number_of(value: Value | None) -> float | None:
    """A number or a duration in seconds, None for anything else."""
    return duration(value.value) if isinstance(value, Const) else None
