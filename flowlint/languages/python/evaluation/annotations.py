"""Annotations in the body of a class: the fields that they declare, texts resolved."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.languages.python.evaluation.machine import Machine, TooMuchWorkError
from flowlint.languages.python.evaluation.scopes import ClassDefinition, Scope
from flowlint.languages.python.nodes import walk
from flowlint.values.model import Field, Unknown, Value

COMPOUND = ast.If | ast.For | ast.While | ast.Try | ast.TryStar | ast.With | ast.Match


@dataclass(frozen=True, slots=True)
class Declared:
    """The fields that the body of a class declares; `hidden`: why there may be others."""

    fields: tuple[Field, ...]
    hidden: str | None


def declared_fields(machine: Machine, definition: ClassDefinition, scope: Scope) -> Declared:
    """What the body of a class declares, by itself."""
    node = definition.node
    hidden = f"`{node.name}` is changed by code out of sight" if definition.altered else None
    return Declared(tuple(_own_fields(machine, node.body, scope)), hidden or _hidden_fields(node))


def _own_fields(machine: Machine, body: list[ast.stmt], scope: Scope) -> Iterator[Field]:
    """The annotated names in the body of a class."""
    for statement in body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            origin = machine.origin(statement.target, scope)
            declared = _evaluated(machine, statement.annotation, scope)
            yield Field(statement.target.id, declared, origin)


def _evaluated(machine: Machine, annotation: ast.expr, scope: Scope) -> Value:
    try:
        return machine.evaluate(_unquoted(annotation), scope)
    except (TooMuchWorkError, RecursionError):
        return Unknown("it is too much to follow", machine.origin(annotation, scope))


def _hidden_fields(node: ast.ClassDef) -> str | None:
    """Why the body of a class may declare other fields than those written down in it plainly."""
    for statement in node.body:
        if isinstance(statement, COMPOUND):
            if any(isinstance(inner, ast.AnnAssign) for inner in walk(statement)):
                return f"`{node.name}` declares fields under a condition"
        elif not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = (inner.id for inner in walk(statement) if isinstance(inner, ast.Name))
            if "__annotations__" in names:
                return f"`{node.name}` writes its `__annotations__`"
    return None


def first_types(machine: Machine, args: ast.arguments, scope: Scope) -> dict[str, Value]:
    """The named types of the first parameters, as they are now: names may be bound anew."""
    if scope.module.future_annotations:
        return {}
    types: dict[str, Value] = {}
    for arg in [*args.posonlyargs, *args.args][:2]:
        if isinstance(arg.annotation, ast.Name):
            found = scope.bound(arg.annotation.id, machine.known)
            if found is not None:
                types[arg.arg] = found
    return types


def _unquoted(annotation: ast.expr) -> ast.expr:
    """An annotation in which the types that are written as texts are read.

    Texts in `Literal[…]`, and what follows the type in `Annotated[…]`, are values.
    """
    if not any(isinstance(i, ast.Constant) and isinstance(i.value, str) for i in walk(annotation)):
        return annotation
    changed = _Unquoting().visit(copy.deepcopy(annotation))
    assert isinstance(changed, ast.expr)
    return changed


class _Unquoting(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str):
            return node
        inner = parsed_text(node)
        return node if inner is None else self.visit(inner)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        name = node.value.attr if isinstance(node.value, ast.Attribute) else ""
        name = node.value.id if isinstance(node.value, ast.Name) else name
        if name == "Literal":
            return node
        if name == "Annotated":
            if isinstance(node.slice, ast.Tuple) and node.slice.elts:
                node.slice.elts[0] = self.visit(node.slice.elts[0])
            return node
        node.slice = self.visit(node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return node


def parsed_text(node: ast.Constant) -> ast.expr | None:
    """The type that a text names, at the place of the text; None when it is none."""
    try:
        inner = ast.parse(str(node.value), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for child in walk(inner):
        ast.copy_location(child, node)
    return inner


__all__ = ["Declared", "declared_fields", "first_types", "parsed_text"]
