"""The few functions outside the project whose results matter: containers, texts, functools."""

from __future__ import annotations

from collections.abc import Callable

from flowlint.graph.model import ALWAYS
from flowlint.languages.python.evaluation.assigning import (
    MAX_ELEMENTS,
    elements,
    extend,
    key_of,
    live_keys,
    set_attribute,
)
from flowlint.languages.python.evaluation.attributes import enum_members, is_subclass
from flowlint.languages.python.evaluation.containers import mapped_value
from flowlint.languages.python.evaluation.machine import Machine, value_key
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.values.model import (
    Argument,
    Arguments,
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

TEXT_METHODS = frozenset(
    [
        "capitalize",
        "casefold",
        "center",
        "endswith",
        "find",
        "format",
        "isalnum",
        "isalpha",
        "isdigit",
        "isidentifier",
        "islower",
        "isupper",
        "join",
        "ljust",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rjust",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "upper",
        "zfill",
    ]
)


def call_known(
    machine: Machine, qualified: str, arguments: Arguments, scope: Scope
) -> Value | None:
    """The result of a function outside the project, None when nothing is known of it."""
    function = FUNCTIONS.get(qualified)
    return function(machine, arguments, scope) if function else None


def _argument(arguments: Arguments, position: int = 0) -> Value | None:
    return arguments.get("", position)


def _listed(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return _collection(machine, arguments, "list")


def _tupled(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return _collection(machine, arguments, "tuple")


def _set(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    made = _collection(machine, arguments, "set")
    if isinstance(made, Sequence):
        unique: dict[object, Item] = {}
        for item in made.items:
            unique.setdefault(key_of(item.value) or id(item), item)
        made.items = list(unique.values())
    return made


def _collection(machine: Machine, arguments: Arguments, kind: str) -> Value | None:
    origin = arguments.origin
    value = _argument(arguments)
    if value is None:
        return Sequence(kind, [], origin)  # type: ignore[arg-type]
    if isinstance(value, Class):
        members = enum_members(machine, value)
        if members is not None:
            return Sequence(kind, [Item(m) for m in members], origin)  # type: ignore[arg-type]
    items, rest = elements(machine, value, origin)
    return Sequence(kind, items, origin, rest)  # type: ignore[arg-type]


def _dict(machine: Machine, arguments: Arguments, scope: Scope | None) -> Value | None:
    origin = arguments.origin
    made = Mapped([], origin)
    value = _argument(arguments)
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
    for item in arguments.items:
        if item.name is not None:
            made.entries.append(Entry(Const(item.name, origin), item.value))
        elif item.spread == "**":
            made.rest = Unknown("a mapping out of sight", origin)
    return made


def _enumerate(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = _argument(arguments)
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
    value = _argument(arguments)
    if not isinstance(value, Sequence) or value.rest is not None:
        return None
    return Sequence("list", value.items[::-1], arguments.origin)


def _sorted(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = _argument(arguments)
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
    function, value = _argument(arguments), _argument(arguments, 1)
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
    value = _argument(arguments)
    origin = arguments.origin
    if isinstance(value, Sequence) and value.rest is None:
        if not any(item.presence for item in value.items):
            return Const(len(value.items), origin)
    if isinstance(value, Mapped) and value.rest is None:
        if not any(entry.presence for entry in value.entries):
            return Const(len(live_keys(value)), origin)
    if isinstance(value, Const) and isinstance(value.value, str):
        return Const(len(value.value), origin)
    key = value.key if isinstance(value, Unknown) else None
    return Unknown("a length", origin, f"len({key})" if key else None)


def _str(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = _argument(arguments)
    if isinstance(value, Const) and not value.enum:
        return Const(str(value.value), arguments.origin)
    if isinstance(value, Const) and str(value.enum).startswith("StrEnum:"):
        return Const(value.value, arguments.origin)
    return None


def _bool(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return _argument(arguments)


def _getattr(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    owner, name, default = (_argument(arguments, i) for i in range(3))
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
    owner, name, value = (_argument(arguments, i) for i in range(3))
    if owner is None or value is None or not isinstance(name, Const):
        return None
    set_attribute(machine, owner, str(name.value), value, arguments.origin)
    return Const(None, arguments.origin)


def _isinstance(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value, wanted = _argument(arguments), _argument(arguments, 1)
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
    target = _argument(arguments)
    if target is None or arguments.spread:
        return None
    positional = tuple(item.value for item in arguments.positional())[1:]
    named = {item.name: item.value for item in arguments.items if item.name is not None}
    return Partial(target, positional, named, arguments.origin)


def _cast(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return arguments.get("val", 1)


def _same(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    return _argument(arguments)


FUNCTIONS: dict[str, Known] = {
    "builtins.list": _listed,
    "builtins.tuple": _tupled,
    "builtins.set": _set,
    "builtins.frozenset": _set,
    "builtins.dict": _dict,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.range": _range,
    "builtins.reversed": _reversed,
    "builtins.sorted": _sorted,
    "builtins.map": _map,
    "builtins.len": _len,
    "builtins.str": _str,
    "builtins.bool": _bool,
    "builtins.getattr": _getattr,
    "builtins.setattr": _setattr,
    "builtins.isinstance": _isinstance,
    "builtins.iter": _same,
    "collections.OrderedDict": _dict,
    "collections.deque": _listed,
    "functools.partial": _partial,
    "typing.cast": _cast,
    "copy.copy": _same,
    "asyncio.run": _same,
    "asyncio.gather": _tupled,
}


def call_container(
    machine: Machine, receiver: Sequence | Mapped | Const, name: str, arguments: Arguments
) -> Value | None:
    """The result of a method of a container or text, None when it is not followed."""
    if isinstance(receiver, Sequence):
        return _call_sequence(machine, receiver, name, arguments)
    if isinstance(receiver, Mapped):
        return _call_mapping(machine, receiver, name, arguments)
    if isinstance(receiver.value, str) and name in TEXT_METHODS:
        return _call_text(machine, receiver.value, name, arguments)
    return None


def _call_sequence(
    machine: Machine, receiver: Sequence, name: str, arguments: Arguments
) -> Value | None:
    value = _argument(arguments)
    origin = arguments.origin
    none = Const(None, origin)
    if name in ("append", "add", "appendleft") and value is not None:
        if name == "add" and any(
            key_of(i.value) is not None and key_of(i.value) == key_of(value) for i in receiver.items
        ):
            return none
        at = 0 if name == "appendleft" else len(receiver.items)
        receiver.items.insert(at, Item(value, machine.present, arguments.items[0].place))
        return none
    if name in ("extend", "update") and value is not None:
        extend(machine, receiver, value, origin)
        return none
    if name == "insert":
        index, inserted = _argument(arguments), _argument(arguments, 1)
        if isinstance(index, Const) and isinstance(index.value, int) and inserted is not None:
            receiver.items.insert(index.value, Item(inserted, machine.present))
            return none
    if name == "copy":
        return Sequence(receiver.kind, list(receiver.items), origin, receiver.rest)
    if name == "index" and value is not None and receiver.rest is None:
        keys = [key_of(i.value) for i in receiver.items]
        if key_of(value) in keys and not any(i.presence for i in receiver.items):
            return Const(keys.index(key_of(value)), origin)
    if name == "pop" and not machine.present and receiver.items and receiver.rest is None:
        index = value.value if isinstance(value, Const) else -1
        simple = value is None or isinstance(value, Const)
        if simple and isinstance(index, int) and not any(i.presence for i in receiver.items):
            if -len(receiver.items) <= index < len(receiver.items):
                return receiver.items.pop(index).value
    if name in ("pop", "remove", "clear", "sort", "reverse", "discard", "insert", "popleft"):
        receiver.rest = receiver.rest or Unknown(f"changed by `{name}`", origin)
        for item in receiver.items:
            label = machine.literal(("changed", id(item)), f"`{name}` left it in")
            item.presence |= {(label, True)}
    return None


def _call_mapping(
    machine: Machine, receiver: Mapped, name: str, arguments: Arguments
) -> Value | None:
    origin = arguments.origin
    if name in ("keys", "values", "items"):
        found: list[Item] = []
        for key, presence in live_keys(receiver):
            value: Value | None = key
            if name != "keys":
                value = mapped_value(machine, receiver, key) or Unknown("a value", origin)
                if name == "items":
                    value = Sequence("tuple", [Item(key), Item(value)], origin)
            found.append(Item(value, presence))
        return Sequence("list", found, origin, receiver.rest)
    if name == "get":
        return _get(machine, receiver, arguments)
    if name == "setdefault":
        key = _argument(arguments)
        current = mapped_value(machine, receiver, key) if key is not None else None
        if current is None and key is not None:
            current = _argument(arguments, 1) or Const(None, origin)
            receiver.entries.append(Entry(key, current, machine.present))
        return current
    if name == "update":
        added = _dict(machine, arguments, None)
        assert isinstance(added, Mapped)
        receiver.entries += [
            Entry(e.key, e.value, e.presence | machine.present, e.place) for e in added.entries
        ]
        receiver.rest = receiver.rest or added.rest
        return Const(None, origin)
    if name == "copy":
        return Mapped(list(receiver.entries), origin, receiver.rest)
    if name in ("pop", "popitem", "clear"):
        current = None
        key = _argument(arguments)
        if name == "pop" and key is not None:
            current = mapped_value(machine, receiver, key)
            wanted = key_of(key)
            if current is not None and not machine.present:
                receiver.entries = [e for e in receiver.entries if key_of(e.key) != wanted]
                return current
        receiver.rest = receiver.rest or Unknown(f"changed by `{name}`", origin)
        return current
    return None


def _get(machine: Machine, receiver: Mapped, arguments: Arguments) -> Value | None:
    key = _argument(arguments)
    if key is None:
        return None
    found = mapped_value(machine, receiver, key)
    if found is not None:
        return found
    wanted = key_of(key)
    absent = wanted is not None and receiver.rest is None
    if absent and all(key_of(e.key) not in (None, wanted) for e in receiver.entries):
        return _argument(arguments, 1) or Const(None, arguments.origin)
    return Unknown("an element that may be missing", arguments.origin)


def _call_text(machine: Machine, text: str, name: str, arguments: Arguments) -> Value | None:
    values: list[object] = []
    named: dict[str, object] = {}
    for item in arguments.items:
        plain: object
        if isinstance(item.value, Const) and not item.value.enum:
            plain = item.value.value
        elif isinstance(item.value, Sequence) and item.value.rest is None:
            inner = [i.value.value for i in item.value.items if isinstance(i.value, Const)]
            if len(inner) != len(item.value.items) or any(i.presence for i in item.value.items):
                return None
            plain = inner
        else:
            return None
        if item.name is not None:
            named[item.name] = plain
        else:
            values.append(plain)
    wide = any(isinstance(v, int) and v > MAX_ELEMENTS for v in (*values, *named.values()))
    if wide or (name == "format" and len(text) > MAX_ELEMENTS):
        return None
    try:
        result = getattr(text, name)(*values, **named)
    except Exception:
        return None
    origin = arguments.origin
    if isinstance(result, str | bool | int):
        return Const(result, origin)
    if isinstance(result, list | tuple):
        kind = "list" if isinstance(result, list) else "tuple"
        return Sequence(kind, [Item(Const(part, origin)) for part in result], origin)
    return None


__all__ = ["ALWAYS", "call_container", "call_known"]
