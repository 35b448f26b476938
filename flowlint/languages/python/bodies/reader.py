"""Reads the body of one function."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from flowlint.languages.python.bodies.expressions import evaluate
from flowlint.languages.python.bodies.frame import Frame, TooLongError, Work
from flowlint.languages.python.bodies.functions import begin, parameters
from flowlint.languages.python.bodies.statements import read
from flowlint.languages.python.evaluation.machine import Machine, TooMuchWorkError
from flowlint.languages.python.evaluation.scopes import FunctionDefinition
from flowlint.values.bodies import Body, Parameter
from flowlint.values.model import Value

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
    """
    work = Work(machine, evaluate, read)
    frame = Frame(work, definition, receiver)
    try:
        names = begin(frame)
        places = parameters(definition, receiver)
        node = definition.node
        bound = {**dict(zip(places, given, strict=False)), **named}
        for name, value in bound.items():
            names[name] = frame.of_value(value, node)
        for number, name in enumerate(name for name in places if name not in bound):
            # Who calls a node or router gives it one argument, and others only by their names.
            if number == 0 or name not in definition.defaults:
                names[name] = (Parameter(number, frame.span(node)),)
        returns = read(frame, names)
    except (TooLongError, TooMuchWorkError):
        return Body(unread="it is too long")
    except RecursionError:
        return Body(unread="it is nested too deeply")
    return Body(
        returns,
        tuple(dict.fromkeys(work.reads)),
        frozenset(work.leaks),
        puts=tuple(dict.fromkeys(work.puts)),
        changed=frozenset(work.changed | work.leaks),
        grown=frozenset(work.grown),
    )
