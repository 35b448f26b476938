"""Functions that nobody was seen to call, and the flows that they could change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from flowlint.graph.model import ALWAYS
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import FunctionNode, ModuleScope, NodeOrigin, Scope
from flowlint.values.model import Built, Instance, Origin, Value

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def referenced_names(module: ModuleScope) -> frozenset[str]:
    """The names that a module's code reads, beyond defining them."""
    return frozenset(
        name
        for node in ast.walk(module.parsed.tree)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
        for name in [node.id if isinstance(node, ast.Name) else node.attr]
    )


def may_have_run(node: ast.AST, referenced: frozenset[str]) -> bool:
    """Whether a function that nobody was seen to call could run before its module has run."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    return bool(node.decorator_list) or node.name in referenced


def is_finished(built: Built) -> bool:
    """Whether something was made of a flow already."""
    return any(operation.method in built.model.products for operation in built.operations)


def is_claimed(machine: Machine, built: Built, origin: Origin) -> bool:
    """Whether what happens to a flow counts: not when only an uncalled function does it.

    A flow that nothing else finishes belongs to the first such function that adds to it.
    """
    claim = machine.claim
    if claim is None or built.serial > claim.last:
        return True
    node = origin.node if isinstance(origin, NodeOrigin) else None
    owner, places = machine.claims.get(built.serial, (None, set[ast.AST]()))
    if owner is None and not is_finished(built):
        owner = claim
        machine.claims[built.serial] = (claim, places)
    if owner is claim:
        if node is not None:
            places.add(node)
        return True
    if node not in places and (claim.may_have_run or not is_finished(built)):
        how = f"`{claim.name}` may change it, and nothing is seen to call that"
        built.escapes.append((how, origin))
    return False


def open_closures(machine: Machine, module: ModuleScope, referenced: frozenset[str]) -> None:
    """Leave open what functions hold that nobody was seen to call and that could change it."""
    if not machine.built:
        return
    for node in ast.walk(module.parsed.tree):
        if not isinstance(node, FUNCTIONS) or node in machine.entered:
            continue
        scope = machine.inner_scopes.get(node, module)
        for built, place in _changed(machine, node, scope):
            if may_have_run(node, referenced) or not is_finished(built):
                name = getattr(node, "name", "a lambda")
                how = f"`{name}` may change it" if name != "a lambda" else "a lambda may change it"
                built.escapes.append((how, machine.origin(place, module)))


def _changed(machine: Machine, node: FunctionNode, scope: Scope) -> Iterator[tuple[Built, ast.AST]]:
    """The flows from outside that a function adds to or hands on."""
    own = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
    body = node.body if isinstance(node.body, list) else [node.body]
    calls: list[ast.Call] = []
    for inner in (found for part in body for found in ast.walk(part)):
        if isinstance(inner, ast.Call):
            calls.append(inner)
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            own.add(inner.id)
    for inner in calls:
        if isinstance(inner.func, ast.Attribute):
            built = _held(machine, inner.func.value, scope, own)
            if built is not None and inner.func.attr in built.model.fluent:
                yield built, inner
        for arg in (*inner.args, *(keyword.value for keyword in inner.keywords)):
            built = _held(machine, arg, scope, own)
            if built is not None and not is_finished(built):
                yield built, inner


def _held(machine: Machine, node: ast.expr, scope: Scope, own: set[str]) -> Built | None:
    """The flow that a name, or an attribute of it, stands for outside of a function."""
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id in own:
        return None
    value: Value | None = _bound(scope, node.id)
    for name in path:
        value = value.attributes.get(name) if isinstance(value, Instance) else None
    return value if isinstance(value, Built) else None


def _bound(scope: Scope | None, name: str) -> Value | None:
    """What a name is bound to, without evaluating anything for it."""
    while scope is not None:
        if name in scope.names:
            return scope.lookup(name, ALWAYS)
        scope = scope.parent
    return None
