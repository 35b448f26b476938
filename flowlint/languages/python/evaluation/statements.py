"""Statements: assignments, branches, loops, and how control leaves a block."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.python.evaluation import contexts, definitions, dunders, imports, loops
from flowlint.languages.python.evaluation.assigning import assign, extend
from flowlint.languages.python.evaluation.classes import finish_class
from flowlint.languages.python.evaluation.failures import execute_try
from flowlint.languages.python.evaluation.holdings import written_past
from flowlint.languages.python.evaluation.machine import (
    NORMAL,
    Machine,
    Outcome,
    negated,
)
from flowlint.languages.python.evaluation.matching import match_tests
from flowlint.languages.python.evaluation.methods import call_container
from flowlint.languages.python.evaluation.scopes import NodeOrigin, Scope
from flowlint.languages.python.evaluation.testing import test
from flowlint.languages.python.nodes import walk
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Const,
    External,
    Instance,
    Mapped,
    Sequence,
    Value,
)

EXPECTS_FAILURE = frozenset({"pytest.raises", "unittest.TestCase.assertRaises"})

Handler = Callable[[Machine, ast.stmt, Scope], Outcome]


def execute(machine: Machine, body: list[ast.stmt], scope: Scope) -> Outcome:
    """Run statements in order, each under what the ones before left possible."""
    entry = machine.mark()
    exits: list[tuple[str, Presence]] = []
    so_far: Presence = ALWAYS
    for statement in body:
        machine.steps -= 1
        handler = HANDLERS.get(type(statement))
        outcome = handler(machine, statement, scope) if handler else NORMAL
        if outcome is NORMAL:
            continue
        for kind, literals in outcome.exits:
            exits.append((kind, so_far | literals))
        if outcome.kind:
            machine.restore(entry)
            return Outcome(outcome.kind, tuple(exits))
        for kind, literals in outcome.exits:
            staying = negated(literals)
            if kind == "raise":
                machine.assume(staying)
            else:
                machine.add(staying)
                so_far |= staying
    machine.restore(entry)
    return Outcome(None, tuple(exits)) if exits else NORMAL


def _expression(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.Expr)
    if not isinstance(node.value, ast.Constant):
        machine.evaluate(node.value, scope)
    return NORMAL


def _assign(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.Assign)
    value = machine.evaluate(node.value, scope)
    for target in node.targets:
        assign(machine, target, value, scope)
    return NORMAL


def _annotated(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.AnnAssign)
    if node.value is not None:
        assign(machine, node.target, machine.evaluate(node.value, scope), scope)
    return NORMAL


def _augmented(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.AugAssign)
    read: ast.expr = node.target
    origin = machine.origin(node, scope)
    if isinstance(node.op, ast.Add) and isinstance(read, ast.Name | ast.Attribute):
        owner = machine.evaluate(read, scope)
        if isinstance(owner, Sequence) and owner.kind == "list":
            more = machine.evaluate(node.value, scope)
            extend(machine, owner, more, machine.origin(node.value, scope))
            return NORMAL
    owner = machine.evaluate(read, scope)
    if isinstance(owner, Instance | Built):
        given = machine.evaluate(node.value, scope)
        result = dunders.augmented(machine, node.op, owner, given, origin)
        if result is not None:
            assign(machine, node.target, result, scope)
            return NORMAL
    operation = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
    assign(machine, node.target, machine.evaluate(operation, scope), scope)
    return NORMAL


def _return(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.Return)
    origin = machine.origin(node, scope)
    value = machine.evaluate(node.value, scope) if node.value else Const(None, origin)
    if machine.frames:
        frame = machine.frames[-1]
        frame.returns.append((machine.present - frame.base, value))
    return Outcome("return")


def _raise(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    return Outcome("raise")


def _break(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    return Outcome("break")


def _continue(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    return Outcome("continue")


def _if(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.If)
    if _is_type_checking(node.test):
        imports.note_typing_only(node.body, scope.module)
        return machine.execute(node.orelse, scope) if node.orelse else NORMAL
    when_true, when_false = test(machine, node.test, scope)
    return _branch(machine, [(when_true, node.body), (when_false, node.orelse)], scope)


def _branch(
    machine: Machine, branches: list[tuple[Presence | None, list[ast.stmt]]], scope: Scope
) -> Outcome:
    """Run every branch that is possible under its own condition."""
    possible = [(p, body) for p, body in branches if p is not None and machine.possible(p)]
    if len(possible) == 1:
        mark = machine.mark()
        machine.assume(possible[0][0])
        outcome = machine.execute(possible[0][1], scope)
        machine.restore(mark)
        return outcome
    exits: list[tuple[str, Presence]] = []
    kinds: list[str | None] = []
    for presence, body in possible:
        mark = machine.mark()
        machine.add(presence)
        outcome = machine.execute(body, scope) if body else NORMAL
        machine.restore(mark)
        exits += [(kind, presence | literals) for kind, literals in outcome.exits]
        kinds.append(outcome.kind)
        if outcome.kind and outcome.kind != "mixed":
            exits.append((outcome.kind, presence))
    if kinds and all(kinds):
        first = kinds[0] if len(set(kinds)) == 1 else "mixed"
        return Outcome(first, tuple(exits))
    return Outcome(None, tuple(exits)) if exits else NORMAL


def _is_type_checking(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
    return name == "TYPE_CHECKING"


def _try(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.Try | ast.TryStar)
    return execute_try(machine, node, scope)


def _with(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    """Run a block, then what its context managers do when they are left."""
    assert isinstance(node, ast.With | ast.AsyncWith)
    entered = len(machine.deferred)
    outcome = _guarded_block(machine, node, scope)
    while len(machine.deferred) > entered:
        rest, inner = machine.deferred.pop()
        machine.execute(rest, inner)
    return outcome


def _guarded_block(machine: Machine, node: ast.With | ast.AsyncWith, scope: Scope) -> Outcome:
    expects_failure = False
    suppresses = False
    objects: list[Value] = []
    for item in node.items:
        value = machine.evaluate(item.context_expr, scope)
        callee = _called(item.context_expr, scope, machine)
        expects_failure |= callee in EXPECTS_FAILURE or callee.startswith("assertRaises")
        suppresses |= callee == "contextlib.suppress" or dunders.swallows(machine, value)
        objects.append(value)
        entered = contexts.enter_context(machine, value, scope)
        if item.optional_vars is not None:
            assign(machine, item.optional_vars, entered, scope)
    if suppresses or not expects_failure or not node.body:
        outcome = (
            execute_try(machine, _suppressed(node), scope)
            if suppresses
            else machine.execute(node.body, scope)
        )
        for value in reversed(objects):
            contexts.leave_context(machine, value, scope)
        return outcome
    outcome = machine.execute(node.body[:-1], scope)
    if outcome.kind:
        return NORMAL
    mark = machine.mark()
    label = machine.literal(("raises", machine.fresh()), "no exception is raised")
    machine.add(frozenset([(label, True)]))
    machine.execute(node.body[-1:], scope)
    machine.restore(mark)
    return NORMAL


def _called(node: ast.expr, scope: Scope, machine: Machine) -> str:
    """The qualified name of what a context manager's call calls, empty when it is not known."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Attribute) and node.func.attr.startswith("assertRaises"):
        return node.func.attr
    callee = machine.evaluate(node.func, scope)
    return callee.qualified if isinstance(callee, External) else ""


