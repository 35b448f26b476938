"""Functions that nobody was seen to call, and the flows that they could change."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from flowlint.graph.model import ALWAYS
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.roots import Root
from flowlint.languages.python.evaluation.scopes import FunctionNode, ModuleScope, NodeOrigin, Scope
from flowlint.languages.python.nodes import walk
from flowlint.values.model import Built, Choice, Instance, Origin, Value

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def may_have_run(node: ast.AST, module: ModuleScope) -> bool:
    """Whether a function that nobody was seen to call could run before its module has run.

    One that no other text of the module names cannot.
    """
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.decorator_list:
        return True
    if module.parsed.text.count(node.name) < 2:
        return False
    named = re.finditer(rf"\b{re.escape(node.name)}\b", module.parsed.text)
    return len(list(itertools.islice(named, 2))) > 1


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
    if node not in places and (not is_finished(built) or may_have_run(claim.node, claim.module)):
        how = f"`{claim.name}` may change it, and nothing is seen to call that"
        built.escapes.append((how, origin))
    return False


def open_closures(machine: Machine, module: ModuleScope, functions: list[Root]) -> None:
    """Leave open what functions hold that nobody was seen to call and that could change it.

    `functions` are those at the top of the module and in its classes.
    """
    if not machine.built:
        return
    holding: dict[Scope, frozenset[str]] = {}
    for root in functions:
        if not _holders(module, holding).isdisjoint(root.words):
            _open_closure(machine, module, root.node, module)
    for node, scope in list(machine.inner_scopes.items()):
        if isinstance(node, FUNCTIONS) and scope.module is module and _holders(scope, holding):
            _open_closure(machine, module, node, scope)


def _holders(scope: Scope, known: dict[Scope, frozenset[str]]) -> frozenset[str]:
    """The names seen from a scope under which flows, or objects that may hold some, are."""
    if scope not in known:
        own = frozenset(
            name
            for name, value in scope.names.items()
            if isinstance(value, Built | Instance | Choice)
        )
        known[scope] = own | (_holders(scope.parent, known) if scope.parent else frozenset())
    return known[scope]


def _open_closure(machine: Machine, module: ModuleScope, node: FunctionNode, scope: Scope) -> None:
    if node in machine.entered:
        return
    for built, place in _changed(machine, node, scope):
        if may_have_run(node, module) or not is_finished(built):
            name = f"`{node.name}`" if not isinstance(node, ast.Lambda) else "a lambda"
            built.escapes.append((f"{name} may change it", machine.origin(place, module)))


def _changed(machine: Machine, node: FunctionNode, scope: Scope) -> Iterator[tuple[Built, ast.AST]]:
    """The flows from outside that a function adds to or hands on."""
    own = {arg.arg for arg in walk(node.args) if isinstance(arg, ast.arg)}
    body = node.body if isinstance(node.body, list) else [node.body]
    calls: list[ast.Call] = []
    for inner in (found for part in body for found in walk(part)):
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
