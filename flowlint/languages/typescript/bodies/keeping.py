"""What was read of a body is kept, as long as all that it rests on is the same.

Only what is plain data is kept, and only of functions that stand right in a module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.bodies.grounds import Mark, grounds_of, mark_of
from flowlint.languages.typescript.bodies.reader import read_body
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, ModuleScope
from flowlint.values.bodies import Body, Given, Made, Row, Table, Thing

if TYPE_CHECKING:
    from flowlint.languages.typescript.evaluation.machine import Machine
    from flowlint.values.model import Value

MAX_KEPT = 4_000
"""Functions of which what was read is kept."""

_kept: dict[tuple[str, Mark], tuple[frozenset[Mark], Body]] = {}


def body_of(machine: Machine, definition: FunctionDefinition, receiver: Value | None) -> Body:
    """What a function's code tells, read once in an evaluation, or as it was in the last one."""
    key = (definition.key, id(definition.scope), getattr(receiver, "serial", None))
    found = machine.bodies.get(key)
    if found is None:
        found = machine.bodies[key] = _kept_or_read(machine, definition, receiver)
    return found


def _kept_or_read(machine: Machine, definition: FunctionDefinition, receiver: Value | None) -> Body:
    scope, node = definition.scope, definition.node
    text = definition.module.text.data[node.start_byte : node.end_byte]
    if not isinstance(scope, ModuleScope) or (receiver is not None and b"this" in text):
        return read_body(machine, definition, receiver)
    key = (definition.module.path, mark_of(definition.module.text.data, node))
    rests_on = grounds_of(machine, scope, node)
    kept = _kept.pop(key, None)
    if kept is not None and rests_on is not None and kept[0] == rests_on:
        _kept[key] = kept
        return kept[1]
    body = read_body(machine, definition, receiver)
    if rests_on is not None and body.unread is None and _is_data(body.returns):
        if len(_kept) >= MAX_KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = rests_on, body
    return body


def _is_data(givens: tuple[Given, ...]) -> bool:
    """Whether values hold nothing that belongs to one evaluation."""
    for given in givens:
        match given:
            case Thing():
                return False
            case Table(keys=keys):
                if not all(_is_data(key.values) for key in keys):
                    return False
            case Row(items=items):
                if not all(map(_is_data, items)):
                    return False
            case Made(arguments=arguments):
                if not all(map(_is_data, arguments.values())):
                    return False
    return True
