"""Methods of arrays that call back: for each element, with what the callback gives."""

from __future__ import annotations

from flowlint.graph.model import Presence
from flowlint.languages.typescript.evaluation.array_parts import Handler, flatten, is_known
from flowlint.languages.typescript.evaluation.choosing import FALSE, TRUE, Outcomes
from flowlint.languages.typescript.evaluation.machine import Machine, value_key
from flowlint.languages.typescript.evaluation.operators import (
    known_truth,
)
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.values.conditions import alternatives
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
        flatten(machine, made, Item(value, item.presence, item.place), 1)
    return made


def _outcomes(machine: Machine, value: Value) -> Outcomes:
    """When what a callback gave is true."""
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


def _find(
    machine: Machine,
    owner: Sequence,
    arguments: Arguments,
    scope: Scope,
    *,
    is_last: bool = False,
) -> Value | None:
    found = _each(machine, owner, arguments, scope)
    if found is None or (is_last and not is_known(owner)):
        return None
    for item, value in found[::-1] if is_last else found:
        when_true, when_false = _outcomes(machine, value)
        if when_true is None:
            continue
        if when_false is None and not item.presence:
            return item.value
        return Unknown("an element that is chosen at run time", arguments.origin)
    if owner.rest is not None:
        return Unknown("an element out of sight", arguments.origin)
    return External("undefined", arguments.origin)


def _find_last(
    machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope
) -> Value | None:
    return _find(machine, owner, arguments, scope, is_last=True)


def _find_index(
    machine: Machine,
    owner: Sequence,
    arguments: Arguments,
    scope: Scope,
    *,
    is_last: bool = False,
) -> Value | None:
    found = _each(machine, owner, arguments, scope)
    if found is None or (is_last and not is_known(owner)):
        return None
    numbered = list(enumerate(found))
    for number, (item, value) in numbered[::-1] if is_last else numbered:
        when_true, when_false = _outcomes(machine, value)
        if when_true is None and not item.presence:
            continue
        if when_false is None and not item.presence:
            return Const(number, arguments.origin)
        return Unknown("an index", arguments.origin)
    if owner.rest is not None:
        return Unknown("an index", arguments.origin)
    return Const(-1, arguments.origin)


def _find_last_index(
    machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope
) -> Value | None:
    return _find_index(machine, owner, arguments, scope, is_last=True)


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


def _reduce_right(
    machine: Machine, owner: Sequence, arguments: Arguments, scope: Scope
) -> Value | None:
    return _reduce(machine, owner, arguments, scope, is_last=True)


def _reduce(
    machine: Machine,
    owner: Sequence,
    arguments: Arguments,
    scope: Scope,
    *,
    is_last: bool = False,
) -> Value | None:
    callback = arguments.get("", 0)
    if callback is None or not is_known(owner):
        return None
    items = list(enumerate(owner.items))
    if is_last:
        items.reverse()
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


HANDLERS: dict[str, Handler] = {
    "every": _every,
    "filter": _filter,
    "find": _find,
    "findIndex": _find_index,
    "findLast": _find_last,
    "findLastIndex": _find_last_index,
    "flatMap": _flat_map,
    "forEach": _for_each,
    "map": _map,
    "reduce": _reduce,
    "reduceRight": _reduce_right,
    "some": _some,
}
