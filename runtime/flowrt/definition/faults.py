"""What is wrong with the shape of a definition, as findings with the path of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from flowlint.graph.definitions.parts import may_hold_regions
from flowlint.graph.model import Violation
from flowlint.graph.reference import case_label
from flowlint.graph.reference_fields import (
    FIELDS,
    REGION_SLOTS,
    Field,
    Type,
    known_fields,
    missing_field,
    no_mapping,
    unknown_field,
    wrong_format,
    wrong_type,
)
from flowlint.source import Span
from flowrt.definition.marks import Source

_TYPES: Mapping[str, Type] = {
    "string_type": "text",
    "int_type": "integer",
    "int_from_float": "integer",
    "float_type": "number",
    "bool_type": "boolean",
    "list_type": "list",
    "dict_type": "mapping",
    "model_type": "mapping",
    "model_attributes_type": "mapping",
    "value_error": "duration",
}
_CONDITIONS = frozenset({"when", "merge"})
_Location = tuple[str | int, ...]


def shape_faults(error: ValidationError, source: Source) -> list[Violation]:
    """The faults that pydantic found in a definition, told as flowlint's dialect tells them."""
    found = []
    for item in error.errors(include_url=False, include_input=False):
        parts = (p for p in item["loc"] if not (isinstance(p, str) and p.startswith("<")))
        location = tuple(parts)
        if not _follows_from_another(item["type"], location, source.data):
            found.append(_violation(item["type"], item["msg"], location, source))
    return found


def _follows_from_another(kind: str, location: _Location, data: object) -> bool:
    """Whether it is only a region that is unknown because the kind of its node is wrong."""
    if kind != "extra_forbidden" or location[-1] not in REGION_SLOTS:
        return False
    node = _at(data, location[:-1])
    return location[-3:-2] == ("nodes",) and isinstance(node, Mapping) and may_hold_regions(node)


def _violation(kind: str, message: str, location: _Location, source: Source) -> Violation:
    *outer, last = location or ("",)
    holder = tuple(outer)
    owner = owner_of(holder)
    data = source.data
    span = _span(kind, location, source)
    if location == ("flowrt",) and kind == "literal_error":
        value = data.get("flowrt") if isinstance(data, Mapping) else None
        if not isinstance(value, int) or isinstance(value, bool):
            return wrong_type(owner, "flowrt", FIELDS["flow"]["flowrt"], span)
        return wrong_format(value, span)
    if kind in ("extra_forbidden", "invalid_key"):
        return unknown_field(owner, str(last), _known(holder, data), span)
    if kind == "missing":
        return missing_field(owner, str(last), span)
    expected = _TYPES.get(kind)
    if expected is None:
        return Violation(span, f"{path_of(location)}: {message}")
    if isinstance(last, int) or (holder and holder[-1] in ("branches", "regions")):
        return no_mapping(path_of(location), span)
    is_condition = last == "when" or holder[-1:] == ("merge",)
    types: tuple[Type, ...] = ("text", "mapping") if is_condition else (expected,)
    return wrong_type(owner, str(last), Field(types), span)


def _span(kind: str, location: _Location, source: Source) -> Span:
    """Where a fault is: at a key, at what lacks one, or at a value."""
    if kind == "missing":
        holder = _at(source.data, location[:-1])
        # Null is the same as nothing, but it stands somewhere.
        is_null = isinstance(holder, Mapping) and location[-1] in holder
        return source.span_of(location, True) if is_null else source.span_of(location[:-1])
    return source.span_of(location, kind in ("extra_forbidden", "invalid_key"))


def owner_of(location: _Location) -> str:
    """How the holder of a field is spoken of."""
    return f"`{path_of(location)}`" if location else "The flow"


def path_of(location: _Location) -> str:
    """A place in a definition, such as `nodes[2].body.edges[0]`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return text.removeprefix(".")


def _known(location: _Location, data: object) -> Mapping[str, Field]:
    """The fields that the part at a place may have."""
    value = _at(data, location)
    keys = value if isinstance(value, Mapping) else {}
    if not location:
        return FIELDS["flow"]
    last: Any = location[-1]
    if isinstance(last, int):
        if location[-2] == "nodes":
            return known_fields(keys.get("kind"))
        return FIELDS["switch edge" if "switch" in keys else "edge"]
    if last in ("switch", "retry", "permissions"):
        return FIELDS[last]
    if last == "when" or location[-2:-1] == ("merge",):
        return FIELDS["call"]
    return FIELDS["region"]


def _at(data: object, location: _Location) -> object:
    """The value at a place in a definition."""
    value: Any = data
    for part in location:
        if isinstance(value, Mapping) and part not in value:
            return next((held for key, held in value.items() if case_label(key) == part), None)
        value = value[part]
    return value
