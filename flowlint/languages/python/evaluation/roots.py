"""Where evaluation begins: the module itself, then the functions that build flows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flowlint.languages.python.nodes import walk
from flowlint.languages.python.reading import ParsedModule
from flowlint.values.following import Models

BUILDER_HINTS = frozenset(
    {"add_node", "add_edge", "add_conditional_edges", "add_sequence", "set_entry_point"}
)

WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """A function from which evaluation may begin, with the classes it stands in."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    classes: tuple[ast.ClassDef, ...]
    words: frozenset[str]
    """Every word in the text of the function: its names, and more (cheap to have)."""

    @property
    def name(self) -> str:
        """The function's name."""
        return self.node.name

    def mentions(self, names: set[str] | frozenset[str]) -> bool:
        """Whether the function's code mentions one of these, not only its texts and comments."""
        if names.isdisjoint(self.words):
            return False
        return any(
            getattr(node, "id", None) in names or getattr(node, "attr", None) in names
            for node in walk(self.node)
        )


def list_functions(module: ParsedModule) -> list[Root]:
    """The functions at the top of a module and in its classes."""
    return list(_functions(module.tree.body, (), module.text.split("\n")))


def find_roots(
    functions: list[Root], module: ParsedModule, models: Models
) -> tuple[list[Root], list[Root]]:
    """The functions that may build flows, and those that call them, directly or not.

    Of both, those that no other one mentions come first: what they call is then seen with the
    arguments it is called with.
    """
    wanted = BUILDER_HINTS | _type_names(module.tree, models)
    direct = [f for f in functions if f.mentions(wanted)]
    callers: list[Root] = []
    found = direct
    remaining = [f for f in functions if f not in direct]
    while found:
        names = {f.name for f in found} | {
            c.name for f in found for c in f.classes[-1:] if f.name == "__init__"
        }
        found = [f for f in remaining if f.mentions(names)]
        callers += found
        remaining = [f for f in remaining if f not in found]
    return _outermost_first(direct), _outermost_first(callers)


def _outermost_first(roots: Iterable[Root]) -> list[Root]:
    roots = sorted(roots, key=lambda f: f.node.lineno)
    names = {f.name for f in roots if not f.name.startswith("test_")}
    mentioned = {name for f in roots for name in names & f.words if name != f.name}
    inner = [f for f in roots if f.name in mentioned]
    return [f for f in roots if f.name not in mentioned] + inner


def _functions(
    body: list[ast.stmt], classes: tuple[ast.ClassDef, ...], lines: list[str]
) -> Iterator[Root]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            text = "\n".join(lines[statement.lineno - 1 : statement.end_lineno])
            yield Root(statement, classes, frozenset(WORD.findall(text)))
        elif isinstance(statement, ast.ClassDef):
            yield from _functions(statement.body, (*classes, statement), lines)
        elif isinstance(statement, ast.If | ast.Try | ast.With):
            for field in ("body", "orelse", "finalbody"):
                yield from _functions(getattr(statement, field, []), classes, lines)
            for handler in getattr(statement, "handlers", ()):
                yield from _functions(handler.body, classes, lines)


def _type_names(tree: ast.Module, models: Models) -> set[str]:
    """How the followed types are called in this module, with what it renames and inherits."""
    names = {qualified.rsplit(".", 1)[-1] for qualified in models.type_of}
    names |= {m.shape.name for m in models.types if m.shape is not None and m.roots_flow}
    for node in _top_level(tree.body):
        if isinstance(node, ast.ImportFrom):
            names |= {a.asname for a in node.names if a.name in names and a.asname}
        elif isinstance(node, ast.ClassDef):
            bases = {getattr(b, "id", getattr(b, "attr", "")) for b in node.bases}
            if not names.isdisjoint(bases):
                names.add(node.name)
    return names


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try):
            for field in ("body", "orelse", "finalbody"):
                yield from _top_level(getattr(statement, field, []))
