"""What is wrong with the shape of a definition, as findings with the path of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph, Violation
from flowlint.graph.reference import semantics_of
from flowlint.graph.reference_fields import (
    FIELDS,
    Field,
    Type,
    known_fields,
    missing_field,
    no_mapping,
    unknown_field,
    wrong_format,
    wrong_type,
)
from flowlint.rules.check import check_graph
from flowlint.source import Span

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


def findings_of(name: str, violations: Sequence[Violation]) -> tuple[Finding, ...]:
    """The findings for faults that leave no graph to look at."""
    span = Span(f"<flow {name}>", 1, 1, 1, 1)
    graph = FlowGraph(
        name,
        "flowrt",
        span,
        semantics_of("first"),
        violations=tuple(violations),
        malformed=True,
    )
    return tuple(check_graph(graph))


def shape_faults(error: ValidationError, data: object) -> list[Violation]:
    """The faults that pydantic found in `data`, told as flowlint's dialect tells them."""
    found = []
    for number, item in enumerate(error.errors(include_url=False, include_input=False)):
        parts = (p for p in item["loc"] if not (isinstance(p, str) and p.startswith("<")))
        location = tuple(parts)
        span = Span("<definition>", number + 1, 1, number + 1, 1)
        found.append(_violation(item["type"], item["msg"], location, data, span))
    return found


def _violation(kind: str, message: str, location: _Location, data: object, span: Span) -> Violation:
    *outer, last = location or ("",)
    holder = tuple(outer)
    owner = owner_of(holder)
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


def owner_of(location: _Location) -> str:
    """How the holder of a field is spoken of."""
    return f"`{path_of(location)}`" if location else "The flow"


def path_of(location: _Location) -> str:
    """A place in a definition, such as `nodes[2].body.edges[0]`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return text.removeprefix(".")


def _known(location: _Location, data: object) -> Mapping[str, Field]:
    """The fields that the part at a place may have."""
    value: Any = data
    for part in location:
        value = value[part]
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
