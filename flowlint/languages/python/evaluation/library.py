"""The few functions outside the project whose results matter: containers, texts, functools."""

from __future__ import annotations

from collections.abc import Callable

from flowlint.languages.python.evaluation.assigning import (
    MAX_ELEMENTS,
    elements,
    live_keys,
    set_attribute,
    store_attribute,
)
from flowlint.languages.python.evaluation.attributes import is_subclass
from flowlint.languages.python.evaluation.constructing import raw_instance
from flowlint.languages.python.evaluation.dunders import invoke
from flowlint.languages.python.evaluation.holdings import held
from flowlint.languages.python.evaluation.machine import Machine, value_key
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.languages.python.evaluation.sequences import SEQUENCES, unique
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Class,
    Const,
    Entry,
    External,
    Function,
    Instance,
    Item,
    Mapped,
    Partial,
    Sequence,
    Unknown,
    Value,
)

Known = Callable[[Machine, Arguments, Scope], Value | None]


def call_known(
    machine: Machine, qualified: str, arguments: Arguments, scope: Scope
) -> Value | None:
    """The result of a function outside the project, None when nothing is known of it."""
    function = FUNCTIONS.get(qualified)
    return function(machine, arguments, scope) if function else None


def argument(arguments: Arguments, position: int = 0) -> Value | None:
    """The argument at a position, None when it is not given."""
    return arguments.get("", position)


