"""One reading of one function's body: its names, what it read, what work is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import from_value
from flowlint.languages.bodies.names import Names
from flowlint.languages.typescript.evaluation.late_writes import LateWrites, late_writes_of
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, Scope
from flowlint.languages.typescript.reading.module import Place
from flowlint.source import Span
from flowlint.values.bodies import (
    Given,
    Givens,
    InnerRead,
    Key,
    Opaque,
    Parameter,
    Plain,
    Put,
    ReadingWay,
    ReadOf,
    Row,
    Table,
    Thing,
)
from flowlint.values.model import External, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from flowlint.languages.typescript.evaluation.machine import Machine

MAX_STEPS = 6_000
"""Syntax nodes looked at for one body, with those of the functions it calls."""

MAX_CALLS = 5
"""Functions read within each other."""

MAX_NESTING = 200
"""Expressions and statements within each other."""

MAX_PATH = 4
"""Keys under which a part of a parameter is followed."""


class TooLongError(Exception):
    """The body and what it calls is more than is read."""


@dataclass(slots=True)
class Work:
    """What the readings of a function and of those it calls share, and how parts are read."""

    machine: Machine
    evaluate: Callable[[Frame, Node, Names], Givens]
    read: Callable[[Frame, Names], Givens]
    """Reads the body of a function with the names it begins with; gives what it returns."""
    calls: int = MAX_CALLS
    """Functions of the project that are read within each other."""
    steps: int = MAX_STEPS
    nesting: int = 0
    made: int = 0
    reads: list[ReadOf] = field(default_factory=list)
    inner: list[InnerRead] = field(default_factory=list)
    leaks: set[int] = field(default_factory=set)
    puts: list[Put] = field(default_factory=list)
    changed: set[int] = field(default_factory=set)
    grown: set[int] = field(default_factory=set)
    tested: set[tuple[int, tuple[str, ...]]] = field(default_factory=set)
    """The parts of parameters that the code asks about: it may know that they can be missing."""
    tried: int = 0
    """How many `try` that catch are around what is read now."""
    doubts: int = 0
    """How many tests decide whether a run gets to what is read now."""

    def number(self) -> int:
        """A number for a new container."""
        self.made += 1
        return self.made


@dataclass(slots=True)
class Jump:
    """Names where a loop or `switch` is left, and where a loop goes round."""

    is_loop: bool
    breaks: list[Names] = field(default_factory=list)
    continues: list[Names] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A function that the body itself defines, with the names around it."""

    node: Node
    frame: Frame
    names: Names


