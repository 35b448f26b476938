"""Mappings in a body: with one more key, with all that others hold."""

from __future__ import annotations

from dataclasses import replace

from flowlint.languages.bodies.given import joined, new_key
from flowlint.source import Span
from flowlint.values.bodies import Givens, Key, Parameter, Plain, Table, Whole


def with_key(table: Table, key: Givens, values: Givens, span: Span) -> Table:
    """A mapping with one more key; where the key may be several, none of them is certain."""
    plain = [given for given in key if isinstance(given, Plain)]
    if not plain or len(plain) != len(key):
        return replace(table, more=True)
    if not all(isinstance(one.value, str | int | bool) or one.value is None for one in plain):
        return replace(table, more=True)
    for one in plain:
        table = _put(table, new_key(one, values, span, len(plain) == 1))
    return table


def _put(table: Table, key: Key) -> Table:
    earlier = next((held for held in table.keys if held.name == key.name), None)
    others = tuple(held for held in table.keys if held.name != key.name)
    if earlier is not None and not key.certain:
        values = joined(earlier.values, key.values)
        key = replace(key, values=values, certain=earlier.certain)
    # Mappings are put together key by key, and `replace` takes several times as long.
    return Table((*others, key), table.span, table.more, table.whole, table.identity)


def without(table: Table, name: str) -> Table:
    """A mapping from which a key is taken away."""
    return replace(table, keys=tuple(key for key in table.keys if key.name != name))


def spread(table: Table, givens: Givens, span: Span) -> Table:
    """A mapping with all that another one holds."""
    if len(givens) != 1:
        return _any_of(table, givens, span)
    given = givens[0]
    if isinstance(given, Table):
        for key in given.keys:
            table = _put(table, key)
        more = table.more or given.more
        return replace(table, more=more, whole=table.whole or given.whole)
    if isinstance(given, Parameter):
        return replace(table, whole=Whole(given.number, span))
    if isinstance(given, Plain) and given.value is None:
        return table
    return replace(table, more=True)


def _any_of(table: Table, givens: Givens, span: Span) -> Table:
    """A mapping with all that one of several others holds; certain is what each of them has."""
    for given in givens:
        if isinstance(given, Table):
            for key in given.keys:
                table = _put(table, replace(key, certain=False))
            table = replace(table, more=table.more or given.more, whole=table.whole or given.whole)
        else:
            table = spread(table, (given,), span)
    tables = [given for given in givens if isinstance(given, Table)]
    if len(tables) < len(givens):
        return table
    surely = [{key.name for key in given.keys if key.certain} for given in tables]
    everywhere = set[str].intersection(*surely) if surely else set()
    keys = [replace(key, certain=key.certain or key.name in everywhere) for key in table.keys]
    return replace(table, keys=tuple(keys))
