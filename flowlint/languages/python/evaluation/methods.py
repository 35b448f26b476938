"""Methods of containers and texts."""

from __future__ import annotations

from flowlint.languages.python.evaluation.assigning import (
    MAX_ELEMENTS,
    extend,
    key_of,
    live_keys,
)
from flowlint.languages.python.evaluation.containers import mapped_value
from flowlint.languages.python.evaluation.library import argument, mapping_of, sorted_of
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.values.model import (
    Argument,
    Arguments,
    Const,
    Entry,
    Item,
    Mapped,
    Sequence,
    Unknown,
    Value,
)

TEXT_METHODS = frozenset(
    (
        "capitalize", "casefold", "center", "endswith", "find", "format", "isalnum", "isalpha",
        "isdigit", "isidentifier", "islower", "isupper", "join", "ljust", "lower", "lstrip",
        "partition", "removeprefix", "removesuffix", "replace", "rjust", "rsplit", "rstrip",
        "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper", "zfill",
    )
)  # fmt: skip


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
    value = argument(arguments)
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
        index, inserted = argument(arguments), argument(arguments, 1)
        if isinstance(index, Const) and isinstance(index.value, int) and inserted is not None:
            receiver.items.insert(index.value, Item(inserted, machine.present))
            return none
    if name == "copy":
        return Sequence(receiver.kind, list(receiver.items), origin, receiver.rest)
    if name == "index" and value is not None and receiver.rest is None:
        keys = [key_of(i.value) for i in receiver.items]
        if key_of(value) in keys and not any(i.presence for i in receiver.items):
            return Const(keys.index(key_of(value)), origin)
    if name == "popleft":
        name, value = "pop", Const(0, origin)
    if name == "pop" and not machine.present and receiver.items and receiver.rest is None:
        last = value.value if isinstance(value, Const) else -1
        simple = value is None or isinstance(value, Const)
        sure = simple and not any(i.presence for i in receiver.items)
        if sure and isinstance(last, int) and -len(receiver.items) <= last < len(receiver.items):
            return receiver.items.pop(last).value
    if _change(machine, receiver, name, arguments):
        return none
    if name in ("pop", "remove", "clear", "sort", "reverse", "discard", "insert", "popleft"):
        receiver.rest = receiver.rest or Unknown(f"changed by `{name}`", origin)
        for item in receiver.items:
            label = machine.literal(("changed", machine.fresh()), f"`{name}` left it in")
            item.presence |= {(label, True)}
    return None


def _change(machine: Machine, receiver: Sequence, name: str, arguments: Arguments) -> bool:
    """Change a list whose elements are all known; false when nothing was done."""
    if machine.present or receiver.rest is not None or any(i.presence for i in receiver.items):
        return False
    items, value = receiver.items, argument(arguments)
    if name == "clear":
        items.clear()
    elif name == "reverse":
        items.reverse()
    elif name in ("remove", "discard") and value is not None:
        keys = [key_of(item.value) for item in items]
        if None in keys or key_of(value) is None:
            return False
        if key_of(value) in keys:
            del items[keys.index(key_of(value))]
    elif name == "sort":
        ordered = sorted_of(
            machine, Arguments((Argument(receiver), *arguments.items), arguments.origin), None
        )
        if not isinstance(ordered, Sequence):
            return False
        receiver.items = ordered.items
    else:
        return False
    return True


def _call_mapping(
    machine: Machine, receiver: Mapped, name: str, arguments: Arguments
) -> Value | None:
    origin = arguments.origin
    if name in ("keys", "values", "items"):
        found: list[Item] = []
        for key, presence in live_keys(receiver):
            held = mapped_value(machine, receiver, key) or Unknown("a value", origin)
            pair = Sequence("tuple", [Item(key), Item(held)], origin)
            shown: Value = {"keys": key, "values": held, "items": pair}[name]
            found.append(Item(shown, presence))
        return Sequence("list", found, origin, receiver.rest)
    if name == "get":
        return _get(machine, receiver, arguments)
    if name == "setdefault":
        wanted_key = argument(arguments)
        if wanted_key is None:
            return None
        held_value = mapped_value(machine, receiver, wanted_key)
        if held_value is None:
            held_value = argument(arguments, 1) or Const(None, origin)
            receiver.entries.append(Entry(wanted_key, held_value, machine.present))
        return held_value
    if name == "update":
        added = mapping_of(machine, arguments, None)
        receiver.entries += [
            Entry(e.key, e.value, e.presence | machine.present, e.place) for e in added.entries
        ]
        receiver.rest = receiver.rest or added.rest
        return Const(None, origin)
    if name == "copy":
        return Mapped(list(receiver.entries), origin, receiver.rest)
    if name in ("pop", "popitem", "clear"):
        current: Value | None = None
        popped = argument(arguments)
        if name == "pop" and popped is not None:
            current = mapped_value(machine, receiver, popped)
            wanted = key_of(popped)
            if current is not None and not machine.present:
                receiver.entries = [e for e in receiver.entries if key_of(e.key) != wanted]
                return current
        receiver.rest = receiver.rest or Unknown(f"changed by `{name}`", origin)
        return current
    return None


def _get(machine: Machine, receiver: Mapped, arguments: Arguments) -> Value | None:
    key = argument(arguments)
    if key is None:
        return None
    found = mapped_value(machine, receiver, key)
    if found is not None:
        return found
    wanted = key_of(key)
    absent = wanted is not None and receiver.rest is None
    if absent and all(key_of(e.key) not in (None, wanted) for e in receiver.entries):
        return argument(arguments, 1) or Const(None, arguments.origin)
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
        parts = [Item(Const(part, origin)) for part in result]
        return Sequence("list" if isinstance(result, list) else "tuple", parts, origin)
    return None
