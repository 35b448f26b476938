"""Reads the body of one function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
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

_NOTHING: Mapping[str, Value] = MappingProxyType({})


def read_body(
    machine: Machine,
    definition: FunctionDefinition,
    receiver: Value | None,
    given: tuple[Value, ...] = (),
    named: Mapping[str, Value] = _NOTHING,
) -> Body:
    """What the function may return, and what it reads of its arguments.

    Arguments that it already has are no parameters any more: the others are counted from 0.
    `named` is there for languages that have such arguments, and is empty here.
    """
    work = Work(machine, evaluate, read)
    frame = frame_of(work, definition, receiver)
    mark = machine.mark()
    try:
        names = _begin(frame, given)
        returns = tuple(_outward(one) for one in read(frame, names))
    except (TooLongError, TooMuchWorkError):
        return Body(unread="it is too long")
    except RecursionError:
        return Body(unread="it is nested too deeply")
    finally:
        machine.restore(mark)
    return Body(
        returns,
        _reads(work.reads),
        frozenset(work.leaks),
        puts=tuple(dict.fromkeys(work.puts)),
        changed=frozenset(work.changed | work.leaks),
        grown=frozenset(work.grown),
        inner=_inner_reads(work.inner),
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


def _reads(reads: list[ReadOf]) -> tuple[ReadOf, ...]:
    """Each read once: the one that needs the key where there are several of one place."""
    found: dict[object, ReadOf] = {}
    for one in reads:
        key = (one.parameter, one.key, one.span)
        known = found.get(key)
        if known is None or (one.hard and not known.hard):
            found[key] = one
    return tuple(found.values())


def _inner_reads(reads: list[InnerRead]) -> tuple[InnerRead, ...]:
    found: dict[object, InnerRead] = {}
    for one in reads:
        key = (one.parameter, one.path, one.span)
        known = found.get(key)
        if known is None:
            found[key] = one
        else:
            hard, guarded = known.hard or one.hard, known.guarded or one.guarded
            found[key] = replace(known, hard=hard and not guarded, guarded=guarded)
    return tuple(found.values())
