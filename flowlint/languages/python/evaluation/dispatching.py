"""Functions that remember results, and functions that stand for several."""

from __future__ import annotations

from flowlint.languages.python.evaluation.escaping import escape, escape_value
from flowlint.languages.python.evaluation.machine import Machine, value_key
from flowlint.languages.python.evaluation.scopes import FunctionDefinition
from flowlint.values.model import Arguments, Function, Unknown, Value


def memory_key(function: Function, arguments: Arguments) -> tuple[object, ...] | None:
    """What tells calls of a function with a memory apart, None when that is not known."""
    keys = [(item.name, value_key(item.value)) for item in arguments.items]
    if function.receiver is not None:
        keys.append(("self", value_key(function.receiver)))
    if any(key is None for _, key in keys) or arguments.spread:
        return None
    assert isinstance(function.definition, FunctionDefinition)
    return (function.definition, *keys)


def dispatched(
    machine: Machine, function: Function, definition: FunctionDefinition, arguments: Arguments
) -> Value:
    """One of several functions is called, by the type of what it is given."""
    how = f"passed to `{function.name}`, which may be one of several functions"
    escape(arguments, how, machine)
    for one in (function, *definition.registered):
        escape_value(one, f"changed by `{function.name}`", arguments.origin, machine)
    return Unknown(f"the result of `{function.name}`", arguments.origin, machine.once())
