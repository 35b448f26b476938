"""The configs and actions of nodes, handed to the checker that flowrt uses, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flowlint.dialects.flowrt.parts import Part
from flowlint.dialects.reading import bare_function
from flowlint.graph.config_checks import ConfigChecker
from flowlint.graph.config_rules import Place
from flowlint.graph.config_values import (
    A_TYPE,
    HIDDEN,
    Code,
    Data,
    OpenDict,
    OpenList,
)
from flowlint.graph.model import Presence, Violation
from flowlint.graph.node_outputs import Output, output_of
from flowlint.graph.reference import KINDS, case_label
from flowlint.source import Span
from flowlint.values.model import Class, Const, Function, Mapped, Partial, Sequence, Value

Names = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Configured:
    """A node whose config is to be checked once all nodes around it are known."""

    name: str
    kind: str
    part: Part
    inner: Names


def config_faults(node: Configured, names: Names, base: Presence) -> Iterator[Violation]:
    """What is wrong with the config and the actions of a node; `names` are the nodes around it."""
    part = node.part
    checker = ConfigChecker(node.name, node.kind, _places(part), names, node.inner)
    if node.kind in KINDS:
        config = _data_of(part, "config", base, {})
        has_run = _is_given(part, "run")
        yield from checker.config(config, has_run)
    yield from checker.actions(
        _data_of(part, "before", base, []), _data_of(part, "after", base, [])
    )


def output_of_part(part: Part, kind: str | None, base: Presence) -> Output | None:
    """What a node is known to give by its kind and config."""
    if kind not in KINDS:
        return None
    return output_of(kind, _data_of(part, "config", base, {}), _data_of(part, "after", base, []))


def lacks_prompt(part: Part, base: Presence) -> bool:
    """Whether a node surely has no prompt of its own."""
    config = _data_of(part, "config", base, {})
    if not isinstance(config, dict) or isinstance(config, OpenDict):
        return False
    return config.get("prompt") is None


def _data_of(part: Part, field: str, base: Presence, otherwise: Data) -> Data:
    value = part.get(field)
    if value is None:
        return HIDDEN if part.spread else otherwise
    return data_of(value, base)


def _is_given(part: Part, field: str) -> bool | None:
    """Whether a field has a value, None where that cannot be told."""
    value = part.get(field)
    if value is None:
        return None if part.spread else False
    if isinstance(value, Const):
        return value.value is not None
    known = isinstance(value, Function | Partial | Sequence | Mapped | Class)
    return True if known else None


def data_of(value: Value, base: Presence) -> Data:
    """What a value is as plain data, as far as that is known."""
    if isinstance(value, Const):
        if value.enum is not None or isinstance(value.value, bytes | complex):
            return HIDDEN
        return value.value
    if isinstance(value, Mapped):
        return HIDDEN if value.disturbed else _mapping(value, base)
    if isinstance(value, Sequence):
        return HIDDEN if value.disturbed or value.lazy else _list(value, base)
    if isinstance(value, Class):
        return A_TYPE
    if isinstance(value, Function):
        is_async = None if value.decorators else value.is_async
        return Code(value.name if value.kind != "lambda" else "a function", is_async)
    if isinstance(value, Partial):
        function = bare_function(value)
        return Code() if function is None else data_of(function, base)
    return HIDDEN


def _mapping(value: Mapped, base: Presence) -> Data:
    found: dict[object, Data] = {}
    is_open = value.rest is not None
    for entry in value.entries:
        if not isinstance(entry.key, Const):
            is_open = True
        elif entry.presence - base:
            is_open = True
            found[entry.key.value] = HIDDEN
        else:
            found[entry.key.value] = data_of(entry.value, base)
    return OpenDict(found) if is_open else found


def _list(value: Sequence, base: Presence) -> Data:
    is_open = value.rest is not None or any(item.presence - base for item in value.items)
    found = [HIDDEN if item.presence - base else data_of(item.value, base) for item in value.items]
    return OpenList(found) if is_open else found


def _places(part: Part) -> Callable[[Place, bool], Span]:
    def span_of(place: Place, of_key: bool) -> Span:
        if not place:
            return part.span
        found = part.fields.get(str(place[0]))
        if found is None:
            return part.span
        if len(place) == 1 and of_key:
            return (found.place or found.value.origin).span()
        return _inside(found.value, place[1:], of_key)

    return span_of


def _inside(value: Value, place: Place, of_key: bool) -> Span:
    """Where something stands in a value, as near as that can be told."""
    span = value.origin.span()
    for number, part in enumerate(place):
        is_last = number == len(place) - 1
        if isinstance(value, Mapped):
            entry = next((e for e in reversed(value.entries) if _is_key(e.key, part)), None)
            if entry is None:
                return span
            value = entry.value
            span = (entry.key.origin if is_last and of_key else value.origin).span()
        elif isinstance(value, Sequence) and isinstance(part, int) and part < len(value.items):
            item = value.items[part]
            value, span = item.value, (item.place or item.value.origin).span()
        else:
            return span
    return span


def _is_key(key: Value, part: str | int) -> bool:
    return isinstance(key, Const) and case_label(key.value) == part
