"""Reads the body of one function."""

from __future__ import annotations

from flowlint.languages.python.bodies.calls import begin, parameters
from flowlint.languages.python.bodies.expressions import evaluate
from flowlint.languages.python.bodies.frame import Frame, TooLongError, Work
from flowlint.languages.python.bodies.statements import read
from flowlint.languages.python.evaluation.machine import Machine, TooMuchWorkError
from flowlint.languages.python.evaluation.scopes import FunctionDefinition
from flowlint.values.bodies import Body, Parameter
from flowlint.values.model import Value


def read_body(machine: Machine, definition: FunctionDefinition, receiver: Value | None) -> Body:
    """What the function may return, and what it reads of its arguments."""
    work = Work(machine, evaluate, read)
    frame = Frame(work, definition, receiver)
    try:
        names = begin(frame)
        for number, name in enumerate(parameters(definition, receiver)):
            names[name] = (Parameter(number, frame.span(definition.node)),)
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
    )
