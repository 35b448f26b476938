"""What dialects share: taking values apart with the conditions under which they hold."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.graph.model import ALWAYS, Gap, Presence
from flowlint.source import Span
from flowlint.values.model import (
    Argument,
    Built,
    Choice,
    Const,
    Function,
    Item,
    Operation,
    Partial,
    Sequence,
    Unknown,
    Value,
)


def alternatives(value: Value, presence: Presence = ALWAYS) -> Iterator[tuple[Presence, Value]]:
    """Every value that `value` may be, with the condition for it."""
    if isinstance(value, Choice):
        for inner, single in value.alternatives:
            merged = presence | inner
            if not any((test, not outcome) in merged for test, outcome in merged):
                yield from alternatives(single, merged)
    else:
        yield presence, value


def text_of(value: Value) -> str | None:
    """The text of a constant, None for anything else."""
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def written(argument: Argument) -> Span:
    """Where an argument was written."""
    return (argument.place or argument.value.origin).span()


def relative(operation: Operation, built: Built) -> Presence:
    """The condition under which an operation happens, where the object is there at all."""
    return operation.presence - built.presence


def reason_of(value: Value) -> str:
    """Why a value is not known, in words."""
    return value.reason if isinstance(value, Unknown) else "not a constant"


def listed(value: Value) -> tuple[list[Item], Unknown | None] | None:
    """The elements of a list or tuple, with what may be missing; None when it is neither."""
    if not isinstance(value, Sequence):
        return None
    return value.items, value.rest


def bare_function(value: Value) -> Function | None:
    """The function that a callable value comes down to, None when it is out of sight."""
    while isinstance(value, Partial):
        value = value.target
    return value if isinstance(value, Function) else None


def escape_gaps(built: Built) -> Iterator[Gap]:
    """A gap for each place where a flow leaves sight."""
    for how, origin in built.escapes:
        yield Gap(
            origin.span(),
            how,
            frozenset({"nodes", "edges", "entry"}),
            cure="build the whole flow in code of this project, with names it states",
        )
