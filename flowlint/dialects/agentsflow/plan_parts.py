"""Nodes of plans, and what is wrong with each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from flowlint.dialects.agentsflow.plan_shapes import BY, NODE, PARTS
from flowlint.dialects.agentsflow.records import Field, Record, record_of
from flowlint.dialects.agentsflow.shapes import shape_faults
from flowlint.dialects.reading import text_of
from flowlint.graph.model import Violation
from flowlint.source import Span
from flowlint.values.model import Const, Mapped, Sequence, Unknown, Value

RAISES = BY.refuses
REFUSED = "validate_plan() refuses the plan"

_ID = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*\Z")
_BODY = re.compile(r"\{artifacts\.([A-Za-z0-9_\-]+)\}")
_READ = re.compile(r"\{(?:artifacts\.([A-Za-z0-9_\-]+)|nodes\.([A-Za-z0-9_\-]+)\.output)\}")
_EACH = re.compile(r"\{(index|item(?:\.[A-Za-z0-9_]+)*)\}")
_SEGMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]*(\[\]|\[\d+\])?\Z")
_PARAMETER = "{params."


@dataclass(frozen=True, slots=True)
class PlanNode:
    """One node. `facets` are the names of what it tells of its result, None where not all are
    known; `is_whole` tells whether all that it waits for is known."""

    name: str
    record: Record
    place: Span
    waits_for: Mapping[str, Span]
    is_whole: bool
    facets: frozenset[str] | None


def settled(record: Record) -> Record:
    """The record, its texts that are filled in when a plan is loaded taken for unknown."""
    fields = {
        name: replace(given, value=Unknown("filled in when it is loaded", given.value.origin))
        if _PARAMETER in (text_of(given.value) or "")
        else given
        for name, given in record.fields.items()
    }
    return replace(record, fields=fields)


def part_of(record: Record, name: str) -> Record | None:
    """A field that is a record itself, None where it is not given or not known."""
    value = record.get(name)
    held = record_of(value) if value is not None else None
    return settled(held) if held is not None else None


def node_faults(node: PlanNode) -> Iterator[Violation]:
    """What is wrong with one node by itself."""
    record, name = node.record, node.name
    owner = f"Node `{name}`"
    yield from shape_faults(record, NODE, owner, name, by=BY)
    for field, shape in PARTS:
        held = part_of(record, field)
        if held is not None:
            yield from shape_faults(held, shape, f"The `{field}` of node `{name}`", name, by=BY)
    if not _ID.match(name):
        said = f"The id `{name}` does not begin with a letter, or has other signs in it: {RAISES}"
        yield Violation(node.place, said, "use letters, digits, `_` and `-`", name)
    yield from _store_faults(node)
    yield from _read_faults(node)
    yield from _path_faults(node)


def _store_faults(node: PlanNode) -> Iterator[Violation]:
    """Whether what is stored for each item has a key of its own."""
    stored = node.record.find("store_as")
    text = text_of(stored.value) if stored is not None else None
    if stored is None or text is None:
        return
    name = node.name
    if not text.strip():
        said = f"The `store_as` of node `{name}` is blank: {RAISES}"
        yield Violation(stored.place, said, "state a key", name)
        return
    fans_out = node.record.find("for_each") is not None
    if fans_out and not _EACH.search(text):
        said = (
            f"Node `{name}` runs for each item and stores all of them as `{text}`, so that each "
            f"would overwrite the last: {RAISES}"
        )
        yield Violation(stored.place, said, "put `{index}` or `{item.…}` into the key", name)
    elif not fans_out and not node.record.is_open and (found := _EACH.search(text)):
        said = f"The `store_as` of node `{name}` has `{found[0]}`, but no `for_each`: {RAISES}"
        yield Violation(stored.place, said, "state `for_each`, or another key", name)


def _read_faults(node: PlanNode) -> Iterator[Violation]:
    """Results of other nodes that are read and not waited for."""
    name = node.name
    told: set[str] = set()
    for other, text, place in _reads(node.record):
        if other in node.waits_for or not node.is_whole or other in told:
            continue
        told.add(other)
        said = f"Node `{name}` reads `{text}`, but does not wait for `{other}`: {RAISES}"
        cure = f"add `{other}` to its `depends_on`"
        yield Violation(place, said, cure, name, "unknown-output-reference")
    each = part_of(node.record, "for_each")
    source = each.find("source") if each is not None else None
    body = text_of(source.value) if source is not None else None
    if source is not None and body is not None and not _BODY.fullmatch(body.strip()):
        said = (
            f"The `source` of node `{name}` is `{body}`, and not the result of one node: {RAISES}"
        )
        yield Violation(source.place, said, "write it as `{artifacts.<id>}`", name)


def _reads(record: Record) -> Iterator[tuple[str, str, Span]]:
    args = record.find("args")
    if args is not None:
        for text, place in _texts(args.value):
            for found in _READ.finditer(text):
                yield found[1] or found[2], found[0], place
    each = part_of(record, "for_each")
    source = each.find("source") if each is not None else None
    body = _BODY.fullmatch((text_of(source.value) or "").strip()) if source is not None else None
    if source is not None and body is not None:
        yield body[1], body[0], source.place


def _texts(value: Value) -> Iterator[tuple[str, Span]]:
    """All texts in a value, however deep."""
    waiting = [value]
    while waiting:
        held = waiting.pop()
        if isinstance(held, Const) and isinstance(held.value, str):
            yield held.value, held.origin.span()
        elif isinstance(held, Mapped):
            waiting += [entry.value for entry in reversed(held.entries)]
        elif isinstance(held, Sequence):
            waiting += [item.value for item in reversed(held.items)]


def _path_faults(node: PlanNode) -> Iterator[Violation]:
    """Paths into results that cannot be followed, and counts of what is no list."""
    name = node.name
    each = part_of(node.record, "for_each")
    select = each.find("select") if each is not None else None
    if select is not None:
        yield from _path_fault(name, "for_each.select", select, counts=False)
    facets = part_of(node.record, "facets")
    for kind in ("paths", "counts", "group_counts"):
        held = part_of(facets, kind) if facets is not None else None
        for key, given in held.fields.items() if held is not None else ():
            yield from _path_fault(name, f"facets.{kind}.{key}", given, counts=kind != "paths")


def _path_fault(name: str, where: str, given: Field, *, counts: bool) -> Iterator[Violation]:
    path = text_of(given.value)
    if path is None or _PARAMETER in path:
        return
    if not all(_SEGMENT.match(segment) for segment in path.strip().split(".")):
        said = f"`{where}` of node `{name}` is `{path}`, which is no path: {REFUSED}"
        cure = "write it as `key`, `key[]` or `key[0]`, with dots between"
        yield Violation(given.place, said, cure, name)
    elif counts and "[]" not in path:
        said = f"`{where}` of node `{name}` is `{path}`, which gives no list to count: {REFUSED}"
        yield Violation(given.place, said, "mark the list by `[]`", name)
