"""What a change of a file leaves standing: the names whose meaning it cannot have touched."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from flowlint.languages.python.nodes import kept_with_node, walk

_CONTAINERS = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp, ast.AugAssign)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def touched_names(body: Sequence[ast.stmt], changed: Iterable[ast.stmt]) -> frozenset[str]:
    """The names that may mean something else at the top of a module of which statements changed.

    `changed` are those that are new and those that are gone. What is defined by `def`, `class` or
    `import` is only touched by its own statement. Other values may also be changed by statements
    that name them, and those with elements by functions, which somebody may call.
    """
    changed = list(changed)
    values: set[str] = set()
    containers: set[str] = set()
    for one in (*body, *changed):
        values |= _assigned(one)
        if _makes_container(one):
            containers |= _assigned(one)
    unchanged = [one for one in body if one not in changed]
    touched: set[str] = set()
    reached = changed
    while reached:
        for one in reached:
            may_change = containers if isinstance(one, _DEFINITIONS) else values
            touched.update(_bound(one), may_change & names_in(one))
        reached = [one for one in unchanged if not touched.isdisjoint(names_in(one))]
        unchanged = [one for one in unchanged if one not in reached]
    return frozenset(touched)


@kept_with_node
def names_in(node: ast.AST) -> frozenset[str]:
    """Every name, attribute and imported module in the code of a node, also in its texts."""
    found: set[str] = set()
    for inner in walk(node):
        match inner:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                found.add(name)
            case ast.Constant(value=str(text)) if text.isidentifier():
                found.add(text)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case ast.alias():
                found.update(_names_of(inner))
    return frozenset(found)


@kept_with_node
def _bound(node: ast.stmt) -> frozenset[str]:
    """The names that a statement gives a meaning, with the members of classes."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return frozenset({node.name})
    if isinstance(node, ast.ClassDef):
        return frozenset({node.name}).union(*map(_bound, node.body))
    if isinstance(node, ast.Import | ast.ImportFrom):
        return frozenset(name for alias in node.names for name in _names_of(alias))
    return _assigned(node) | frozenset(
        name for inner in walk(node) if isinstance(inner, _DEFINITIONS) for name in _bound(inner)
    )


@kept_with_node
def _assigned(node: ast.stmt) -> frozenset[str]:
    """The names that hold values because of a statement at the top of a module."""
    if isinstance(node, _DEFINITIONS):
        return frozenset(_globals(node))
    return frozenset(
        inner.id
        for inner in walk(node)
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)
    ) | frozenset(_globals(node))


@kept_with_node
def _makes_container(node: ast.stmt) -> bool:
    """Whether a statement at the top of a module gives a name something with elements."""
    return not isinstance(node, _DEFINITIONS) and any(
        isinstance(inner, _CONTAINERS) for inner in walk(node)
    )


def _globals(node: ast.AST) -> Iterator[str]:
    return (name for inner in walk(node) if isinstance(inner, ast.Global) for name in inner.names)


def _names_of(alias: ast.alias) -> Iterator[str]:
    yield (alias.asname or alias.name).partition(".")[0]
    if alias.name == "*":
        yield "*"
