"""Functions that JavaScript itself brings, as far as they make or change what is followed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from flowlint.languages.typescript.evaluation import arrays, maps
from flowlint.languages.typescript.evaluation.containers import (
    content,
    elements,
    entries_of,
    is_undefined,
)
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.operators import (
    CONCRETE,
    js_text,
    known_truth,
    number_value,
    shown,
)
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.languages.typescript.reading.literals import whole
from flowlint.languages.typescript.reading.module import Place
from flowlint.values.model import (
    Arguments,
    Call,
    Const,
    Entry,
    External,
    Instance,
    Item,
    Mapped,
    Module,
    Sequence,
    Unknown,
    Value,
)

Handler = Callable[[Machine, Arguments, Scope], Value | None]

MAX_LENGTH = 1_000
"""Elements of an array that is made by its length."""

_DIGITS = re.compile(r"\s*([+-]?\d{1,15})")

MAX_COPIED = 50
"""Objects within objects that a deep copy goes into."""


def call_known(
    machine: Machine, qualified: str, arguments: Arguments, scope: Scope
) -> Value | None:
    """The result of a function that is known, None for any other."""
    handler = FUNCTIONS.get(qualified)
    return handler(machine, arguments, scope) if handler is not None else None


def construct_known(machine: Machine, qualified: str, arguments: Arguments) -> Value | None:
    """What `new` makes of a class that is known, None for any other."""
    origin = arguments.origin
    first = arguments.get("", 0)
    if qualified == "Map":
        made = Mapped([], origin)
        if first is not None and not is_undefined(first):
            _add_pairs(machine, made, first, arguments)
        return made
    if qualified == "Set":
        listed = Sequence("set", [], origin)
        if first is not None and not is_undefined(first):
            items, listed.rest = elements(machine, first, origin)
            for item in items:
                if not any(_same(one.value, item.value) for one in listed.items):
                    listed.items.append(Item(item.value, item.presence, item.place))
        return listed
    if qualified == "Array":
        return _array(machine, arguments)
    return None


def _same(left: Value, right: Value) -> bool:
    if isinstance(left, Const) and isinstance(right, Const):
        return type(left.value) is type(right.value) and left.value == right.value
    return left is right


def _array(machine: Machine, arguments: Arguments) -> Value:
    origin = arguments.origin
    first = arguments.get("", 0)
    if len(arguments.items) == 1 and first is not None:
        number = number_value(first) if isinstance(first, Const) else None
        if number is not None and 0 <= number <= MAX_LENGTH and not isinstance(first, str):
            hole = External("undefined", origin)
            return Sequence("list", [Item(hole) for _ in range(int(number))], origin)
        if not isinstance(first, Const):
            return Sequence("list", [], origin, Unknown("an array of unknown length", origin))
    items = [Item(item.value, place=item.place) for item in arguments.items if not item.spread]
    rest = Unknown("elements that are spread", origin) if arguments.spread else None
    return Sequence("list", items, origin, rest)


def _add_pairs(machine: Machine, made: Mapped, pairs: Value, arguments: Arguments) -> None:
    """Write pairs of keys and values into an object or a map."""
    items, rest = elements(machine, pairs, arguments.origin)
    made.rest = made.rest or rest
    for item in items:
        pair = item.value
        if isinstance(pair, Sequence) and len(pair.items) >= 2 and pair.rest is None:
            key, value = pair.items[0].value, pair.items[1].value
            made.entries.append(Entry(key, value, item.presence, item.place or pair.origin))
        else:
            made.rest = made.rest or Unknown("a pair that is not known", arguments.origin)


def _listed(what: str) -> Handler:
    def read(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
        given = arguments.get("", 0)
        if given is None:
            return None

        def of(value: Value) -> Value:
            value = content(value)
            origin = arguments.origin
            if isinstance(value, Mapped):
                return maps.listed(value, what, origin)
            if isinstance(value, Sequence | Instance | Module):
                entries, rest = entries_of(machine, value)
                return maps.listed(Mapped(entries, origin, rest), what, origin)
            reason = value.reason if isinstance(value, Unknown) else "an object out of sight"
            key = value.key if isinstance(value, Unknown) else None
            rest = Unknown(reason, origin, f"{what} of {key}" if key is not None else None)
            return Sequence("list", [], origin, rest)

        return machine.for_each(given, of, arguments.origin)

    return read


def _from_entries(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given = arguments.get("", 0)
    if given is None:
        return None
    made = Mapped([], arguments.origin)
    _add_pairs(machine, made, given, arguments)
    return made


def _assign(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    from flowlint.languages.typescript.evaluation.assigning import set_element

    items = list(arguments.positional())
    if not items or arguments.spread:
        return None
    target = items[0].value
    for item in items[1:]:
        entries, rest = entries_of(machine, item.value)
        for entry in entries:
            mark = machine.mark()
            machine.add(entry.presence)
            set_element(machine, target, entry.key, entry.value, entry.place or entry.value.origin)
            machine.restore(mark)
        if rest is not None and isinstance(target, Mapped):
            target.rest = target.rest or rest
    return target


def _same_value(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    """Functions that give back what they are given."""
    return arguments.get("", 0)


def _copy(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given = arguments.get("", 0)
    return _copied(machine, given, 0) if given is not None else None


def _copied(machine: Machine, value: Value, depth: int) -> Value:
    machine.take(1)
    if depth > MAX_COPIED:
        return value
    if isinstance(value, Mapped):
        entries = [
            Entry(e.key, _copied(machine, e.value, depth + 1), e.presence, e.place)
            for e in value.entries
        ]
        return Mapped(entries, value.origin, value.rest)
    if isinstance(value, Sequence):
        items = [
            Item(_copied(machine, i.value, depth + 1), i.presence, i.place) for i in value.items
        ]
        return Sequence(value.kind, items, value.origin, value.rest)
    return value


def _array_from(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given, callback = arguments.get("", 0), arguments.get("", 1)
    if given is None:
        return None
    origin = arguments.origin
    source: Value = given
    if isinstance(given, Mapped) and any(_is_length(entry) for entry in given.entries):
        length = machine.member(given, "length", origin)
        number = number_value(length)
        if number is None or not 0 <= number <= MAX_LENGTH:
            return Sequence("list", [], origin, Unknown("an array of unknown length", origin))
        hole = External("undefined", origin)
        source = Sequence("list", [Item(hole) for _ in range(int(number))], origin)
    items, rest = elements(machine, source, origin)
    copies = [Item(item.value, item.presence, item.place) for item in items]
    made = Sequence("list", copies, origin, rest)
    if callback is None:
        return made
    later = Arguments(arguments.items[1:2], origin)
    return arrays.call_array(machine, made, "map", later, scope)


def _is_length(entry: Entry) -> bool:
    return isinstance(entry.key, Const) and entry.key.value == "length"


def _array_of(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    items = [Item(item.value, place=item.place) for item in arguments.items if not item.spread]
    rest = Unknown("elements that are spread", arguments.origin) if arguments.spread else None
    return Sequence("list", items, arguments.origin, rest)


def _is_array(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given = arguments.get("", 0)
    if isinstance(given, Sequence):
        return Const(given.kind == "list", arguments.origin)
    if isinstance(given, (Const, *CONCRETE)):
        return Const(False, arguments.origin)
    return None


def _text(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given = arguments.get("", 0)
    text = shown(given) if given is not None else ""
    return Const(text, arguments.origin) if text is not None else None


def _number(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given = arguments.get("", 0)
    number = number_value(given) if given is not None else 0
    return Const(whole(number), arguments.origin) if number is not None else None


def _truth(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given = arguments.get("", 0)
    truth = known_truth(given) if given is not None else False
    return Const(truth, arguments.origin) if truth is not None else None


def _math(compute: Callable[..., float]) -> Handler:
    def read(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
        numbers = [number_value(item.value) for item in arguments.items]
        if not numbers or None in numbers or arguments.spread:
            return None
        try:
            return Const(whole(float(compute(*numbers))), arguments.origin)
        except (ValueError, OverflowError, TypeError):
            return None

    return read


def _promise_all(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given = arguments.get("", 0)
    return given if isinstance(given, Sequence) else None


def _whole_number(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given, base = arguments.get("", 0), arguments.get("", 1)
    if not isinstance(given, Const) or (base is not None and number_value(base) != 10):
        return None
    found = _DIGITS.match(js_text(given.value))
    return Const(int(found.group(1)), arguments.origin) if found is not None else None


def _parsed(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    """`JSON.parse(JSON.stringify(x))` copies x."""
    given = arguments.get("", 0)
    if isinstance(given, Call) and given.target == "JSON.stringify":
        source = given.arguments.get("", 0)
        return _copied(machine, source, 0) if source is not None else None
    return None


def _raw(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    given = arguments.items[0] if arguments.items else None
    if given is None or not isinstance(given.value, Const) or not isinstance(given.place, Place):
        return None
    written = given.place.module.text.data[given.place.start : given.place.end]
    return None if b"\\" in written else given.value


FUNCTIONS: dict[str, Handler] = {
    "Object.keys": _listed("keys"),
    "Object.values": _listed("values"),
    "Object.entries": _listed("entries"),
    "Object.fromEntries": _from_entries,
    "Object.assign": _assign,
    "Object.freeze": _same_value,
    "Object.seal": _same_value,
    "Object.preventExtensions": _same_value,
    "Promise.resolve": _same_value,
    "JSON.parse": _parsed,
    "Number.parseInt": _whole_number,
    "parseInt": _whole_number,
    "Promise.all": _promise_all,
    "structuredClone": _copy,
    "Array": lambda machine, arguments, scope: _array(machine, arguments),
    "Array.from": _array_from,
    "Array.of": _array_of,
    "Array.isArray": _is_array,
    "String": _text,
    "String.raw": _raw,
    "Number": _number,
    "Boolean": _truth,
    "Math.min": _math(min),
    "Math.max": _math(max),
    "Math.floor": _math(math.floor),
    "Math.ceil": _math(math.ceil),
    "Math.round": _math(lambda number: math.floor(number + 0.5)),
    "Math.trunc": _math(math.trunc),
    "Math.abs": _math(abs),
}
