"""What was read of a body with other places: the same code, found elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flowlint.source import Span
from flowlint.values.bodies import Body, Given, Givens, Key, Made, Row, Table

Move = Callable[[Span], Span]


def moved(body: Body, move: Move) -> Body:
    """What reading a function told, where its code stands elsewhere by now."""
    return replace(
        body,
        returns=_all(body.returns, move),
        reads=tuple(replace(one, span=move(one.span)) for one in body.reads),
        inner=tuple(replace(one, span=move(one.span)) for one in body.inner),
        puts=tuple(replace(one, span=move(one.span)) for one in body.puts),
    )


def _all(givens: Givens, move: Move) -> Givens:
    return tuple(_moved(given, move) for given in givens)


def _moved(given: Given, move: Move) -> Given:
    span = move(given.span)
    match given:
        case Table(keys=keys, whole=whole):
            held = tuple(_key(key, move) for key in keys)
            copied = replace(whole, span=move(whole.span)) if whole is not None else None
            return replace(given, keys=held, span=span, whole=copied)
        case Row(items=items):
            return replace(given, items=tuple(_all(item, move) for item in items), span=span)
        case Made(arguments=arguments):
            named = {name: _all(held, move) for name, held in arguments.items()}
            return replace(given, arguments=named, span=span)
    return replace(given, span=span)


def _key(key: Key, move: Move) -> Key:
    member = replace(key.member, span=move(key.member.span)) if key.member is not None else None
    return replace(key, values=_all(key.values, move), span=move(key.span), member=member)
