"""Where evaluation begins: the module itself, then the functions that build flows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.values.model import Models

BUILDER_HINTS = frozenset(
    {"add_node", "add_edge", "add_conditional_edges", "add_sequence", "set_entry_point"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """A function from which evaluation may begin, with the classes it stands in."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    classes: tuple[ast.ClassDef, ...]
    names: frozenset[str]

    @property
    def name(self) -> str:
        """The function's name."""
        return self.node.name


def find_roots(tree: ast.Module, models: Models) -> tuple[list[Root], list[Root]]:
    """The functions that may build flows, and those that call them, directly or not.

    Of both, those that no other one mentions come first: what they call is then seen with the
    arguments it is called with.
    """
    functions = list(_functions(tree.body, ()))
    wanted = set(BUILDER_HINTS) | _type_names(tree, models)
    direct = [f for f in functions if not wanted.isdisjoint(f.names)]
    callers: list[Root] = []
    found = direct
    remaining = [f for f in functions if f not in direct]
    while found:
        wanted = {f.name for f in found} | {
            c.name for f in found for c in f.classes[-1:] if f.name == "__init__"
        }
        found = [f for f in remaining if not wanted.isdisjoint(f.names)]
        callers += found
        remaining = [f for f in remaining if f not in found]
    return _outermost_first(direct), _outermost_first(callers)


def _outermost_first(roots: list[Root]) -> list[Root]:
    roots = sorted(roots, key=lambda f: f.node.lineno)
    mentioned = {name for f in roots for name in f.names - {f.name}}
    mentioned -= {f.name for f in roots if _is_test(f.name)}
    inner = [f for f in roots if f.name in mentioned]
    return [f for f in roots if f.name not in mentioned] + inner


def _is_test(name: str) -> bool:
    return name.startswith("test_")


def _functions(body: list[ast.stmt], classes: tuple[ast.ClassDef, ...]) -> Iterator[Root]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Root(statement, classes, _names(statement))
        elif isinstance(statement, ast.ClassDef):
            yield from _functions(statement.body, (*classes, statement))
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            for field in ("body", "orelse", "finalbody"):
                yield from _functions(getattr(statement, field, []), classes)
            for handler in getattr(statement, "handlers", ()):
                yield from _functions(handler.body, classes)


def _names(node: ast.AST) -> frozenset[str]:
    """The names, attributes and called methods in a stretch of code."""
    names: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            names.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            names.add(inner.attr)
    return frozenset(names)


def _type_names(tree: ast.Module, models: Models) -> set[str]:
    """How the followed types are called in this module, with what it renames and inherits."""
    names = {qualified.rsplit(".", 1)[-1] for qualified in models.type_of}
    names |= {m.shape.name for m in models.types if m.shape is not None and m.roots_flow}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {a.asname for a in node.names if a.name in names and a.asname}
        elif isinstance(node, ast.ClassDef):
            bases = {getattr(b, "id", getattr(b, "attr", "")) for b in node.bases}
            if not names.isdisjoint(bases):
                names.add(node.name)
    return names
