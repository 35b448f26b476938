"""Methods of arrays and sets."""

from __future__ import annotations

from collections.abc import Callable

from flowlint.graph.model import Presence
from flowlint.languages.typescript.evaluation.choosing import FALSE, TRUE, Outcomes
from flowlint.languages.typescript.evaluation.containers import element, elements
from flowlint.languages.typescript.evaluation.machine import Machine, value_key
from flowlint.languages.typescript.evaluation.operators import (
    equals,
    integer,
    known_truth,
    number_value,
    shown,
    text_value,
)
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.values.model import (
    Argument,
    Arguments,
    Const,
    External,
    Function,
    Item,
    Mapped,
    Origin,
    Sequence,
    Unknown,
    Value,
)

Handler = Callable[[Machine, Sequence, Arguments, Scope], Value | None]

MAX_FLAT = 4
"""Arrays within arrays that `flat` takes apart."""


def call_array(
    machine: Machine, owner: Sequence, name: str, arguments: Arguments, scope: Scope
) -> Value | None:
    """The result of a method of an array, None for one that is not followed."""
    handler = HANDLERS.get(name)
    machine.take(len(owner.items))
    return handler(machine, owner, arguments, scope) if handler is not None else None


def _known(owner: Sequence) -> bool:
    return owner.rest is None and not any(item.presence for item in owner.items)


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
    if _known(owner) and not machine.present:
        if not owner.items:
            return External("undefined", arguments.origin)
        return owner.items.pop(at).value
    _loosen(machine, owner, "it is not removed")
    return Unknown("an element out of sight", arguments.origin)


def _loosen(machine: Machine, owner: Sequence, label: str) -> None:
    """Some elements may be gone."""
    for item in owner.items:
        item.presence |= {(machine.literal(("gone", machine.fresh()), label), True)}


