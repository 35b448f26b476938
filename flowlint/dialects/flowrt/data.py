"""Flows written as data: files, and inside of code `FlowDefinition(…)` and `from_dict({…})`."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TypeVar

from flowlint.dialects.flowrt import configs
from flowlint.dialects.flowrt.model import DEFINITION, FROM_DATA
from flowlint.dialects.flowrt.shape import document_shape
from flowlint.dialects.reading import CallableFinder, Texts, escape_gaps
from flowlint.dialects.remembered import remembered
from flowlint.graph.config_rules import Place
from flowlint.graph.config_values import HIDDEN, Data, OpenDict
from flowlint.graph.definitions.drawing import draw_definition
from flowlint.graph.definitions.known import Known
from flowlint.graph.model import ALWAYS, FlowGraph
from flowlint.graph.reference import case_label
from flowlint.source import Span
from flowlint.values.model import Built, Const, Entry, Mapped, Sequence, Unknown, Value

T = TypeVar("T")
_DEPTH_OF_PARTS = 2
"""How deep nodes and edges are in a definition."""

_SETTINGS = ("config", "before", "after")
"""Fields in which values may stand for what only code can hold."""


def data_of(built: Built) -> Mapped | None:
    """The data that a call makes a flow of; None for calls that take none, or an object."""
    if built.model is DEFINITION:
        return _of_arguments(built)
    if built.model is not FROM_DATA:
        return None
    given = built.arguments.find("data", 0) or built.arguments.find("definition", 0)
    if given is None or isinstance(given.value, Built):
        return None
    if isinstance(given.value, Mapped):
        return given.value
    origin = given.value.origin
    return Mapped([], origin, Unknown("the definition is not known", origin))


def _of_arguments(built: Built) -> Mapped:
    origin = built.origin
    rest = Unknown("more arguments", origin) if built.arguments.spread else None
    named = [item for item in built.arguments.items if item.name is not None]
    entries = [
        Entry(Const(item.name, item.place or item.value.origin), item.value, place=item.place)
        for item in named
    ]
    return Mapped(entries, origin, rest)


def first_unknown(value: Value) -> Value | None:
    """The first part of data that is not known in full, None where all of it is."""
    if isinstance(value, Const):
        return None
    if isinstance(value, Mapped):
        if value.rest is not None or value.disturbed:
            return value.rest or value
        parts = [part for entry in value.entries for part in (entry.key, entry.value)]
        presences = [entry.presence for entry in value.entries]
    elif isinstance(value, Sequence):
        if value.rest is not None or value.disturbed:
            return value.rest or value
        parts = [item.value for item in value.items]
        presences = [item.presence for item in value.items]
    else:
        return value
    if any(presence != ALWAYS for presence in presences):
        return value
    return next((found for part in parts if (found := first_unknown(part)) is not None), None)


def drawn(data: Mapped, find: CallableFinder, built: Built | None = None) -> FlowGraph:
    """The graph of data that is known in full. `built` is the call that makes a flow of it."""
    texts = Texts()
    known = Known(
        lambda place, of_key: _span_of(data, place, of_key),
        lambda name, *_: find(name),
        remember=_Memory(data),
    )
    called = (built.name or built.symbol) if built is not None else None
    graph = draw_definition(_plain(data, texts), known, called)
    if built is not None:
        graph = replace(
            graph,
            symbol=built.symbol,
            assumed=built.assumed is not None,
            gaps=(*escape_gaps(built), *graph.gaps),
            texts=texts.found(),
        )
    wrong = tuple(replace(fault, shape=True) for fault in document_shape(data))
    return replace(graph, violations=(*wrong, *graph.violations)) if wrong else graph


class _Memory:
    """Remembers what was worked out of the nodes and edges of data in a file."""

    def __init__(self, data: Mapped) -> None:
        self._lists = {
            entry.key.value: entry.value.items
            for entry in data.entries
            if isinstance(entry.key, Const) and isinstance(entry.value, Sequence)
        }

    def __call__(self, place: Place, key: Hashable, make: Callable[[], T], /) -> T:
        if len(place) != 2 or not isinstance(place[1], int):
            return make()
        items = self._lists.get(place[0], ())
        if place[1] >= len(items):
            return make()
        return remembered(items[place[1]].value, (place, key), make)


def _plain(value: Value, texts: Texts, depth: int = 0) -> Data:
    """A value of data as it is once the code around it has run."""
    if depth == _DEPTH_OF_PARTS:
        return remembered(value, "plain", lambda: _made(value, texts, depth))
    return _made(value, texts, depth)


def _made(value: Value, texts: Texts, depth: int) -> Data:
    if isinstance(value, Unknown):
        return HIDDEN
    if isinstance(value, Const):
        if value.text is not None:
            texts.note(value, value.origin.span())
        return value.value
    if isinstance(value, Sequence):
        items = [_plain(item.value, texts, depth + 1) for item in value.items]
        return items if value.rest is None else [*items, HIDDEN]
    made: dict[object, Data] = {}
    for entry in value.entries if isinstance(value, Mapped) else ():
        key = entry.key.value if isinstance(entry.key, Const) else None
        is_setting = key in _SETTINGS
        held = entry.value
        made[key] = configs.data_of(held, ALWAYS) if is_setting else _plain(held, texts, depth + 1)
    is_open = isinstance(value, Mapped) and value.rest is not None
    return OpenDict(made) if is_open else made


def _span_of(data: Mapped, place: Place, of_key: bool) -> Span:
    """Where something stands in data, as near as that can be told."""
    value: Value = data
    span = data.origin.span()
    for number, part in enumerate(place):
        is_key = of_key and number == len(place) - 1
        if isinstance(value, Mapped):
            entry = next((e for e in reversed(value.entries) if _is_key(e.key, part)), None)
            if entry is None:
                return span
            value = entry.value
            span = (entry.key.origin if is_key else value.origin).span()
        elif isinstance(value, Sequence) and isinstance(part, int) and part < len(value.items):
            value = value.items[part].value
            span = value.origin.span()
        else:
            return span
    return span


def _is_key(key: Value, part: str | int) -> bool:
    return isinstance(key, Const) and case_label(key.value) == part
