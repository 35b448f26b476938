"""Filters of the nodes that read and write records."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flowlint.dialects.objectstack.notes import FAILS
from flowlint.dialects.objectstack.objects import Given, expression_of, is_whole, object_of
from flowlint.dialects.objectstack.parts import NodePart, Scope
from flowlint.values.model import Const, Mapped, Sequence, Value

_TIME = re.compile(r"\b(?:daysFromNow|daysAgo|today|now|date|datetime)\s*\(")
_WRITES = {"update_record": "overwritten", "delete_record": "deleted"}


def check_filters(scope: Scope) -> None:
    """Note filters that match nothing, or everything."""
    for node in scope.nodes:
        given = node.config.fields.get("filter") or node.config.fields.get("filters")
        if given is not None:
            for field, value, source in _moments(given.value):
                _moment(node, field, value, source, scope)
        if node.kind in _WRITES:
            _unfiltered(node, given, scope)


def _moments(value: Value) -> Iterator[tuple[str, Value, str]]:
    """Fields that a filter compares for equality with a moment that is worked out."""
    if not isinstance(value, Mapped):
        return
    for given in object_of(value).fields.values():
        if given.name in ("$and", "$or"):
            for item in given.value.items if isinstance(given.value, Sequence) else ():
                yield from _moments(item.value)
            continue
        source = _moment_of(given.value)
        if source is not None:
            yield given.name, given.value, source
        elif isinstance(given.value, Mapped):
            yield from _compared(given)


def _compared(given: Given) -> Iterator[tuple[str, Value, str]]:
    value = given.value
    if not isinstance(value, Mapped):
        return
    for operator in object_of(value).fields.values():
        operands = [operator.value] if operator.name == "$eq" else []
        if operator.name == "$in" and isinstance(operator.value, Sequence):
            operands = [item.value for item in operator.value.items]
        for operand in operands:
            source = _moment_of(operand)
            if source is not None:
                yield given.name, operand, source
                return


def _moment_of(value: Value) -> str | None:
    if isinstance(value, Const):
        return None
    written = expression_of(value)
    if written.dialect != "cel" or written.source is None or not _TIME.search(written.source):
        return None
    return written.source


def _moment(node: NodePart, field: str, value: Value, source: str, scope: Scope) -> None:
    scope.notes.add(
        value.origin.span(),
        f"Filter of `{node.id}` asks for `{field}` to be the very moment `{source}`: it matches "
        "next to nothing",
        f"ask for a day: `{field}: {{ $gte: …, $lt: … }}`",
        rule="guard-never-true",
        node=node.id,
        severity="warning",
    )


def _unfiltered(node: NodePart, given: Given | None, scope: Scope) -> None:
    """A write to many records that nothing narrows, or to one that nothing names."""
    config = node.config
    if config.is_open or "filter" in config.unsure or "filters" in config.unsure:
        return
    if config.is_true("multi"):
        if given is None or _is_all(given.value):
            scope.notes.add(
                given.span if given is not None else config.fields["multi"].key,
                f"`{node.id}` has `multi: true` and no filter: every record is "
                f"{_WRITES[node.kind]}, on every run",
                "say in `filter` which records are meant",
                rule="ineffective-field" if given is not None else "invalid-definition",
                node=node.id,
                severity="warning",
            )
        return
    is_single = config.lacks("multi") or isinstance(config.get("multi"), Const)
    if given is None and is_single and "objectName" in config.fields:
        said = f"`{node.id}` names no record: without `multi: true` it needs the `id` of one"
        scope.notes.add(
            config.span,
            f"{said}: {FAILS}",
            "write `filter: { id: … }`",
            node=node.id,
            severity="warning",
        )


def _is_all(value: Value) -> bool:
    """Whether a filter surely narrows nothing."""
    if isinstance(value, Const):
        return value.value is None
    if not isinstance(value, Mapped):
        return False
    obj = object_of(value)
    if obj.is_open or obj.unsure:
        return False
    for given in obj.fields.values():
        parts = given.value
        if given.name not in ("$and", "$or") or not isinstance(parts, Sequence):
            return False
        if not is_whole(parts):
            return False
        each = [_is_all(item.value) for item in parts.items]
        if not (all(each) if given.name == "$and" else any(each)):
            return False
    return True
