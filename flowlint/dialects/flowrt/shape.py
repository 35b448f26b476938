"""The shape of definitions that are data, and what flowrt refuses in their own fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from flowlint.dialects.flowrt.parts import Part, part_of_mapping, plain
from flowlint.dialects.remembered import remembered
from flowlint.graph.model import Violation
from flowlint.graph.reference import case_label
from flowlint.graph.reference_fields import (
    FORMAT,
    GROUPS,
    REGION_SLOTS,
    SCHEMA_FILE,
    SCHEMA_ID,
    Field,
    fits,
    missing_field,
    no_mapping,
    wrong_format,
    wrong_type,
)
from flowlint.values.model import Mapped, Sequence, Unknown, Value

_TEXT = Field(("text",))
_TEXT_OR_CALL = Field(("text", "mapping"))


def says_flow(value: Mapped) -> bool:
    """Whether a document says that it is a flow definition.

    It does by `flowrt: 1`, or another number, and where it has no such key by `$schema`.
    """
    stated = [plain(entry.value) for entry in value.entries if plain(entry.key) == "flowrt"]
    if stated:
        return any(isinstance(number, int) and not isinstance(number, bool) for number in stated)
    return any(
        _names_schema(plain(entry.value))
        for entry in value.entries
        if plain(entry.key) == "$schema"
    )


def _names_schema(address: object) -> bool:
    if not isinstance(address, str):
        return False
    file = address.partition("#")[0].replace("\\", "/").rpartition("/")[2]
    return address.removesuffix("#") == SCHEMA_ID or file == SCHEMA_FILE


def document_shape(value: Mapped) -> Iterator[Violation]:
    """Everything that is wrong with the shape of a definition that is data."""
    part = part_of_mapping("flow", value, "The flow")
    yield from part.faults
    stated = part.find("flowrt")
    if stated is not None and plain(stated.value) != FORMAT:
        yield wrong_format(plain(stated.value), stated.value.origin.span())
    yield from _graph(part, "")
    for key, policy in _entries(part.get("merge")):
        if isinstance(policy, Mapped):
            yield from part_of_mapping("call", policy, f"`merge.{key}`").faults
        elif not fits(plain(policy), _TEXT_OR_CALL):
            yield wrong_type("`merge`", key, _TEXT_OR_CALL, policy.origin.span())
    permissions = part.get("permissions")
    if isinstance(permissions, Mapped):
        yield from part_of_mapping("permissions", permissions, "`permissions`").faults


def _graph(part: Part, path: str) -> Iterator[Violation]:
    """The nodes and edges of a flow or region."""
    for number, value in _elements(part.get("nodes")):
        where = f"{path}nodes[{number}]"
        yield from remembered(value, ("shape", where), partial(_all, _node, value, where))
    for number, value in _elements(part.get("edges")):
        where = f"{path}edges[{number}]"
        yield from remembered(value, ("shape", where), partial(_all, _edge, value, where))


def _all(
    faults: Callable[[Value, str], Iterator[Violation]], value: Value, path: str
) -> list[Violation]:
    return [*faults(value, path)]


def _node(value: Value, path: str) -> Iterator[Violation]:
    if not isinstance(value, Mapped):
        yield from _no_mapping(value, path)
        return
    part = part_of_mapping("node", value, f"`{path}`")
    yield from part.faults
    retry = part.get("retry")
    if isinstance(retry, Mapped):
        yield from part_of_mapping("retry", retry, f"`{path}.retry`").faults
    for field in ("before", "after"):
        for number, action in _elements(part.get(field)):
            yield from _action(action, f"{path}.{field}[{number}]")
    for field in REGION_SLOTS:
        held = part.get(field)
        if field in GROUPS:
            for slot, region in _entries(held):
                yield from _region(region, f"{path}.{field}.{slot}")
        elif held is not None:
            yield from _region(held, f"{path}.{field}")


def _no_mapping(value: Value, path: str) -> Iterator[Violation]:
    # What is broken is told as such.
    if not isinstance(value, Unknown):
        yield no_mapping(path, value.origin.span())


def _region(value: Value, path: str) -> Iterator[Violation]:
    if not isinstance(value, Mapped):
        yield from _no_mapping(value, path)
        return
    part = part_of_mapping("region", value, f"`{path}`")
    yield from part.faults
    yield from _graph(part, f"{path}.")


def _action(value: Value, path: str) -> Iterator[Violation]:
    if not isinstance(value, Mapped):
        yield from _no_mapping(value, path)
        return
    given = dict(_entries(value))
    if "type" not in given:
        yield missing_field(f"`{path}`", "type", value.origin.span())
    elif not fits(plain(given["type"]), _TEXT):
        yield wrong_type(f"`{path}`", "type", _TEXT, given["type"].origin.span())


def _edge(value: Value, path: str) -> Iterator[Violation]:
    if not isinstance(value, Mapped):
        yield from _no_mapping(value, path)
        return
    is_switch = any(plain(entry.key) == "switch" for entry in value.entries)
    part = part_of_mapping("switch edge" if is_switch else "edge", value, f"`{path}`")
    yield from part.faults
    when = part.get("when")
    if isinstance(when, Mapped):
        yield from part_of_mapping("call", when, f"`{path}.when`").faults
    switch = part.get("switch")
    if isinstance(switch, Mapped):
        inner = part_of_mapping("switch", switch, f"`{path}.switch`")
        yield from inner.faults
        for key, target in _entries(inner.get("cases")):
            if not fits(plain(target), _TEXT):
                yield wrong_type(f"`{path}.switch.cases`", key, _TEXT, target.origin.span())


def _elements(value: Value | None) -> Iterator[tuple[int, Value]]:
    items = value.items if isinstance(value, Sequence) else ()
    return enumerate(item.value for item in items)


def _entries(value: Value | None) -> Iterator[tuple[str, Value]]:
    for entry in value.entries if isinstance(value, Mapped) else ():
        yield case_label(plain(entry.key)), entry.value
