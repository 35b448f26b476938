"""What code of JavaScript makes and gives, in the terms of Python's edition."""

from __future__ import annotations

from dataclasses import replace

from flowlint.dialects.langgraph.javascript.model import COMMAND
from flowlint.values.bodies import Given, Givens, Made, Plain, Table, Thing
from flowlint.values.model import External


def as_in_python(command: Made) -> Made:
    """A `new Command({ … })` with the entries of its object as arguments; any other as it is."""
    if command.qualified not in COMMAND:
        return command
    found: dict[str, Givens] = {}
    more = command.more
    several = command.arguments.get("0", ())
    for given in several:
        if not isinstance(given, Table):
            more = True
            continue
        more = more or given.more or given.whole is not None
        for key in given.keys:
            more = more or not key.certain
            found[key.name] = (*found.get(key.name, ()), *key.values)
    return replace(command, arguments=found, more=more or len(several) != 1)


def is_nothing(given: Given) -> bool:
    """Whether it is `None`, `null` or `undefined`."""
    if isinstance(given, Plain):
        return given.value is None
    value = given.value if isinstance(given, Thing) else None
    return isinstance(value, External) and value.qualified == "undefined"
