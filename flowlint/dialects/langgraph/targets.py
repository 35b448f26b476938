"""Where path maps, routers and destinations say that nodes lead to."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.langgraph import callables
from flowlint.dialects.langgraph.editions import Edition
from flowlint.dialects.langgraph.members import case_key, name_of
from flowlint.dialects.langgraph.model import KNOWN_ROUTERS
from flowlint.dialects.reading import alternatives, bare_function, live_entries, text_of
from flowlint.graph.model import START, CallableFacts, Presence
from flowlint.source import Span
from flowlint.values.model import (
    Argument,
    Const,
    External,
    Mapped,
    Product,
    Sequence,
    Value,
)


def shown(name: str) -> str:
    """How messages call a node or marker."""
    return "START" if name == START else name


def is_none(value: Value) -> bool:
    """Whether a value is None."""
    return isinstance(value, Const) and value.value is None


def is_map(value: Value) -> bool:
    """Whether LangGraph knows what to do with a value as path map."""
    return isinstance(value, (Mapped | Const, Sequence))


def mapped_targets(
    mapping: Value, argument: Argument, presence: Presence
) -> Iterator[tuple[Presence, str | None, Value, Span]]:
    """The targets of a path map. LangGraph takes a dict or list; any other container it ignores."""
    if isinstance(mapping, Mapped):
        for held, entry in live_entries(mapping):
            span = (entry.place or entry.value.origin).span()
            label = str(entry.key.value) if isinstance(entry.key, Const) else None
            for under, target in alternatives(entry.value, presence | held):
                yield under, label, target, span
    elif isinstance(mapping, Sequence) and mapping.kind == "list":
        for item in mapping.items:
            span = (item.place or item.value.origin).span()
            for under, target in alternatives(item.value, presence | item.presence):
                yield under, None, target, span


def cases(mapping: Value, edition: Edition) -> dict[str, tuple[str, Span]] | None:
    """Target and place by the value that leads there; None where not all of it is certain."""
    found: dict[str, tuple[str, Span]] = {}
    if isinstance(mapping, Mapped) and mapping.rest is None:
        for entry in mapping.entries:
            target = text_of(entry.value)
            if entry.presence or not isinstance(entry.key, Const) or target is None:
                return None
            span = entry.key.origin.span()
            # A constant such as END comes from elsewhere.
            if not mapping.origin.span().contains(span):
                span = (entry.place or entry.key.origin).span()
            found[case_key(entry.key, edition.script_keys)] = (target, span)
        return found
    if isinstance(mapping, Sequence) and mapping.kind == "list" and mapping.rest is None:
        for item in mapping.items:
            name = name_of(item.value) if isinstance(item.value, Const) else None
            # What is no text is refused as a target.
            if item.presence or name is None or not name.is_text:
                return None
            target = name.text
            found[target] = (target, (item.place or item.value.origin).span())
        return found
    return None


def router_targets(router: Value, edition: Edition) -> callables.Declared:
    """Where a router declares to lead to."""
    if not edition.reads_types:
        return callables.Declared()
    if isinstance(router, External) and router.qualified in KNOWN_ROUTERS:
        names = KNOWN_ROUTERS[router.qualified]
        return callables.Declared(tuple(Const(name, router.origin) for name in names))
    return callables.route_targets(router)


def destinations(value: Value | None) -> list[tuple[Value, Span]] | None:
    """What `destinations=` names, None when it is not given."""
    if isinstance(value, Mapped):
        return [(entry.key, entry.key.origin.span()) for _, entry in live_entries(value)]
    if isinstance(value, Sequence):
        return [(i.value, (i.place or i.value.origin).span()) for i in value.items]
    return None


def named_step(value: Value) -> tuple[str | None, Value]:
    """Name and action of a step of a sequence: a callable or a pair of both."""
    if isinstance(value, Sequence) and value.kind == "tuple" and len(value.items) == 2:
        return text_of(value.items[0].value), value.items[1].value
    return callables.sequence_name(value), value


def facts(action: Value) -> CallableFacts | None:
    """What is known of the function that a node runs."""
    function = bare_function(action)
    if function is None:
        return None
    known = not function.decorators
    return CallableFacts(
        function.name, function.origin.span(), function.is_async if known else None
    )


def kind(action: Value) -> str:
    """What kind of node an action makes."""
    return "subgraph" if isinstance(action, Product) else "step"
