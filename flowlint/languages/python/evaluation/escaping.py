"""Followed objects that get out of sight: from there on anything may be done to them."""

from __future__ import annotations

from flowlint.values.model import (
    Arguments,
    Built,
    Choice,
    Function,
    Instance,
    Mapped,
    Origin,
    Sequence,
    Value,
)

MAX_NESTING = 2
"""Containers within containers that are searched."""


def escape(arguments: Arguments, how: str) -> None:
    """Note that built objects among the arguments are out of sight from here on."""
    for item in arguments.items:
        _escape(item.value, how, arguments.origin, 0)


def escape_reach(function: Function, how: str, origin: Origin) -> None:
    """Note that what a function can reach by itself is out of sight."""
    for value in function.reader.mentions():
        _escape(value, how, origin, 0)
    if isinstance(function.receiver, Instance):
        for value in function.receiver.attributes.values():
            _escape(value, how, origin, 0)


def escape_open(built: Built, origin: Origin) -> None:
    """Note that an object may have been changed unless it is finished."""
    if not any(operation.method in built.model.products for operation in built.operations):
        built.escapes.append(("the code is too large to follow", origin))


def _escape(value: Value, how: str, origin: Origin, depth: int) -> None:
    if isinstance(value, Built):
        value.escapes.append((how, origin))
    elif depth > MAX_NESTING:
        return
    elif isinstance(value, Sequence):
        for item in value.items:
            _escape(item.value, how, origin, depth + 1)
    elif isinstance(value, Mapped):
        for entry in value.entries:
            _escape(entry.value, how, origin, depth + 1)
    elif isinstance(value, Choice):
        for _, single in value.alternatives:
            _escape(single, how, origin, depth + 1)