@dataclass(slots=True, eq=False)
class Frame:
    """One function being read, or one that it defines itself."""

    work: Work
    node: Node
    scope: Scope
    receiver: Value | None
    depth: int = 0
    caller: Frame | None = None
    returns: list[Givens] = field(default_factory=list)
    jumps: list[Jump] = field(default_factory=list)
    watches: list[list[Names]] = field(default_factory=list)
    """Those that want the names after every statement, innermost last."""
    shared: frozenset[str] = frozenset()
    """The names that functions declared in it may write, whenever they are called."""
    followed: dict[int, tuple[object, Givens]] = field(default_factory=dict)
    """What calls gave last, by the ids of their nodes, each with what that rests on."""

    def text(self, node: Node) -> str:
        """The text of a node."""
        return self.scope.module.parsed.text.slice(node.start_byte, node.end_byte)

    def span(self, node: Node) -> Span:
        """Where a node stands."""
        return self.scope.module.parsed.text.span(node.start_byte, node.end_byte)

    def origin(self, node: Node) -> Place:
        """The place of a node."""
        return self.scope.module.parsed.place(node)

    def step(self) -> None:
        """Count a node. Raises TooLongError past the limit."""
        self.work.steps -= 1
        if self.work.steps < 0:
            raise TooLongError

    def opaque(self, reason: str, node: Node, read: str | None = None) -> Givens:
        """A value that is not known."""
        return (Opaque(reason, self.span(node), read),)

    def undefined(self, node: Node, *, sure: bool = True) -> Givens:
        """Nothing, as a value."""
        return (Plain(None, self.span(node), sure=sure),)

    def of_value(self, value: Value, node: Node) -> Givens:
        """What the evaluator knows, as a value of this body."""
        if isinstance(value, External) and value.qualified == "undefined":
            return self.undefined(node)
        found = from_value(value, self.span(node), self.work.number)
        properties = self.late_writes().properties
        if not properties or not any(isinstance(given, Table | Row) for given in found):
            return found
        return tuple(_left_open(given, properties) for given in found)

    def late_writes(self) -> LateWrites:
        """What functions of the module write whenever they run."""
        return late_writes_of(self.work.machine, self.scope.module.parsed)

    def evaluate(self, node: Node, names: Names) -> Givens:
        """Every value of an expression. Raises TooLongError past the limits."""
        return self.work.evaluate(self, node, names)

    def leak(self, givens: Givens) -> None:
        """Values that go where nobody looks."""
        for given in givens:
            if isinstance(given, Parameter) and not given.path:
                self.work.leaks.add(given.number)

    def either(self, node: Node) -> Givens:
        """A truth value."""
        span = self.span(node)
        return (Plain(True, span, sure=False), Plain(False, span, sure=False))

    def look_up(self, name: str) -> Value | None:
        """What a name that is not the body's own stands for."""
        return self.scope.lookup(name, self.work.machine.known)

    def read_of(self, owner: Parameter, key: str, node: Node, how: ReadingWay) -> Parameter:
        """Note that a key of a parameter is read, or one of a part of it; give what it holds."""
        path = (*owner.path, key)
        span = self.span(node)
        if not owner.path:
            self.work.reads.append(ReadOf(owner.number, key, span, hard=False, how=how))
        else:
            if how == "dot":
                self.need(owner)
            else:
                self.test((owner,))
            is_certain = not self.work.doubts
            self.work.inner.append(InnerRead(owner.number, path, span, certain=is_certain))
        part = Parameter(owner.number, span, path[:MAX_PATH])
        if how == "asked":
            self.test((part,))
        return part

    def need(self, part: Parameter) -> None:
        """Note that a part of a parameter has to be there: something is asked of it."""
        if self.work.tried or not part.path:
            return
        if len(part.path) == 1:
            self.work.reads.append(ReadOf(part.number, part.path[0], part.span, True, "dot"))
        else:
            is_certain = not self.work.doubts
            read = InnerRead(part.number, part.path, part.span, hard=True, certain=is_certain)
            self.work.inner.append(read)

    def test(self, givens: Givens) -> None:
        """Note that the code asks whether something is there."""
        for given in givens:
            if isinstance(given, Parameter) and given.path:
                self.work.tested.add((given.number, given.path))


def _left_open(given: Given, properties: frozenset[str]) -> Given:
    """What holds data, of which some properties may hold anything by the time it is read."""
    if isinstance(given, Row):
        items = tuple(tuple(_left_open(one, properties) for one in item) for item in given.items)
        return replace(given, items=items)
    if not isinstance(given, Table):
        return given
    keys: list[Key] = []
    for key in given.keys:
        if key.name in properties:
            values: Givens = (Opaque(f"`{key.name}`, which functions write", key.span),)
        else:
            values = tuple(_left_open(one, properties) for one in key.values)
        keys.append(replace(key, values=values))
    return replace(given, keys=tuple(keys))


def frame_of(
    work: Work, definition: FunctionDefinition, receiver: Value | None, caller: Frame | None = None
) -> Frame:
    """A reading of a function of the project."""
    depth = 0 if caller is None else caller.depth + 1
    return Frame(work, definition.node, definition.scope, receiver, depth, caller)


def thing_of(givens: Givens) -> object:
    """The one thing that a value is, None where it may be several or is none."""
    given = givens[0] if len(givens) == 1 else None
    return given.value if isinstance(given, Thing) else None
