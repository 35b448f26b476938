"""Names and attributes that surely, or most likely, are not there when the program runs."""

from __future__ import annotations

import ast

from flowlint.graph.names import NearNames
from flowlint.languages.python.evaluation.definitions import class_body, lineage
from flowlint.languages.python.evaluation.fields import PLAIN_BASES
from flowlint.languages.python.evaluation.inheriting import is_abstract
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import ClassDefinition, ModuleScope
from flowlint.languages.python.nodes import walk
from flowlint.values.model import Class, External, Generic, Instance, Missing

MAKING_NAMES = frozenset(
    {"NameError", "__builtins__", "builtins", "exec", "globals", "locals", "vars"}
)
"""What may bind names unseen, or be ready for one that is not there."""

MAKING_ATTRIBUTES = frozenset(
    {"AttributeError", "__dict__", "__setattr__", "hasattr", "setattr", "vars"}
)
"""The same for attributes."""
NAMED = (
    ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.ClassDef
    | ast.ExceptHandler
    | ast.MatchAs
    | ast.MatchStar
)
LOOKING_UP = frozenset({"__getattr__", "__getattribute__", "__slots__", "__init_subclass__"})


def missing_name(module: ModuleScope, name: str) -> Missing | None:
    """What it means that nothing is seen to bind a name, None where something out of sight may."""
    parsed = module.parsed
    if module.path.endswith(".ipynb") or parsed.faults or parsed.lost:
        return None
    for node in walk(parsed.tree):
        if name in _bound(node) or "*" in _bound(node):
            return None
        if isinstance(node, ast.Name) and node.id in MAKING_NAMES:
            return None
    functions = [
        node.name
        for node in walk(parsed.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return Missing("NameError", name, meant=NearNames(functions).of(name))


def _bound(node: ast.AST) -> list[str]:
    """The names that a node binds, wherever it stands."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.alias):
        return [node.asname or node.name.split(".", 1)[0]]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.Global | ast.Nonlocal):
        return node.names
    if isinstance(node, NAMED):
        return [node.name] if node.name else []
    return [node.rest] if isinstance(node, ast.MatchMapping) and node.rest else []


def missing_attribute(machine: Machine, owner: Class | Instance, name: str) -> Missing | None:
    """What it means that a class has no such attribute, None where it may have.

    Where subclasses out of sight may have it, it is only likely to be missing.
    """
    made = owner.cls if isinstance(owner, Instance) else owner
    stand_in = owner.stand_in if isinstance(owner, Instance) else "no"
    if stand_in == "any" or name.startswith("__"):
        return None
    line = lineage(made)
    if not all(_is_seen(machine, current, name) for current in line):
        return None
    open_to_others = stand_in != "no"
    if open_to_others and (is_abstract(machine, made) or machine.subclasses.get(made.serial)):
        return None
    bodies = [class_body(machine, current) for current in line]
    members = [
        member
        for body in bodies
        for member in (body.names if body is not None else ())
        if not member.startswith("__")
    ]
    meant = NearNames(members).of(name)
    return Missing("AttributeError", name, made.name, meant, not open_to_others)


def _is_seen(machine: Machine, made: Class, name: str) -> bool:
    """Whether all that a class itself may define or set is in sight, and the name is not."""
    definition = made.definition
    if not isinstance(definition, ClassDefinition) or definition.altered or definition.enum:
        return False
    if definition.metaclass is not None or not all(map(_is_plain, made.bases)):
        return False
    if definition.module.faults or definition.module.lost or class_body(machine, made) is None:
        return False
    return not any(
        name in _bound(node) or _sets(node, name) or LOOKING_UP.intersection(_bound(node))
        for node in walk(definition.node)
    ) and not any(_sets(node, name) for node in walk(definition.module.tree))


def _is_plain(base: object) -> bool:
    inner = base.base if isinstance(base, Generic) else base
    return isinstance(inner, Class) or (
        isinstance(inner, External) and inner.qualified in PLAIN_BASES
    )


def _sets(node: ast.AST, name: str) -> bool:
    """Whether a node may set an attribute of this name on something."""
    if isinstance(node, ast.Attribute):
        stores = not isinstance(node.ctx, ast.Load)
        return (stores and node.attr == name) or node.attr in MAKING_ATTRIBUTES
    return isinstance(node, ast.Name) and node.id in MAKING_ATTRIBUTES
