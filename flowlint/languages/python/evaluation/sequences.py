"""Functions outside the project that make sequences of sequences: itertools, iterators."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

from flowlint.languages.python.evaluation.assigning import MAX_ELEMENTS, elements, key_of
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.languages.python.evaluation.testing import known_truth
from flowlint.values.model import (
    Argument,
    Arguments,
    Const,
    Entry,
    Item,
    Mapped,
    Origin,
    Sequence,
    Unknown,
    Value,
)

Known = Callable[[Machine, Arguments, Scope], Value | None]


def _chain(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    if arguments.spread:
        return None
    return _chained(machine, [item.value for item in arguments.positional()], arguments.origin)


def _chain_of(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = arguments.get("iterable", 0)
    if value is None:
        return None
    items, rest = elements(machine, value, arguments.origin)
    if rest is not None or any(item.presence for item in items):
        return None
    return _chained(machine, [item.value for item in items], arguments.origin)


def _chained(machine: Machine, parts: list[Value], origin: Origin) -> Value:
    made = Sequence("list", [], origin)
    for part in parts:
        items, rest = elements(machine, part, origin)
        made.items += items
        made.rest = made.rest or rest
    return made


def _columns(machine: Machine, arguments: Arguments) -> list[list[Value]] | None:
    """The elements of every argument, None unless all of them are known and sure to be there."""
    columns: list[list[Value]] = []
    if any(item.name is not None or item.spread for item in arguments.items):
        return None
    for argument in arguments.items:
        if isinstance(argument.value, Const) and not isinstance(argument.value.value, str):
            return None
        items, rest = elements(machine, argument.value, arguments.origin)
        if rest is not None or any(item.presence for item in items):
            return None
        columns.append([item.value for item in items])
    return columns


def _rows(rows: Iterable[tuple[Value, ...]], origin: Origin) -> Value | None:
    made: list[Item] = []
    for row in rows:
        made.append(Item(Sequence("tuple", [Item(value) for value in row], origin)))
        if len(made) > MAX_ELEMENTS:
            return None
    return Sequence("list", made, origin)


def _product(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    columns = _columns(machine, arguments)
    return _rows(itertools.product(*columns), arguments.origin) if columns is not None else None


def _pairwise(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    columns = _columns(machine, arguments)
    if columns is None or len(columns) != 1:
        return None
    return _rows(itertools.pairwise(columns[0]), arguments.origin)


def _chosen(choose: Callable[[list[Value], int], Iterable[tuple[Value, ...]]]) -> Known:
    def known(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
        size = arguments.get("r", 1)
        columns = _columns(machine, Arguments(arguments.items[:1], arguments.origin))
        if columns is None or not isinstance(size, Const) or not isinstance(size.value, int):
            return None
        if size.value < 0 or not columns:
            return None
        return _rows(choose(columns[0], size.value), arguments.origin)

    return known


def _iterator(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    value = arguments.get("", 0)
    if value is None or len(arguments.items) != 1:
        return None
    items, rest = elements(machine, value, arguments.origin)
    return Sequence("list", items, arguments.origin, rest)


def _next(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    """The next element of an iterator, which then has one less."""
    value, default = arguments.get("", 0), arguments.get("", 1)
    if not isinstance(value, Sequence):
        return None
    if not value.items:
        return default if value.rest is None else None
    first = value.items[0]
    if not machine.present and not first.presence:
        return value.items.pop(0).value
    value.items.clear()
    value.rest = value.rest or Unknown("taken from an iterator under conditions", arguments.origin)
    return first.value if not first.presence else None


def _filter(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    function, value = arguments.get("", 0), arguments.get("", 1)
    if function is None or value is None:
        return None
    items, rest = elements(machine, value, arguments.origin)
    kept: list[Item] = []
    for item in items:
        verdict = item.value
        if not (isinstance(function, Const) and function.value is None):
            given = Arguments((Argument(item.value),), arguments.origin)
            verdict = machine.call(function, given, scope)
        known = known_truth(verdict)
        if known is None:
            return None
        if known:
            kept.append(item)
    return Sequence("list", kept, arguments.origin, rest)


def _from_keys(machine: Machine, arguments: Arguments, scope: Scope) -> Value | None:
    keys = arguments.get("", 0)
    if keys is None:
        return None
    value = arguments.get("", 1) or Const(None, arguments.origin)
    items, rest = elements(machine, keys, arguments.origin)
    entries = [Entry(item.value, value, item.presence) for item in items]
    return Mapped(entries, arguments.origin, rest)


def unique(items: list[Item]) -> list[Item]:
    """The items of a set: of those that are surely equal the first."""
    kept: dict[object, Item] = {}
    for item in items:
        mark = key_of(item.value)
        known = kept.get(mark) if mark is not None else None
        if known is None:
            kept[mark if mark is not None else id(item)] = item
        elif not item.presence:
            kept[mark] = Item(known.value, item.presence, known.place)
    return list(kept.values())


SEQUENCES: dict[str, Known] = {
    "builtins.iter": _iterator,
    "builtins.next": _next,
    "builtins.filter": _filter,
    "builtins.dict.fromkeys": _from_keys,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_of,
    "itertools.product": _product,
    "itertools.pairwise": _pairwise,
    "itertools.combinations": _chosen(itertools.combinations),
    "itertools.permutations": _chosen(itertools.permutations),
}
