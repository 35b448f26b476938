"""One reading of one function's body: its names, what it read, what work is left."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import from_value
from flowlint.languages.bodies.names import Names
from flowlint.languages.python.bodies.shape import Shape, shape_of
from flowlint.languages.python.evaluation.imports import binders
from flowlint.languages.python.evaluation.scopes import FunctionDefinition, NodeOrigin, Scope
from flowlint.source import Span
from flowlint.values.bodies import Givens, Opaque, Parameter, Plain, Put, ReadingWay, ReadOf
from flowlint.values.model import Value

if TYPE_CHECKING:
    from flowlint.languages.python.evaluation.machine import Machine

MAX_STEPS = 4_000
"""Syntax nodes looked at for one body, with those of the functions it calls."""

MAX_CALLS = 5
"""Functions read within each other."""

Watch = dict[str, dict[int, Givens]]
"""All that names stood for while something was watched, each once."""


class TooLongError(Exception):
    """The body and what it calls is more than is read."""


@dataclass(slots=True)
class Work:
    """What the readings of a function and of those it calls share, and how parts are read."""

    machine: Machine
    evaluate: Callable[[Frame, ast.expr, Names], Givens]
    read: Callable[[Frame, Names], Givens]
    """Reads the body of a function with the names it begins with; gives what it returns."""
    steps: int = MAX_STEPS
    made: int = 0
    reads: list[ReadOf] = field(default_factory=list)
    leaks: set[int] = field(default_factory=set)
    puts: list[Put] = field(default_factory=list)
    changed: set[int] = field(default_factory=set)
    grown: set[int] = field(default_factory=set)
    called: dict[object, Givens] = field(default_factory=dict)
    """What functions gave before, by what they were given."""
    tried: int = 0
    """How many `try` that catch something are around what is read now."""

    def number(self) -> int:
        """A number for a new container."""
        self.made += 1
        return self.made


@dataclass(slots=True)
class Loop:
    """Names where a loop is left, and where it goes round."""

    breaks: list[Names] = field(default_factory=list)
    continues: list[Names] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """One function being read. `outside` names what is not its own: globals and nonlocals."""

    work: Work
    definition: FunctionDefinition
    receiver: Value | None
    depth: int = 0
    caller: Frame | None = None
    returns: list[Givens] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    watches: list[Watch] = field(default_factory=list)
    """Those that want the names after every statement, innermost last."""
    outside: set[str] = field(default_factory=set)
    inner: Scope | None = None
    """Where what the body imports or defines is kept."""
    skims: bool = False
    """Whether what is read now only matters for what it is given."""
    wanted: bool = True
    """Whether what is read now may become a part of what the function returns."""

    @property
    def shape(self) -> Shape:
        """What the function's syntax tells, looked at once."""
        shapes = self.work.machine.shapes
        node = self.definition.node
        found = shapes.get(node)
        if found is None:
            found = shapes[node] = shape_of(node)
        return found

    def span(self, node: ast.AST) -> Span:
        """Where a node stands."""
        return self.definition.module.span(node)

    def origin(self, node: ast.AST) -> NodeOrigin:
        """The place of a node."""
        return NodeOrigin(self.definition.module, node)

    def step(self) -> None:
        """Count a node. Raises TooLongError past the limit."""
        self.work.steps -= 1
        if self.work.steps < 0:
            raise TooLongError

    def opaque(self, reason: str, node: ast.AST, read: str | None = None) -> Givens:
        """A value that is not known."""
        return (Opaque(reason, self.span(node), read),)

    def of_value(self, value: Value, node: ast.AST) -> Givens:
        """What the evaluator knows, as a value of this body."""
        return from_value(value, self.span(node), self.work.number)

    def evaluate(self, node: ast.expr, names: Names) -> Givens:
        """Every value of an expression. Raises TooLongError past the limits."""
        return self.work.evaluate(self, node, names)

    def beside(self, node: ast.expr, names: Names) -> Givens:
        """Every value of something that is only held by what may be returned."""
        wanted, self.wanted = self.wanted, False
        try:
            return self.work.evaluate(self, node, names)
        finally:
            self.wanted = wanted

    def reads(self, number: int, key: str, node: ast.AST, how: ReadingWay) -> None:
        """Note that a key or attribute of a parameter is read."""
        is_hard = how in ("item", "dot") and not self.work.tried
        self.work.reads.append(ReadOf(number, key, self.span(node), is_hard, how))

    def leak(self, givens: Givens) -> None:
        """Values that go where nobody looks."""
        for given in givens:
            if isinstance(given, Parameter):
                self.work.leaks.add(given.number)

    def either(self, node: ast.AST) -> Givens:
        """A truth value."""
        span = self.span(node)
        return (Plain(True, span, sure=False), Plain(False, span, sure=False))

    def look_up(self, name: str) -> Value | None:
        """What a name that is not the body's own stands for."""
        known = self.work.machine.known
        if self.inner is not None:
            found = self.inner.lookup(name, known)
            if found is not None:
                return found
        if self.is_passed_over(name):
            return None
        return self.definition.scope.lookup(name, known)

    def is_passed_over(self, name: str) -> bool:
        """Whether a name is not looked up as it would have to be imported, and nobody wants it."""
        scope = self.definition.scope
        if not self.skims or scope.bound(name, self.work.machine.known) is not None:
            return False
        binding = binders(scope.module, name)
        if len(binding) != 1 or not isinstance(binding[0], ast.ImportFrom):
            return False
        program = self.work.machine.program
        return program.has(binding[0].module or "", scope.module, binding[0].level)
