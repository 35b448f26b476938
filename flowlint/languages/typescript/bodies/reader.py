"""Reads the body of one function."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.names import Names
from flowlint.languages.typescript.bodies.expressions import evaluate
from flowlint.languages.typescript.bodies.frame import Closure, TooLongError, Work, frame_of
from flowlint.languages.typescript.bodies.patterns import bind, or_default
from flowlint.languages.typescript.bodies.statements import read
from flowlint.languages.typescript.evaluation.functions import parameters_of
from flowlint.languages.typescript.evaluation.machine import Machine, TooMuchWorkError
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import (
    Body,
    Given,
    Givens,
    InnerRead,
    Made,
    Opaque,
    Parameter,
    ReadOf,
    Row,
    Table,
    Thing,
)
from flowlint.values.model import Value

if TYPE_CHECKING:
    from flowlint.languages.typescript.bodies.frame import Frame


def read_body(
    machine: Machine,
    definition: FunctionDefinition,
    receiver: Value | None,
    given: tuple[Value, ...] = (),
) -> Body:
    """What the function may return, and what it reads of its arguments.

    Arguments that it already has are no parameters any more: the others are counted from 0.
    """
    try:
        return _read(Work(machine, evaluate, read), definition, receiver, given)
    except TooLongError:
        pass
    # What it calls may be what is too long.
    try:
        return _read(Work(machine, evaluate, read, calls=0), definition, receiver, given)
    except TooLongError:
        return Body(unread="it is too long")


def _read(
    work: Work, definition: FunctionDefinition, receiver: Value | None, given: tuple[Value, ...]
) -> Body:
    """The same with so much work. Raises TooLongError where that is not enough."""
    frame = frame_of(work, definition, receiver)
    machine = work.machine
    mark = machine.mark()
    try:
        names = _begin(frame, given)
        returns = tuple(_outward(one) for one in read(frame, names))
    except TooMuchWorkError:
        return Body(unread="it is too long")
    except RecursionError:
        return Body(unread="it is nested too deeply")
    finally:
        machine.restore(mark)
    return Body(
        returns,
        _reads(work),
        frozenset(work.leaks),
        puts=tuple(dict.fromkeys(work.puts)),
        changed=frozenset(work.changed | work.leaks),
        grown=frozenset(work.grown),
        inner=_inner_reads(work),
    )


def _begin(frame: Frame, given: tuple[Value, ...]) -> Names:
    """The names that a function begins with."""
    names: Names = {}
    parts = parameters_of(frame.node)
    bound = [frame.of_value(value, frame.node) for value in given]
    for number, part in enumerate(parts):
        pattern = part.child_by_field_name("pattern") or part
        default = part.child_by_field_name("value")
        if pattern.type == "rest_pattern":
            inner = children(pattern)
            if inner:
                bind(frame, inner[0], frame.opaque("more arguments", pattern), names)
            continue
        if number < len(bound):
            held = bound[number]
        else:
            held = (Parameter(number - len(bound), frame.span(part)),)
            if default is not None and number > len(bound):
                # Who calls a step need not give it more than the first.
                held = or_default(frame, frame.opaque("an argument", part), default, names)
        bind(frame, pattern, held, names)
    return names


def _outward(given: Given) -> Given:
    """A value as others see it: a part of a parameter is something that is not known."""
    match given:
        case Parameter(path=path) if path:
            return Opaque(f"`{path[-1]}` of what it is given", given.span, path[0])
        case Table():
            keys = tuple(replace(key, values=_all(key.values)) for key in given.keys)
            return replace(given, keys=keys)
        case Row():
            return replace(given, items=tuple(_all(item) for item in given.items))
        case Made():
            named = {name: _all(held) for name, held in given.arguments.items()}
            return replace(given, arguments=named)
        case Thing(value=Closure()):
            return Opaque("a function that is made here", given.span)
    return given


def _all(givens: Givens) -> Givens:
    return tuple(_outward(given) for given in givens)


def _reads(work: Work) -> tuple[ReadOf, ...]:
    """Each read once: the one that needs the key where there are several of one place.

    Where the code asks anywhere whether a key is there, no read of it is said to need it.
    """
    found: dict[object, ReadOf] = {}
    asked = {(one.parameter, one.key) for one in work.reads if one.how == "asked"}
    for one in work.reads:
        key = (one.parameter, one.key, one.span)
        is_tested = (one.parameter, (one.key,)) in work.tested
        hard = one.hard and not is_tested and (one.parameter, one.key) not in asked
        known = found.get(key)
        if known is None or (hard and not known.hard):
            found[key] = replace(one, hard=hard)
    return tuple(found.values())


def _inner_reads(work: Work) -> tuple[InnerRead, ...]:
    """Each read within another one once, in the same way."""
    found: dict[object, InnerRead] = {}
    for one in work.inner:
        key = (one.parameter, one.path, one.span)
        guarded = (one.parameter, one.path) in work.tested
        before = found.get(key, one)
        hard = (one.hard or before.hard) and not guarded
        certain = one.certain or before.certain
        found[key] = replace(one, hard=hard, guarded=guarded, certain=certain)
    return tuple(found.values())
