"""What was read of a body is kept with its function, as long as all that it rests on is the same.

Only what is plain data is kept, and only of functions at the top of a module: what those rest on
are the names in their code, as the module and those that it imports from give them a meaning.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from flowlint.languages.python.bodies.reader import read_body
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.program import Known
from flowlint.languages.python.evaluation.scopes import FunctionDefinition, ModuleScope
from flowlint.languages.python.reading import ParsedModule
from flowlint.languages.python.reading.standing import names_in
from flowlint.values.bodies import Body, Given, Made, Row, Table, Thing
from flowlint.values.model import Value

_KEPT = "_flowlint_body"


@dataclass(slots=True)
class _Kept:
    """A body with the reading of its file in which it held, and what was known of the project."""

    body: Body
    generation: int
    line: int
    known: Known


def body_of(machine: Machine, definition: FunctionDefinition, receiver: Value | None) -> Body:
    """What a function's code tells, read once in an evaluation, or as it was in the last one."""
    key = (definition.node, definition.scope, getattr(receiver, "serial", None))
    found = machine.bodies.get(key)
    if found is None:
        is_at_top = receiver is None and isinstance(definition.scope, ModuleScope)
        read = _kept_or_read if is_at_top else read_body
        found = machine.bodies[key] = read(machine, definition, receiver)
    return found


def _kept_or_read(machine: Machine, definition: FunctionDefinition, receiver: Value | None) -> Body:
    kept = _kept_body(machine, definition)
    if kept is not None:
        return kept
    before = _effort(machine)
    body = read_body(machine, definition, receiver)
    # Where reading made something known, not reading would leave it unknown to what comes later.
    if _effort(machine) == before and body.unread is None and _is_data(body.returns):
        node, known = definition.node, machine.program.known()
        node.__dict__[_KEPT] = _Kept(body, definition.module.generation, node.lineno, known)
    return body


def _kept_body(machine: Machine, definition: FunctionDefinition) -> Body | None:
    """What was read before, if it is sure to be the same now."""
    kept: _Kept | None = definition.node.__dict__.get(_KEPT)
    parsed = definition.module
    if kept is None or kept.line != definition.node.lineno:
        return None
    if not _still_holds(kept, definition.node, parsed):
        return None
    if not kept.known.is_but_for(parsed.path, machine.program.known()):
        return None
    kept.generation = parsed.generation
    return kept.body


def _effort(machine: Machine) -> tuple[int, int, int]:
    return machine.steps, machine.travel.spent, machine.program.asked


def _still_holds(kept: _Kept, node: ast.AST, parsed: ParsedModule) -> bool:
    if kept.generation == parsed.generation:
        return True
    if kept.generation != parsed.generation - 1 or parsed.touched is None:
        return False
    return parsed.touched.isdisjoint(names_in(node)) and "*" not in parsed.touched


def _is_data(givens: tuple[Given, ...]) -> bool:
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
