"""What the methods of arrays share."""

from __future__ import annotations

from collections.abc import Callable

from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.values.model import (
    Arguments,
    Item,
    Sequence,
    Unknown,
    Value,
)

Handler = Callable[[Machine, Sequence, Arguments, Scope], Value | None]


def is_known(owner: Sequence) -> bool:
    """Whether all elements are known, each surely there."""
    return owner.rest is None and not any(item.presence for item in owner.items)


def loosen(machine: Machine, owner: Sequence, label: str) -> None:
    """Some elements may be gone."""
    for item in owner.items:
        item.presence |= {(machine.literal(("gone", machine.fresh()), label), True)}


def clamped(index: int, size: int) -> int:
    """An index within a size; negative ones count from the end."""
    return max(size + index, 0) if index < 0 else min(index, size)


def copies(items: list[Item]) -> list[Item]:
    """The same elements, each on its own."""
    return [Item(item.value, item.presence, item.place) for item in items]


def flatten(machine: Machine, made: Sequence, item: Item, depth: int) -> None:
    """Add an element to an array, or what is in it where it is an array itself."""
    machine.take(1)
    if depth > 0 and isinstance(item.value, Sequence):
        for inner in item.value.items:
            placed = Item(inner.value, inner.presence | item.presence, inner.place)
            flatten(machine, made, placed, depth - 1)
        made.rest = made.rest or item.value.rest
    elif depth > 0 and isinstance(item.value, Unknown):
        made.rest = made.rest or item.value
    else:
        made.items.append(Item(item.value, item.presence, item.place))
