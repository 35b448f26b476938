"""Methods of arrays and sets that change them."""

from __future__ import annotations

import math
from functools import cmp_to_key

from flowlint.languages.typescript.evaluation.array_parts import Handler, clamped, is_known, loosen
from flowlint.languages.typescript.evaluation.containers import elements
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.operators import (
    equals,
    integer,
    number_value,
    shown,
)
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.values.model import (
    Argument,
    Arguments,
    External,
    Function,
    Item,
    Sequence,
    Unknown,
    Value,
)


class _UnorderedError(Exception):
    """Two elements of which it is not known which one goes first."""


def _push(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    for argument in arguments.items:
        if argument.spread:
            items, rest = elements(machine, argument.value, arguments.origin)
            for item in items:
                presence = item.presence | machine.present
                owner.items.append(Item(item.value, presence, item.place))
            if rest is not None and owner.rest is None:
                owner.rest = rest
        else:
            owner.items.append(Item(argument.value, machine.present, argument.place))
    return Unknown("how many there are", arguments.origin)


def _add(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    """`add` of a set."""
    for argument in arguments.items:
        if not any(equals(item.value, argument.value) for item in owner.items):
            owner.items.append(Item(argument.value, machine.present, argument.place))
    return owner


def _unshift(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    kept = owner.items[:]
    owner.items.clear()
    _push(machine, owner, arguments, scope)
    owner.items += kept
    return Unknown("how many there are", arguments.origin)


def _pop(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    return _taken(machine, owner, arguments, -1)


def _shift(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    return _taken(machine, owner, arguments, 0)


def _taken(machine: Machine, owner: Sequence, arguments: Arguments, at: int) -> Value:
    if is_known(owner) and not machine.present:
        if not owner.items:
            return External("undefined", arguments.origin)
        return owner.items.pop(at).value
    loosen(machine, owner, "it is not removed")
    return Unknown("an element out of sight", arguments.origin)


def _splice(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    given = [item.value for item in arguments.items if not item.spread]
    start = number_value(given[0]) if given else None
    count = number_value(given[1]) if len(given) > 1 else float(len(owner.items))
    spread = any(item.spread for item in arguments.items)
    if is_known(owner) and not machine.present and start is not None and count is not None:
        if not spread:
            begin = clamped(integer(start), len(owner.items))
            end = min(begin + max(integer(count), 0), len(owner.items))
            removed = owner.items[begin:end]
            owner.items[begin:end] = [
                Item(item.value, place=item.place) for item in arguments.items[2:]
            ]
            return Sequence("list", removed, arguments.origin)
    loosen(machine, owner, "it is not removed")
    owner.rest = owner.rest or Unknown("elements are put in", arguments.origin)
    return Unknown("the elements that are removed", arguments.origin)


def _reverse(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    if not machine.present:
        owner.items.reverse()
        return owner
    loosen(machine, owner, "the order is kept")
    owner.rest = owner.rest or Unknown("the order is not known", arguments.origin)
    return owner


def sort(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    """Put elements in order, where their order is that of their texts."""
    texts = [shown(item.value) for item in owner.items]
    if is_known(owner) and not arguments.items and None not in texts and not machine.present:
        owner.items.sort(key=lambda item: shown(item.value) or "")
        return owner
    if is_known(owner) and len(arguments.items) == 1 and not machine.present:
        ordered = _compared(machine, owner, arguments, scope)
        if ordered is not None:
            owner.items[:] = ordered
            return owner
    if len(owner.items) > 1:
        owner.rest = owner.rest or Unknown("the order is not known", arguments.origin)
    return owner


def _compared(
    machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope
) -> list[Item] | None:
    """The elements in the order that a function gives, None where that is not known."""
    callback = arguments.items[0].value
    if not isinstance(callback, Function):
        return None

    def compare(left: Item, right: Item) -> int:
        given = Arguments((Argument(left.value), Argument(right.value)), arguments.origin)
        found = number_value(machine.call(callback, given, scope))
        if found is None or math.isnan(found):
            raise _UnorderedError
        return (found > 0) - (found < 0)

    try:
        return sorted(owner.items, key=cmp_to_key(compare))
    except _UnorderedError:
        return None


def _fill(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    value = arguments.get("", 0)
    bounds = [number_value(item.value) for item in arguments.items[1:]]
    if value is None or None in bounds or machine.present or not is_known(owner):
        return None
    size = len(owner.items)
    begin = clamped(integer(bounds[0] or 0), size) if bounds else 0
    end = clamped(integer(bounds[1] or 0), size) if len(bounds) > 1 else size
    owner.items[begin:end] = [Item(value, place=item.place) for item in owner.items[begin:end]]
    return owner


def _clear(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    if not machine.present:
        owner.items.clear()
    else:
        loosen(machine, owner, "it is not removed")
    return External("undefined", arguments.origin)


def _delete(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    """`delete` of a set."""
    wanted = arguments.get("", 0)
    kept: list[Item] = []
    for item in owner.items:
        result = equals(item.value, wanted) if wanted is not None else None
        if result is False:
            kept.append(item)
        elif result is None or machine.present:
            label = machine.literal(("gone", machine.fresh()), "it is not removed")
            kept.append(Item(item.value, item.presence | {(label, True)}, item.place))
    owner.items[:] = kept
    return Unknown("whether it was there", arguments.origin)


HANDLERS: dict[str, Handler] = {
    "add": _add,
    "clear": _clear,
    "delete": _delete,
    "fill": _fill,
    "pop": _pop,
    "push": _push,
    "reverse": _reverse,
    "shift": _shift,
    "sort": sort,
    "splice": _splice,
    "unshift": _unshift,
}
