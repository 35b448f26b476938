"""What was read of a body is kept with its function, as long as all that it rests on is the same.

Only what is plain data is kept, and only of functions at the top of a module: what those rest on
are the names in their code, as the module and those that it imports from give them a meaning.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import FunctionDefinition, ModuleScope
from flowlint.languages.python.reading import ParsedModule
from flowlint.languages.python.reading.standing import names_in
from flowlint.values.bodies import Body, Given, Made, Row, Table, Thing

_KEPT = "_flowlint_body"


@dataclass(slots=True)
class _Kept:
    """A body with the reading of its file in which it held, and the modules that were there."""

    body: Body
    generation: int
    line: int
    modules: dict[str, ParsedModule]


def kept_body(machine: Machine, definition: FunctionDefinition) -> Body | None:
    """What was read before, if it is sure to be the same now."""
    kept: _Kept | None = definition.node.__dict__.get(_KEPT)
    if kept is None or not _is_at_top(definition):
        return None
    parsed = definition.module
    if kept.line != definition.node.lineno or not _still_holds(kept, definition.node, parsed):
        return None
    own = definition.module.path
    for path, known in kept.modules.items():
        scope = machine.program.modules.get(path)
        if scope is None or (scope.parsed is not known and scope.path != own):
            return None
    kept.generation = parsed.generation
    return kept.body


def keep_body(machine: Machine, definition: FunctionDefinition, body: Body) -> None:
    """Keep what was read, if it can be."""
    if body.unread is not None or not _is_at_top(definition) or not _is_data(body.returns):
        return
    modules = {path: scope.parsed for path, scope in machine.program.modules.items()}
    node = definition.node
    node.__dict__[_KEPT] = _Kept(body, definition.module.generation, node.lineno, modules)


def _still_holds(kept: _Kept, node: ast.AST, parsed: ParsedModule) -> bool:
    if kept.generation == parsed.generation:
        return True
    if kept.generation != parsed.generation - 1 or parsed.touched is None:
        return False
    return parsed.touched.isdisjoint(names_in(node)) and "*" not in parsed.touched


def _is_at_top(definition: FunctionDefinition) -> bool:
    return isinstance(definition.scope, ModuleScope)


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