def _suppressed(node: ast.With | ast.AsyncWith) -> ast.Try:
    """`with suppress(E): …` is `try: … except E: pass`."""
    caught: ast.expr = ast.Name("Exception", ast.Load())
    first = node.items[0].context_expr
    if isinstance(first, ast.Call) and first.args:
        caught = first.args[0] if len(first.args) == 1 else ast.Tuple(first.args, ast.Load())
    handler = ast.ExceptHandler(caught, None, [ast.copy_location(ast.Pass(), node)])
    made = ast.Try(node.body, [ast.copy_location(handler, node)], [], [])
    return ast.copy_location(made, node)


def _match(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.Match)
    return _branch(machine, match_tests(machine, node, scope), scope)


def _delete(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.Delete)
    for target in node.targets:
        if isinstance(target, ast.Name) and not machine.present - scope.presence:
            scope.names.pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            owner = machine.evaluate(target.value, scope)
            key = Argument(machine.evaluate(target.slice, scope))
            place = machine.origin(target, scope)
            if written_past(owner, place):
                continue
            if dunders.invoke(machine, owner, "__delitem__", (key.value,), place) is not None:
                continue
            if isinstance(owner, Sequence | Mapped):
                arguments = Arguments((key,), machine.origin(target, scope))
                call_container(machine, owner, "pop", arguments)
    return NORMAL


def _assert(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    """What follows an assertion may rely on it; only what it does on the way matters here."""
    assert isinstance(node, ast.Assert)
    if any(isinstance(inner, ast.Call) for inner in walk(node.test)):
        machine.evaluate(node.test, scope)
    return NORMAL


def _global(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.Global | ast.Nonlocal)
    kind = "global" if isinstance(node, ast.Global) else "nonlocal"
    scope.outer_names.update(dict.fromkeys(node.names, kind))
    return NORMAL


def _define(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    if isinstance(node, ast.ClassDef):
        made = definitions.define_class(machine, node, scope)
        value: Value = finish_class(machine, node, made, scope)
        name = node.name
    else:
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        value = definitions.define_function(machine, node, scope)
        name = node.name
    scope.bind(name, value, machine.present, NodeOrigin(scope.module.parsed, node))
    return NORMAL


def _import(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    assert isinstance(node, ast.Import | ast.ImportFrom)
    imports.bind_imports(machine, node, scope)
    return NORMAL


def _type_alias(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    """`type X = …` binds a name to a type."""
    name, value = getattr(node, "name", None), getattr(node, "value", None)
    if isinstance(name, ast.expr) and isinstance(value, ast.expr):
        assign(machine, name, machine.evaluate(value, scope), scope)
    return NORMAL


HANDLERS: dict[type[ast.stmt], Handler] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.If: _if,
    ast.For: loops.run_for,
    ast.AsyncFor: loops.run_for,
    ast.While: loops.run_while,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
    ast.Delete: _delete,
    ast.Assert: _assert,
    ast.Global: _global,
    ast.Nonlocal: _global,
    ast.FunctionDef: _define,
    ast.AsyncFunctionDef: _define,
    ast.ClassDef: _define,
    ast.Import: _import,
    ast.ImportFrom: _import,
}

if sys.version_info >= (3, 12):  # pragma: no cover
    HANDLERS[ast.TypeAlias] = _type_alias
