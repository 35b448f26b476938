"""Which state may have been changed by code that is not seen to run."""

from __future__ import annotations

import ast

from flowlint.languages.python.evaluation.definitions import class_body, lineage
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import ClassDefinition, ModuleScope, Scope
from flowlint.languages.python.nodes import walk
from flowlint.values.model import Class, Instance, Mapped, Sequence, Unknown

MUTATORS = frozenset(
    {
        "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "remove",
        "setdefault", "update",
    }
)  # fmt: skip


def open_instance(instance: Instance) -> None:
    """Open what other methods may have changed before a method runs that nobody called.

    Containers that such methods fill, or that are still empty, may hold more than is known;
    other attributes that such methods write are unknown.
    """
    filled, written = _changed(instance.cls)
    for name, value in instance.attributes.items():
        if isinstance(value, Sequence | Mapped):
            if name in filled or name in written or is_empty(value):
                open_container(value, f"`self.{name}` may be filled elsewhere")
        elif name in written and not isinstance(value, Unknown):
            key = f"#{instance.serial}.{name}"
            reason = f"`self.{name}` may be changed by another method"
            instance.attributes[name] = Unknown(reason, value.origin, key)


def open_globals(machine: Machine, module: ModuleScope) -> None:
    """Containers that are still empty when a module has run are there to be filled later."""
    _open_empty(module)
    for value in list(module.names.values()):
        if isinstance(value, Class) and _has_containers(value):
            body = class_body(machine, value)
            if body is not None:
                _open_empty(body)


def _open_empty(scope: Scope) -> None:
    for name, value in list(scope.names.items()):
        if isinstance(value, Sequence | Mapped) and is_empty(value):
            open_container(value, f"`{name}` may be filled elsewhere")


def _has_containers(made: Class) -> bool:
    """Whether the body of a class may hold an empty container."""
    if not isinstance(made.definition, ClassDefinition):
        return False
    containers = ast.List | ast.Dict | ast.Call
    return any(
        isinstance(statement, ast.Assign | ast.AnnAssign)
        and isinstance(statement.value, containers)
        for statement in made.definition.node.body
    )


def is_empty(container: Sequence | Mapped) -> bool:
    """Whether a list, set or mapping has nothing in it yet; tuples stay as they are."""
    if isinstance(container, Sequence):
        return not container.items and container.kind != "tuple"
    return not container.entries


def open_container(container: Sequence | Mapped, reason: str) -> None:
    """Let a container hold more than is known."""
    if container.rest is None:
        container.rest = Unknown(reason, container.origin, f"#{container.serial}")


def disturb(machine: Machine, container: Sequence | Mapped, how: str) -> None:
    """Unseen code may have filled, emptied or reordered a container: nothing in it is certain."""
    if isinstance(container, Sequence) and container.kind == "tuple":
        return
    if container.disturbed:
        return
    container.disturbed = True
    open_container(container, f"a container is {how}")
    label = machine.literal(("disturbed", container.serial), "it is left as it was")
    kept = frozenset([(label, True)])
    if isinstance(container, Sequence):
        for item in container.items:
            item.presence |= kept
    else:
        for entry in container.entries:
            entry.presence |= kept


def _changed(made: Class) -> tuple[set[str], set[str]]:
    """The attributes of `self` that methods other than the constructor fill and write."""
    filled: set[str] = set()
    written: set[str] = set()
    for current in lineage(made):
        if not isinstance(current.definition, ClassDefinition):
            continue
        for method in current.definition.node.body:
            if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if method.name in ("__init__", "__post_init__") or not method.args.args:
                continue
            _scan(method, method.args.args[0].arg, filled, written)
    return filled, written


def _scan(
    method: ast.FunctionDef | ast.AsyncFunctionDef,
    receiver: str,
    filled: set[str],
    written: set[str],
) -> None:
    for node in walk(method):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in MUTATORS:
                _note(node.func.value, receiver, filled)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            _note(node.value, receiver, filled)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            _note(node, receiver, written)


def _note(node: ast.expr, receiver: str, names: set[str]) -> None:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == receiver:
            names.add(node.attr)
