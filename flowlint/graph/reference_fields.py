"""The fields of flow definitions that are written as data, and how their faults are told."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Literal

from flowlint.graph.model import Violation
from flowlint.graph.reference import KINDS
from flowlint.graph.reference_faults import near, near_rename, one_of
from flowlint.source import Span

Type = Literal["text", "integer", "number", "duration", "boolean", "list", "mapping"]
PartKind = Literal[
    "flow", "node", "edge", "switch edge", "switch", "call", "retry", "region", "permissions"
]

IN_WORDS: Mapping[Type, str] = MappingProxyType(
    {
        "text": "a text",
        "integer": "a whole number",
        "number": "a number",
        "duration": 'a number of seconds or a text such as "30s"',
        "boolean": "true or false",
        "list": "a list",
        "mapping": "a mapping",
    }
)

FORMAT = 1
"""The version of the format, which a definition states under its key `flowrt`."""

SCHEMA_ID = f"urn:flowrt:definition:{FORMAT}"
"""The identity of the schema of definitions, which a definition may name under `$schema`."""

SCHEMA_FILE = "flowrt.schema.json"
"""How the schema is called where it is kept as a file; `$schema` may be its address."""

_LONGEST_PLACE = 160
_MOST_NAMED = 8
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+\Z")
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")


@dataclass(frozen=True, slots=True)
class Field:
    """What may be written under a key. `types` empty: anything."""

    types: tuple[Type, ...] = ()
    required: bool = False


_TEXT = Field(("text",))
_NAME = Field(("text",), required=True)
_LIST = Field(("list",))
_MAPPING = Field(("mapping",))
_DURATION_FIELD = Field(("duration",))
_INTEGER = Field(("integer",))
_NUMBER = Field(("number",))

FIELDS: Mapping[PartKind, Mapping[str, Field]] = MappingProxyType(
    {
        "flow": {
            "flowrt": Field(("integer",), required=True),
            "$schema": _TEXT,
            "flowlint": _MAPPING,
            "name": _NAME,
            "title": _TEXT,
            "entry": _TEXT,
            "routing": _TEXT,
            "nodes": Field(("list",), required=True),
            "edges": _LIST,
            "max_steps": _INTEGER,
            "max_parallel": _INTEGER,
            "merge": _MAPPING,
            "permissions": _MAPPING,
            "description": _TEXT,
        },
        "node": {
            "name": _NAME,
            "kind": _TEXT,
            "run": _TEXT,
            "timeout": _DURATION_FIELD,
            "heartbeat": _DURATION_FIELD,
            "retry": _MAPPING,
            "join": _TEXT,
            "detail": _TEXT,
            "config": _MAPPING,
            "before": _LIST,
            "after": _LIST,
        },
        "edge": {
            "from": _NAME,
            "to": _NAME,
            "when": Field(("text", "mapping")),
            "outcome": _TEXT,
            "priority": _INTEGER,
            "prompt": Field(),
        },
        "switch edge": {
            "from": _NAME,
            "switch": Field(("mapping",), required=True),
            "priority": _INTEGER,
        },
        "switch": {
            "on": _NAME,
            "cases": Field(("mapping",), required=True),
            "default": _TEXT,
        },
        "call": {"call": _NAME},
        "retry": {
            "attempts": _INTEGER,
            "delay": _DURATION_FIELD,
            "factor": _NUMBER,
            "max_delay": _DURATION_FIELD,
            "jitter": _NUMBER,
        },
        "region": {
            "nodes": Field(("list",), required=True),
            "edges": _LIST,
            "entry": _TEXT,
            "routing": _TEXT,
        },
        "permissions": {"mode": _TEXT, "explicit": Field(("boolean",)), "reason": _TEXT},
    }
)

REGION_FIELDS: Mapping[str, Mapping[str, Field]] = MappingProxyType(
    {
        "repeat": {"body": _MAPPING},
        "parallel": {"branches": _MAPPING},
        "attempt": {"try": _MAPPING, "catch": _MAPPING},
    }
)
"""Where nodes of a kind hold their regions; kinds of others hold them in `regions`."""

OTHER_REGIONS: Mapping[str, Field] = MappingProxyType({"regions": _MAPPING})
REGION_SLOTS = ("body", "branches", "try", "catch", "regions")
"""All fields that hold regions."""
GROUPS = frozenset({"branches", "regions"})
"""Fields that hold regions by their names; other region fields hold one."""


def known_fields(kind: object) -> Mapping[str, Field]:
    """What a node of a kind may have; without a kind it is a step."""
    fields = FIELDS["node"]
    of_kind = "step" if kind is None else kind
    if not isinstance(of_kind, str) or of_kind not in KINDS:
        return {**fields, **OTHER_REGIONS}
    return {**fields, **REGION_FIELDS.get(of_kind, {})}


def duration(value: object) -> float | None:
    """A duration in seconds: a number, or a text such as "30s", "5m" or "1h30m"."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            return inf
    if isinstance(value, str) and _DURATION.match(value):
        return sum(float(amount) * _UNITS[unit] for amount, unit in _AMOUNT.findall(value))
    return None


def fits(value: object, field: Field) -> bool:
    """Whether a plain value (None for null) may be written in a field."""
    return not field.types or any(_is_of(value, kind) for kind in field.types)


def _is_of(value: object, kind: Type) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "duration":
            return duration(value) is not None
        case "boolean":
            return isinstance(value, bool)
        case "list":
            return isinstance(value, list)
        case "mapping":
            return isinstance(value, dict)


def unknown_field(owner: str, name: str, known: Collection[str], span: Span) -> Violation:
    """A key that means nothing here."""
    fields = [*known]
    named = one_of(fields) if 1 < len(fields) <= _MOST_NAMED else "remove it, or correct its name"
    cure = near(name, known, f"use `{fields[0]}`" if len(fields) == 1 else named)
    said = f"{_cut(owner)} has a field `{name}`, which flowrt does not know"
    return Violation(span, said, cure, rule="unknown-field", rename=near_rename(span, name, known))


def missing_field(owner: str, name: str, span: Span) -> Violation:
    """A key that has to be there."""
    return Violation(span, f"{_cut(owner)} has no field `{name}`", f"add `{name}`")


def wrong_type(owner: str, name: str, field: Field, span: Span) -> Violation:
    """A value that cannot be meant."""
    words = " or ".join(IN_WORDS[kind] for kind in field.types)
    holder = _cut(owner)
    return Violation(span, f"Field `{name}` of {holder[:1].lower()}{holder[1:]} is to be {words}")


def no_mapping(path: str, span: Span) -> Violation:
    """Something that is to be written as a mapping and is not."""
    return Violation(span, f"`{_cut(path)}` is to be a mapping")


def _cut(place: str) -> str:
    """A place that can be read: of one deep in regions only how it begins and ends."""
    half = _LONGEST_PLACE // 2
    return place if len(place) <= _LONGEST_PLACE else f"{place[:half]} … {place[-half:]}"


def wrong_format(value: object, span: Span) -> Violation:
    """A version of the format that is not known."""
    said = f"The format version is {value!r}, which this flowrt does not read"
    return Violation(span, said, f"write {FORMAT}")
