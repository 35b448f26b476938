"""Methods of arrays and sets."""

from __future__ import annotations

from flowlint.languages.typescript.evaluation import array_callbacks, array_changes
from flowlint.languages.typescript.evaluation.array_parts import (
    Handler,
    clamped,
    copies,
    flatten,
    is_known,
)
from flowlint.languages.typescript.evaluation.containers import element
from flowlint.languages.typescript.evaluation.machine import Machine, value_key
from flowlint.languages.typescript.evaluation.operators import (
    equals,
    integer,
    number_value,
    shown,
    text_value,
)
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.values.model import (
    Arguments,
    Const,
    External,
    Item,
    Sequence,
    Unknown,
    Value,
)

MAX_FLAT = 4
"""Arrays within arrays that `flat` takes apart."""


def call_array(
    machine: Machine, owner: Sequence, name: str, arguments: Arguments, scope: Scope
) -> Value | None:
    """The result of a method of an array, None for one that is not followed."""
    handler = HANDLERS.get(name)
    machine.take(len(owner.items))
    return handler(machine, owner, arguments, scope) if handler is not None else None


def _concat(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    made = Sequence("list", copies(owner.items), arguments.origin, owner.rest)
    for argument in arguments.items:
        if argument.spread:
            made.rest = made.rest or Unknown("elements that are spread", arguments.origin)
        elif isinstance(argument.value, Sequence):
            machine.take(len(argument.value.items))
            made.items += copies(argument.value.items)
            made.rest = made.rest or argument.value.rest
        elif isinstance(argument.value, Unknown):
            made.rest = made.rest or argument.value
        else:
            made.items.append(Item(argument.value, place=argument.place))
    return made


def _flat(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    depth = arguments.get("", 0)
    number = number_value(depth) if depth is not None else 1
    made = Sequence("list", [], arguments.origin, owner.rest)
    levels = MAX_FLAT if number is None else integer(min(number, MAX_FLAT))
    for item in owner.items:
        flatten(machine, made, item, levels)
    return made


def _includes(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    wanted = arguments.get("", 0)
    origin = arguments.origin
    results = [(equals(item.value, wanted), item) for item in owner.items] if wanted else []
    if any(result is True and not item.presence for result, item in results):
        return Const(True, origin)
    if owner.rest is None and all(result is False for result, _ in results):
        return Const(False, origin)
    key = value_key(wanted) if wanted is not None else None
    return Unknown(
        "whether it is there", origin, f"#{owner.serial}.includes({key})" if key else None
    )


def _index_of(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    wanted = arguments.get("", 0)
    if wanted is not None and is_known(owner):
        for number, item in enumerate(owner.items):
            result = equals(item.value, wanted)
            if result is None:
                break
            if result:
                return Const(number, arguments.origin)
        else:
            return Const(-1, arguments.origin)
    return Unknown("an index", arguments.origin)


def _slice(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    given = [item.value for item in arguments.positional()]
    bounds = [number_value(value) for value in given]
    if not given:
        return Sequence("list", copies(owner.items), arguments.origin, owner.rest)
    if is_known(owner) and None not in bounds:
        size = len(owner.items)
        begin = clamped(integer(bounds[0] or 0), size)
        end = clamped(integer(bounds[1] or 0), size) if len(bounds) > 1 else size
        return Sequence("list", copies(owner.items[begin:end]), arguments.origin)
    rest = Unknown("a part of an array", arguments.origin)
    return Sequence("list", [], arguments.origin, rest)


def _join(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    given = arguments.get("", 0)
    between = shown(given) if given is not None else ","
    if between is None or not is_known(owner):
        return Unknown("a text that is put together at run time", arguments.origin)
    parts: list[Value] = []
    for number, item in enumerate(owner.items):
        if number:
            parts.append(Const(between, arguments.origin))
        is_nothing = isinstance(item.value, External) and item.value.qualified == "undefined"
        is_null = isinstance(item.value, Const) and item.value.value is None
        parts.append(Const("", arguments.origin) if is_nothing or is_null else item.value)
    return text_value(machine, parts, arguments.origin)


def _reversed(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    return Sequence("list", copies(owner.items)[::-1], arguments.origin, owner.rest)


def _sorted(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    made = Sequence("list", copies(owner.items), arguments.origin, owner.rest)
    return array_changes.sort(machine, made, arguments, scope)


def _at(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    given = arguments.get("", 0)
    number = number_value(given) if given is not None else 0
    if number is None or (number < 0 and not is_known(owner)):
        return Unknown("an element that is chosen at run time", arguments.origin)
    index = integer(number) if number >= 0 else len(owner.items) + integer(number)
    return element(machine, owner, Const(index, arguments.origin), arguments.origin)


def _pairs(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    origin = arguments.origin
    items = [
        Item(
            Sequence("list", [Item(Const(number, origin)), Item(item.value)], origin),
            item.presence,
            item.place,
        )
        for number, item in enumerate(owner.items)
    ]
    return Sequence("list", items, origin, owner.rest)


def _values(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    return Sequence("list", copies(owner.items), arguments.origin, owner.rest)


def _indices(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    origin = arguments.origin
    if owner.kind == "set":
        return _values(machine, owner, arguments, scope)
    items = [Item(Const(n, origin), item.presence) for n, item in enumerate(owner.items)]
    return Sequence("list", items, origin, owner.rest)


def _with(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    at, value = arguments.get("", 0), arguments.get("", 1)
    number = number_value(at) if at is not None else None
    if number is None or value is None or not is_known(owner):
        return None
    made = Sequence("list", copies(owner.items), arguments.origin)
    index = integer(number) if number >= 0 else len(made.items) + integer(number)
    if not 0 <= index < len(made.items):
        return None
    made.items[index] = Item(value)
    return made


def _text(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    text = shown(owner)
    return Const(text, arguments.origin) if text is not None else None


HANDLERS: dict[str, Handler] = {
    **array_callbacks.HANDLERS,
    **array_changes.HANDLERS,
    "at": _at,
    "concat": _concat,
    "entries": _pairs,
    "flat": _flat,
    "has": _includes,
    "includes": _includes,
    "indexOf": _index_of,
    "join": _join,
    "keys": _indices,
    "slice": _slice,
    "toReversed": _reversed,
    "toSorted": _sorted,
    "toString": _text,
    "values": _values,
    "with": _with,
}
