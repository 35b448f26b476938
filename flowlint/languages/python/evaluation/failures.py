"""`try` and what is done when something fails: two ways, of which one is taken."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.python.evaluation.machine import NORMAL, Machine, Outcome
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.languages.python.nodes import children, walk
from flowlint.values.model import Unknown

IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})

BUILDER_ERRORS = frozenset(
    {"", "BaseException", "Exception", "ValueError", "TypeError", "RuntimeError"}
)
"""Handlers that also catch what a builder raises when it refuses something."""


def execute_try(machine: Machine, node: ast.Try | ast.TryStar, scope: Scope) -> Outcome:
    """Run a `try`: what comes before the first thing that may fail, then either way.

    The rest of the body and `else` happen when nothing fails, a handler when it catches. Both
    are kept apart, so that what one does never counts beside what the other does.
    """
    handlers = node.handlers
    refusals = any(_swallows_refusals(handler) for handler in handlers)
    at = first_risk(machine, node, scope)
    if at is None or not handlers:
        outcome = _body(machine, node.body, scope, refusals=refusals)
        return _then(machine, _after(machine, outcome, node.orelse, scope), node.finalbody, scope)
    number = machine.fresh()
    labels = [
        machine.literal(("try", number, index), f"{_caught(handler)} is raised")
        for index, handler in enumerate(handlers)
    ]
    smooth: Presence = frozenset((label, False) for label in labels)
    before = _before(machine, node.body[:at], smooth, scope, refusals=refusals)
    if before.kind:
        return _then(machine, before, node.finalbody, scope)
    ways = [(smooth, node.body[at:])]
    for handler, label in zip(handlers, labels, strict=True):
        others = frozenset((other, False) for other in labels if other != label)
        ways.append((others | {(label, True)}, handler.body))
    exits = list(before.exits)
    kinds: list[str | None] = []
    for index, (presence, body) in enumerate(ways):
        if not machine.possible(presence):
            continue
        mark = machine.mark()
        machine.add(presence)
        if index:
            _bind_error(machine, handlers[index - 1], scope)
            outcome = machine.execute(body, scope)
        else:
            outcome = _body(machine, body, scope, refusals=refusals)
            outcome = _after(machine, outcome, node.orelse, scope)
        machine.restore(mark)
        exits += [(kind, presence | literals) for kind, literals in outcome.exits]
        kinds.append(outcome.kind)
        if outcome.kind:
            exits.append((outcome.kind, presence))
    left = all(kinds) and bool(kinds)
    kind = None if not left else kinds[0] if len(set(kinds)) == 1 else "mixed"
    return _then(machine, Outcome(kind, tuple(exits)), node.finalbody, scope)


def _before(
    machine: Machine, body: list[ast.stmt], smooth: Presence, scope: Scope, *, refusals: bool
) -> Outcome:
    """Run what cannot fail. A builder made here is only used on when the rest goes well."""
    if not body:
        return NORMAL
    made = machine.making
    machine.making = made | smooth
    try:
        return _body(machine, body, scope, refusals=refusals)
    finally:
        machine.making = made


def _body(machine: Machine, body: list[ast.stmt], scope: Scope, *, refusals: bool) -> Outcome:
    """Run (part of) the body; a builder from outside may refuse something, which is caught."""
    if not refusals:
        return machine.execute(body, scope)
    machine.catching.append(len(machine.built))
    try:
        return machine.execute(body, scope)
    finally:
        machine.catching.pop()


def _after(machine: Machine, outcome: Outcome, orelse: list[ast.stmt], scope: Scope) -> Outcome:
    """Run `else` after a body that may have gone on to it."""
    if outcome.kind or not orelse:
        return outcome
    then = machine.execute(orelse, scope)
    return Outcome(then.kind, (*outcome.exits, *then.exits))


def _swallows_refusals(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches what a builder raises and lets the code go on with it."""
    if _caught(handler) not in BUILDER_ERRORS | {"an exception"}:
        return False
    leaves = ast.Raise | ast.Return | ast.Continue | ast.Break
    return not isinstance(handler.body[-1], leaves)


def _then(machine: Machine, outcome: Outcome, final: list[ast.stmt], scope: Scope) -> Outcome:
    """Run `finally`, which may itself leave."""
    if not final:
        return outcome
    after = machine.execute(final, scope)
    return Outcome(after.kind or outcome.kind, (*outcome.exits, *after.exits))


def _bind_error(machine: Machine, handler: ast.ExceptHandler, scope: Scope) -> None:
    if handler.name:
        origin = machine.origin(handler, scope)
        scope.bind(handler.name, Unknown("an exception", origin), machine.present, origin)


def _caught(handler: ast.ExceptHandler) -> str:
    return ast.unparse(handler.type) if handler.type is not None else "an exception"


def first_risk(machine: Machine, node: ast.Try | ast.TryStar, scope: Scope) -> int | None:
    """The first statement of the body that may fail so that a handler catches it."""
    only_imports = all(
        handler.type is not None and _names(handler.type) <= IMPORT_ERRORS
        for handler in node.handlers
    )
    for index, statement in enumerate(node.body):
        if any(_is_risky(machine, inner, scope, only_imports) for inner in _within(statement)):
            return index
    return None


def _names(node: ast.expr) -> set[str]:
    found = {getattr(n, "id", getattr(n, "attr", "")) for n in walk(node)}
    return found - {""}


def _within(statement: ast.stmt) -> Iterator[ast.AST]:
    """The syntax of a statement that runs with it: not what is inside of definitions."""
    stack: list[ast.AST] = [statement]
    while stack:
        current = stack.pop()
        yield current
        if isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        stack.extend(children(current))


def _is_risky(machine: Machine, node: ast.AST, scope: Scope, only_imports: bool) -> bool:
    if isinstance(node, ast.Import):
        return any(not _is_there(machine, alias.name, 0, scope) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return not _is_there(machine, node.module or "", node.level, scope)
    if isinstance(node, ast.Call):
        return _callee(node) not in machine.safe_calls
    if only_imports:
        return False
    return isinstance(node, ast.Raise | ast.Assert | ast.Await | ast.Subscript)


def _callee(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _is_there(machine: Machine, module: str, level: int, scope: Scope) -> bool:
    """Whether an import surely succeeds: of the project, the language, or a system we follow."""
    first = module.split(".", 1)[0]
    if not level and (first in machine.systems or first in STANDARD_MODULES):
        return True
    return machine.program.find(module, scope.module, level) is not None


STANDARD_MODULES = __import__("sys").stdlib_module_names

__all__ = ["ALWAYS", "execute_try"]