def _splice(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    given = [item.value for item in arguments.items if not item.spread]
    start = number_value(given[0]) if given else None
    count = number_value(given[1]) if len(given) > 1 else float(len(owner.items))
    spread = any(item.spread for item in arguments.items)
    if _known(owner) and not machine.present and start is not None and count is not None:
        if not spread:
            begin = _clamp(integer(start), len(owner.items))
            end = min(begin + max(integer(count), 0), len(owner.items))
            removed = owner.items[begin:end]
            owner.items[begin:end] = [
                Item(item.value, place=item.place) for item in arguments.items[2:]
            ]
            return Sequence("list", removed, arguments.origin)
    _loosen(machine, owner, "it is not removed")
    owner.rest = owner.rest or Unknown("elements are put in", arguments.origin)
    return Unknown("the elements that are removed", arguments.origin)


def _clamp(index: int, size: int) -> int:
    return max(size + index, 0) if index < 0 else min(index, size)


def _concat(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    made = Sequence("list", _copies(owner.items), arguments.origin, owner.rest)
    for argument in arguments.items:
        if argument.spread:
            made.rest = made.rest or Unknown("elements that are spread", arguments.origin)
        elif isinstance(argument.value, Sequence):
            machine.take(len(argument.value.items))
            made.items += _copies(argument.value.items)
            made.rest = made.rest or argument.value.rest
        elif isinstance(argument.value, Unknown):
            made.rest = made.rest or argument.value
        else:
            made.items.append(Item(argument.value, place=argument.place))
    return made


def _copies(items: list[Item]) -> list[Item]:
    return [Item(item.value, item.presence, item.place) for item in items]


def callback_call(
    machine: Machine, callback: Value, given: list[Value], scope: Scope, origin: Origin
) -> Value:
    """What a callback gives for some arguments."""
    arguments = Arguments(tuple(Argument(value) for value in given), origin)
    return machine.call(callback, arguments, scope)


def _each(
    machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope
) -> list[tuple[Item, Value]] | None:
    """What a callback gives for each element, the last one for all that are not known."""
    callback = arguments.get("", 0)
    if callback is None or arguments.spread:
        return None
    found: list[tuple[Item, Value]] = []
    for number, item in enumerate(list(owner.items)):
        if not machine.possible(item.presence):
            continue
        mark = machine.mark()
        machine.add(item.presence)
        index = Const(number, arguments.origin)
        value = callback_call(
            machine, callback, [item.value, index, owner], scope, arguments.origin
        )
        machine.restore(mark)
        found.append((item, value))
    if owner.rest is not None and isinstance(callback, Function):
        identity = ("loop", owner.rest.key or machine.fresh())
        label = machine.literal(identity, "for each of what is not known")
        mark = machine.mark()
        machine.add(frozenset([(label, True)]))
        index_unknown = Unknown("an index", arguments.origin)
        changed = [(one, _size(one)) for one in callback.reader.changes()]
        callback_call(
            machine, callback, [owner.rest, index_unknown, owner], scope, arguments.origin
        )
        machine.restore(mark)
        for one, size in changed:
            if isinstance(one, Sequence | Mapped) and _size(one) != size and one.rest is None:
                one.rest = Unknown("added in a loop of unknown length", one.origin)
    return found


def _size(value: Value) -> int:
    if isinstance(value, Sequence):
        return len(value.items)
    return len(value.entries) if isinstance(value, Mapped) else 0


def _for_each(
    machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope
) -> Value | None:
    if _each(machine, owner, arguments, scope) is None:
        return None
    return External("undefined", arguments.origin)


def _map(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    found = _each(machine, owner, arguments, scope)
    if found is None:
        return None
    items = [Item(value, item.presence, item.place) for item, value in found]
    return Sequence("list", items, arguments.origin, owner.rest)


def _flat_map(
    machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope
) -> Value | None:
    found = _each(machine, owner, arguments, scope)
    if found is None:
        return None
    made = Sequence("list", [], arguments.origin, owner.rest)
    for item, value in found:
        _flatten(machine, made, Item(value, item.presence, item.place), 1)
    return made


def _flat(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    depth = arguments.get("", 0)
    number = number_value(depth) if depth is not None else 1
    made = Sequence("list", [], arguments.origin, owner.rest)
    levels = MAX_FLAT if number is None else integer(min(number, MAX_FLAT))
    for item in owner.items:
        _flatten(machine, made, item, levels)
    return made


def _flatten(machine: Machine, made: Sequence, item: Item, depth: int) -> None:
    machine.take(1)
    if depth > 0 and isinstance(item.value, Sequence):
        for inner in item.value.items:
            placed = Item(inner.value, inner.presence | item.presence, inner.place)
            _flatten(machine, made, placed, depth - 1)
        made.rest = made.rest or item.value.rest
    elif depth > 0 and isinstance(item.value, Unknown):
        made.rest = made.rest or item.value
    else:
        made.items.append(Item(item.value, item.presence, item.place))


def _outcomes(machine: Machine, value: Value) -> Outcomes:
    """When what a callback gave is true."""
    from flowlint.values.conditions import alternatives

    true: list[Presence] = []
    false: list[Presence] = []
    for presence, single in alternatives(value, machine.known):
        truth = known_truth(single)
        if truth is None:
            key = value_key(single)
            negative = key is not None and key.startswith("not ")
            bare = key.removeprefix("not ") if key is not None else None
            identity = ("truth", bare) if bare is not None else ("once", machine.fresh())
            text = "the callback leaves it out" if negative else "the callback keeps it"
            label = machine.literal(identity, text)
            true.append(presence | {(label, not negative)})
            false.append(presence | {(label, negative)})
        else:
            (true if truth else false).append(presence)
    if not false:
        return TRUE
    if not true:
        return FALSE
    if len(true) == 1 and len(false) == 1:
        return true[0], false[0]
    label = machine.literal(("kept", machine.fresh()), "the callback keeps it")
    return frozenset([(label, True)]), frozenset([(label, False)])


def _filter(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    callback = arguments.get("", 0)
    if isinstance(callback, External) and callback.qualified == "Boolean":
        found = [(item, item.value) for item in owner.items]
    else:
        each = _each(machine, owner, arguments, scope)
        if each is None:
            return None
        found = each
    items: list[Item] = []
    for item, value in found:
        when_true, _ = _outcomes(machine, value)
        if when_true is not None:
            items.append(Item(item.value, item.presence | when_true, item.place))
    return Sequence("list", items, arguments.origin, owner.rest)


def _find(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    found = _each(machine, owner, arguments, scope)
    if found is None:
        return None
    for item, value in found:
        when_true, when_false = _outcomes(machine, value)
        if when_true is None:
            continue
        if when_false is None and not item.presence:
            return item.value
        return Unknown("an element that is chosen at run time", arguments.origin)
    if owner.rest is not None:
        return Unknown("an element out of sight", arguments.origin)
    return External("undefined", arguments.origin)


def _find_index(
    machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope
) -> Value | None:
    found = _each(machine, owner, arguments, scope)
    if found is None:
        return None
    for number, (item, value) in enumerate(found):
        when_true, when_false = _outcomes(machine, value)
        if when_true is None and not item.presence:
            continue
        if when_false is None and not item.presence:
            return Const(number, arguments.origin)
        return Unknown("an index", arguments.origin)
    if owner.rest is not None:
        return Unknown("an index", arguments.origin)
    return Const(-1, arguments.origin)


def _quantified(
    machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope, *, every: bool
) -> Value | None:
    found = _each(machine, owner, arguments, scope)
    if found is None:
        return None
    unsure = owner.rest is not None
    for item, value in found:
        when_true, when_false = _outcomes(machine, value)
        against = when_true is None if every else when_false is None
        if against and not item.presence:
            return Const(not every, arguments.origin)
        unsure |= against or (when_true is not None and when_false is not None)
    if unsure:
        return Unknown("what is told of several elements", arguments.origin)
    return Const(every, arguments.origin)


def _some(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    return _quantified(machine, owner, arguments, scope, every=False)


def _every(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    return _quantified(machine, owner, arguments, scope, every=True)


def _reduce(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    callback = arguments.get("", 0)
    if callback is None or not _known(owner):
        return None
    items = list(enumerate(owner.items))
    if len(list(arguments.positional())) > 1:
        value = arguments.get("", 1)
    elif items:
        value = items.pop(0)[1].value
    else:
        value = None
    if value is None:
        return None
    for number, item in items:
        index = Const(number, arguments.origin)
        given = [value, item.value, index, owner]
        value = callback_call(machine, callback, given, scope, arguments.origin)
    return value


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
    if wanted is not None and _known(owner):
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
        return Sequence("list", _copies(owner.items), arguments.origin, owner.rest)
    if _known(owner) and None not in bounds:
        size = len(owner.items)
        begin = _clamp(integer(bounds[0] or 0), size)
        end = _clamp(integer(bounds[1] or 0), size) if len(bounds) > 1 else size
        return Sequence("list", _copies(owner.items[begin:end]), arguments.origin)
    rest = Unknown("a part of an array", arguments.origin)
    return Sequence("list", [], arguments.origin, rest)


def _join(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    given = arguments.get("", 0)
    between = shown(given) if given is not None else ","
    if between is None or not _known(owner):
        return Unknown("a text that is put together at run time", arguments.origin)
    parts: list[Value] = []
    for number, item in enumerate(owner.items):
        if number:
            parts.append(Const(between, arguments.origin))
        is_nothing = isinstance(item.value, External) and item.value.qualified == "undefined"
        is_null = isinstance(item.value, Const) and item.value.value is None
        parts.append(Const("", arguments.origin) if is_nothing or is_null else item.value)
    return text_value(machine, parts, arguments.origin)


def _reverse(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    if not machine.present:
        owner.items.reverse()
        return owner
    _loosen(machine, owner, "the order is kept")
    owner.rest = owner.rest or Unknown("the order is not known", arguments.origin)
    return owner


def _reversed(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    return Sequence("list", _copies(owner.items)[::-1], arguments.origin, owner.rest)


def _sort(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    texts = [shown(item.value) for item in owner.items]
    if _known(owner) and not arguments.items and None not in texts and not machine.present:
        owner.items.sort(key=lambda item: shown(item.value) or "")
        return owner
    if len(owner.items) > 1:
        owner.rest = owner.rest or Unknown("the order is not known", arguments.origin)
    return owner


def _sorted(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    made = Sequence("list", _copies(owner.items), arguments.origin, owner.rest)
    return _sort(machine, made, arguments, scope)


def _at(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    given = arguments.get("", 0)
    number = number_value(given) if given is not None else 0
    if number is None or (number < 0 and not _known(owner)):
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
    return Sequence("list", _copies(owner.items), arguments.origin, owner.rest)


def _indices(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    origin = arguments.origin
    if owner.kind == "set":
        return _values(machine, owner, arguments, scope)
    items = [Item(Const(n, origin), item.presence) for n, item in enumerate(owner.items)]
    return Sequence("list", items, origin, owner.rest)


def _fill(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    value = arguments.get("", 0)
    if value is None or len(arguments.items) > 1 or machine.present:
        return None
    owner.items[:] = [Item(value, place=item.place) for item in owner.items]
    return owner


def _with(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    at, value = arguments.get("", 0), arguments.get("", 1)
    number = number_value(at) if at is not None else None
    if number is None or value is None or not _known(owner):
        return None
    made = Sequence("list", _copies(owner.items), arguments.origin)
    index = integer(number) if number >= 0 else len(made.items) + integer(number)
    if not 0 <= index < len(made.items):
        return None
    made.items[index] = Item(value)
    return made


def _clear(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value:
    if not machine.present:
        owner.items.clear()
    else:
        _loosen(machine, owner, "it is not removed")
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


def _text(machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope) -> Value | None:
    text = shown(owner)
    return Const(text, arguments.origin) if text is not None else None


HANDLERS: dict[str, Handler] = {
    "add": _add,
    "at": _at,
    "clear": _clear,
    "concat": _concat,
    "delete": _delete,
    "entries": _pairs,
    "every": _every,
    "fill": _fill,
    "filter": _filter,
    "find": _find,
    "findIndex": _find_index,
    "flat": _flat,
    "flatMap": _flat_map,
    "forEach": _for_each,
    "has": _includes,
    "includes": _includes,
    "indexOf": _index_of,
    "join": _join,
    "keys": _indices,
    "map": _map,
    "pop": _pop,
    "push": _push,
    "reduce": _reduce,
    "reverse": _reverse,
    "shift": _shift,
    "slice": _slice,
    "some": _some,
    "sort": _sort,
    "splice": _splice,
    "toReversed": _reversed,
    "toSorted": _sorted,
    "toString": _text,
    "unshift": _unshift,
    "values": _values,
    "with": _with,
}