def _listed(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return _collection(machine, arguments, "list")


def _tupled(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return _collection(machine, arguments, "tuple")


def _set(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    made = _collection(machine, arguments, "set")
    if isinstance(made, Sequence):
        made.items = unique(made.items)
    return made


def _collection(machine: Machine, arguments: Arguments, kind: str) -> Value | None:
    origin = arguments.origin
    value = argument(arguments)
    if value is None:
        return Sequence(kind, [], origin)  # type: ignore[arg-type]
    items, rest = elements(machine, value, origin)
    return Sequence(kind, items, origin, rest)  # type: ignore[arg-type]


def mapping_of(machine: Machine, arguments: Arguments, scope: Scope | None) -> Mapped:
    """What `dict(…)` makes."""
    origin = arguments.origin
    made = Mapped([], origin)
    value = argument(arguments)
    if isinstance(value, Mapped):
        made.entries += value.entries
        made.rest = value.rest
    elif isinstance(value, Sequence):
        for item in value.items:
            pair = item.value
            if isinstance(pair, Sequence) and len(pair.items) == 2:
                made.entries.append(Entry(pair.items[0].value, pair.items[1].value, item.presence))
            else:
                made.rest = Unknown("a pair out of sight", origin)
        made.rest = made.rest or value.rest
    elif value is not None:
        made.rest = Unknown("a mapping out of sight", origin)
    for given in arguments.items:
        if given.name is not None:
            made.entries.append(Entry(Const(given.name, origin), given.value))
        elif given.spread == "**":
            made.rest = Unknown("a mapping out of sight", origin)
    return made


def _enumerate(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = argument(arguments)
    start = arguments.get("start", 1)
    first = start.value if isinstance(start, Const) else 0
    if value is None or not isinstance(first, int) or (start and not isinstance(start, Const)):
        return None
    origin = arguments.origin
    items, rest = elements(machine, value, origin)
    pairs: list[Item] = []
    for index, item in enumerate(items):
        sure = not any(earlier.presence for earlier in items[:index])
        number: Value = Const(first + index, origin) if sure else Unknown("an index", origin)
        pairs.append(
            Item(Sequence("tuple", [Item(number), Item(item.value)], origin), item.presence)
        )
    return Sequence("list", pairs, origin, rest)


def _zip(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    origin = arguments.origin
    columns = []
    for item in arguments.positional():
        items, rest = elements(machine, item.value, origin)
        if rest is not None or item.spread or any(i.presence for i in items):
            return None
        columns.append(items)
    rows = [
        Item(Sequence("tuple", [Item(i.value) for i in row], origin))
        for row in zip(*columns, strict=False)
    ]
    return Sequence("list", rows, origin)


def _range(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    numbers = [item.value for item in arguments.positional()]
    bounds = [n.value for n in numbers if isinstance(n, Const) and isinstance(n.value, int)]
    if len(bounds) != len(numbers) or not 1 <= len(bounds) <= 3 or (bounds[2:] == [0]):
        return None
    counted = range(*bounds)
    if len(counted) > MAX_ELEMENTS:
        return None
    origin = arguments.origin
    return Sequence("list", [Item(Const(n, origin)) for n in counted], origin)


def _reversed(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = argument(arguments)
    if not isinstance(value, Sequence) or value.rest is not None:
        return None
    return Sequence("list", value.items[::-1], arguments.origin)


def sorted_of(machine: Machine, arguments: Arguments, scope: Scope | None) -> Value | None:
    """What `sorted(…)` makes."""
    value = argument(arguments)
    if value is None or arguments.get("key") is not None:
        return None
    items, rest = elements(machine, value, arguments.origin)
    constants = [i.value.value for i in items if isinstance(i.value, Const)]
    if rest is not None or len(constants) != len(items):
        return None
    if not all(isinstance(c, str) for c in constants) and not all(
        isinstance(c, int | float) for c in constants
    ):
        return None
    reverse = arguments.get("reverse")
    order = sorted(range(len(items)), key=lambda i: constants[i])  # type: ignore[arg-type,return-value]
    if isinstance(reverse, Const) and reverse.value:
        order.reverse()
    elif reverse is not None and not isinstance(reverse, Const):
        return None
    return Sequence("list", [items[i] for i in order], arguments.origin)


def _map(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    function, value = argument(arguments), argument(arguments, 1)
    if function is None or value is None:
        return None
    items, rest = elements(machine, value, arguments.origin)
    made = [
        Item(
            machine.call(function, Arguments((Argument(i.value),), arguments.origin), scope),
            i.presence,
        )
        for i in items
    ]
    return Sequence("list", made, arguments.origin, rest)


def _len(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = argument(arguments)
    origin = arguments.origin
    value = held(value, origin) if value is not None else None
    if isinstance(value, Sequence) and value.rest is None:
        if not any(item.presence for item in value.items):
            return Const(len(value.items), origin)
    if isinstance(value, Mapped) and value.rest is None:
        if not any(entry.presence for entry in value.entries):
            return Const(len(live_keys(value)), origin)
    if isinstance(value, Const) and isinstance(value.value, str):
        return Const(len(value.value), origin)
    counted = invoke(machine, value, "__len__", (), origin) if value is not None else None
    if counted is not None:
        return counted
    key = value.key if isinstance(value, Unknown) else None
    return Unknown("a length", origin, f"len({key})" if key else None)


def _str(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = argument(arguments)
    if isinstance(value, Const) and not value.enum:
        return Const(str(value.value), arguments.origin)
    if isinstance(value, Const) and str(value.enum).startswith("StrEnum:"):
        return Const(value.value, arguments.origin)
    return None


def _bool(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return argument(arguments)


def _type(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = argument(arguments)
    if isinstance(value, Instance) and len(arguments.items) == 1:
        return machine.attribute(value, "__class__", arguments.origin)
    if isinstance(value, Built) and value.cls is not None and len(arguments.items) == 1:
        return value.cls
    return None


def _getattr(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    owner, name, default = (argument(arguments, i) for i in range(3))
    if owner is None or not isinstance(name, Const) or not isinstance(name.value, str):
        return None
    text = name.value
    origin = arguments.origin

    def read(single: Value) -> Value:
        found = machine.attribute(single, text, origin)
        if isinstance(found, Unknown) and default is not None:
            return Unknown(found.reason, origin, found.key)
        return found

    return machine.for_each(owner, read, origin)


def _setattr(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    owner, name, value = (argument(arguments, i) for i in range(3))
    if owner is None or value is None or not isinstance(name, Const):
        return None
    set_attribute(machine, owner, str(name.value), value, arguments.origin)
    return Const(None, arguments.origin)


def _store(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    owner, name, value = (argument(arguments, i) for i in range(3))
    if not isinstance(owner, Instance) or value is None or not isinstance(name, Const):
        return None
    store_attribute(machine, owner, str(name.value), value, arguments.origin)
    return Const(None, arguments.origin)


def _new(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    made = argument(arguments)
    return raw_instance(machine, made, arguments) if isinstance(made, Class) else None


def _isinstance(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value, wanted = argument(arguments), argument(arguments, 1)
    if value is None or wanted is None:
        return None
    found = _is_instance(value, wanted)
    origin = arguments.origin
    if found is not None:
        return Const(found, origin)
    keys = (value_key(value), value_key(wanted))
    if isinstance(wanted, External):
        keys = (keys[0], wanted.qualified)
    key = None if None in keys else f"isinstance({keys[0]}, {keys[1]})"
    return Unknown("whether it is an instance", origin, key)


BASIC_TYPES: dict[str, type | tuple[type, ...]] = {
    "builtins.str": str,
    "builtins.int": int,
    "builtins.float": float,
    "builtins.bool": bool,
    "builtins.bytes": bytes,
}


def _is_instance(value: Value, wanted: Value) -> bool | None:
    if isinstance(wanted, Sequence):
        results = [_is_instance(value, item.value) for item in wanted.items]
        return True if True in results else None if None in results else False
    if isinstance(wanted, External):
        name = wanted.qualified
        if isinstance(value, Const) and not value.enum:
            return isinstance(value.value, BASIC_TYPES[name]) if name in BASIC_TYPES else False
        if isinstance(value, Sequence):
            return name == f"builtins.{value.kind}"
        if isinstance(value, Mapped):
            return name == "builtins.dict"
        if isinstance(value, Function) and name in BASIC_TYPES:
            return False
    if isinstance(wanted, Class) and isinstance(value, Const) and not value.enum:
        return False
    if isinstance(value, Instance):
        return is_subclass(value.cls, wanted)
    return None


def _partial(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    target = argument(arguments)
    if target is None or arguments.spread:
        return None
    positional = tuple(item.value for item in arguments.positional())[1:]
    named = {item.name: item.value for item in arguments.items if item.name is not None}
    return Partial(target, positional, named, arguments.origin)


def _cast(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return arguments.get("val", 1)


def _same(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return argument(arguments)


def _copied(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = argument(arguments)
    if isinstance(value, Sequence):
        return Sequence(value.kind, list(value.items), arguments.origin, value.rest)
    if isinstance(value, Mapped):
        return Mapped(list(value.entries), arguments.origin, value.rest)
    return value if isinstance(value, Const | Function | Class) else None


def _shallow(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = argument(arguments)
    if isinstance(value, Built):
        value.escapes.append(("a copy of it shares what it holds", arguments.origin))
    return _copied(machine, arguments, scope)


FUNCTIONS: dict[str, Known] = {
    **SEQUENCES,
    "builtins.list": _listed,
    "builtins.tuple": _tupled,
    "builtins.set": _set,
    "builtins.frozenset": _set,
    "builtins.dict": mapping_of,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.range": _range,
    "builtins.reversed": _reversed,
    "builtins.sorted": sorted_of,
    "builtins.map": _map,
    "builtins.len": _len,
    "builtins.str": _str,
    "builtins.bool": _bool,
    "builtins.type": _type,
    "builtins.object.__new__": _new,
    "builtins.object.__setattr__": _store,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    "builtins.isinstance": _isinstance,
    "collections.OrderedDict": mapping_of,
    "collections.deque": _listed,
    "functools.partial": _partial,
    "typing.cast": _cast,
    "copy.copy": _shallow,
    "copy.deepcopy": _copied,
    "asyncio.run": _same,
    "asyncio.gather": _tupled,
}
