"""The state of one evaluation: conditions in force, work left, objects followed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.typescript.evaluation.followed import followed
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, Scope
from flowlint.languages.typescript.reading.module import ParsedModule, Place
from flowlint.values.conditions import alternatives, chosen, contradicts
from flowlint.values.following import Models
from flowlint.values.model import (
    Arguments,
    Built,
    Choice,
    Class,
    Const,
    External,
    Function,
    Origin,
    Sequence,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from flowlint.languages.typescript.evaluation.program import Program
    from flowlint.values.bodies import Body

MAX_STEPS = 40_000
"""Syntax nodes evaluated for one root before the rest of it counts as unknown, beside one for
each few characters of the file."""

MAX_ABROAD = 10_000
"""Syntax nodes evaluated in one evaluation in modules that have nothing to do with flows."""

MAX_ABROAD_CALL = 4_000
"""Those of them that one call from elsewhere may take."""

MAX_NESTING = 500
"""Syntax nodes evaluated within each other, also across calls."""

MAX_DEPTH = 40
"""Calls inlined into each other."""

MAX_WAYS = 64
"""Values of which one is there, with each of which something is done."""

MAX_RECURSIONS = 400
"""Calls of functions that run already, in one evaluation."""

Mark = tuple[Presence, Presence]


class TooMuchWorkError(Exception):
    """The evaluation of one root went over its limits."""


@dataclass(slots=True, eq=False)
class Frame:
    """One inlined call: what it returned so far."""

    definition: FunctionDefinition
    base: Presence
    returns: list[tuple[Presence, Value]]
    yields: Sequence | None = None
    """What a generator yielded so far."""


class Machine:
    """Evaluates syntax to values. The parts that know each kind of syntax are plugged in."""

    def __init__(self, program: Program, models: Models, parts: Parts) -> None:
        self.program = program
        self.models = models
        self.parts = parts
        self.present: Presence = ALWAYS
        """Conditions that what happens now depends on."""
        self.known: Presence = ALWAYS
        """`present`, and what must hold since the run got here at all."""
        self.steps = MAX_STEPS
        self.taken = 0
        """Steps that were taken from all the roots that are done."""
        self.nesting = 0
        self.recursions = 0
        self.label: str | None = None
        """The label of the loop that is about to run."""
        self.frames: list[Frame] = []
        self.built: list[Built] = []
        self.catching: list[int] = []
        """How many objects there were when each `try` that catches refusals began."""
        self.entered: set[tuple[int, int]] = set()
        """The functions that were followed, by the keys of their definitions."""
        self.last_built = 0
        """The serial of the last thing that was built before such a function was followed."""
        self.claims: dict[int, str] = {}
        """Which such function adds to each flow that was there before, by serial."""
        self.assuming: str | None = None
        """The function that is followed without a call of it that was seen."""
        self.inner: dict[tuple[int, int], Function] = {}
        """Functions as they were last defined, by the keys of their definitions."""
        self.classes: list[Class] = []
        """The classes that were defined, in order."""
        self.constructed: set[int] = set()
        """The serials of those of which, or of whose heirs, instances were made."""
        self.order: list[tuple[int, int]] = []
        """Those keys in the order in which functions were first defined."""
        self.bodies: dict[object, Body] = {}
        """What the code of functions is seen to give, for those that somebody asked about."""
        self.named: dict[object, object] = {}
        """What functions name to run, for those that somebody asked about."""
        self.spoken_of: dict[tuple[int, str], bool] = {}
        """Whether a word stands anywhere in a module, by the serial of that."""
        self.late_writes: dict[int, object] = {}
        """What functions of modules write whenever they run, by the serials of the modules."""
        self.indices: dict[int, object] = {}
        """What the words of modules lead to, by the serials of the modules."""
        self.followed = followed(models)
        self._labels: dict[object, str] = {}
        self._label_uses: dict[str, int] = {}
        self._fresh = 0
        self.abroad = MAX_ABROAD
        self.is_away = False
        """Whether code is followed that has nothing to do with flows."""
        self._near: dict[int, bool] = {}
        self.home: ParsedModule | None = None
        """The file that is looked at."""

    def evaluate(self, node: Node, scope: Scope) -> Value:
        """The value of an expression. Raises TooMuchWorkError past the limits."""
        self.steps -= 1
        if self.steps < 0:
            raise TooMuchWorkError
        handler = self.parts.expressions.get(node.type)
        if handler is None:
            return Unknown("an expression that is not followed", self.origin(node, scope))
        if handler in self.parts.leaves:
            return handler(self, node, scope)
        if self.nesting >= MAX_NESTING:
            return Unknown("it is nested too deeply to follow", self.origin(node, scope))
        self.nesting += 1
        try:
            return handler(self, node, scope)
        finally:
            self.nesting -= 1

    def take(self, count: int) -> None:
        """Count work that grows with a size. Raises TooMuchWorkError past the limits."""
        self.steps -= count
        if self.steps < 0:
            raise TooMuchWorkError

    def call(self, callee: Value, arguments: Arguments, scope: Scope) -> Value:
        """The result of a call."""
        return self.parts.call(self, callee, arguments, scope)

    def member(self, value: Value, name: str, origin: Origin) -> Value:
        """The value of a property."""
        return self.parts.member(self, value, name, origin)

    def execute(self, body: list[Node], scope: Scope) -> Outcome:
        """Run statements in order."""
        return self.parts.execute(self, body, scope)

    def origin(self, node: Node, scope: Scope) -> Place:
        """The place of a node."""
        return Place(scope.module.parsed, node.start_byte, node.end_byte)

    def text(self, node: Node, scope: Scope) -> str:
        """An expression as messages show it: on one line, not too long."""
        return scope.module.parsed.shown(node)

    def is_near(self, module: ParsedModule) -> bool:
        """Whether a module is the one that is looked at, or itself imports a system of flows."""
        return module is self.home or self.imports_systems(module)

    def imports_systems(self, module: ParsedModule) -> bool:
        """Whether a module names a package of a system of flows, as imports do."""
        if module.serial not in self._near:
            self._near[module.serial] = self.followed.imports.search(module.text.data) is not None
        return self._near[module.serial]

    def mark(self) -> Mark:
        """The conditions in force, to go back to."""
        return self.present, self.known

    def restore(self, mark: Mark) -> None:
        """Go back to earlier conditions."""
        self.present, self.known = mark

    def reset(self) -> None:
        """Start afresh, under no condition."""
        self.present, self.known = ALWAYS, ALWAYS

    def add(self, literals: Presence) -> None:
        """Go on under further conditions."""
        self.present |= literals
        self.known |= literals

    def assume(self, literals: Presence) -> None:
        """Go on knowing something that every run that gets here satisfies."""
        self.known |= literals

    def possible(self, literals: Presence) -> bool:
        """Whether something under these conditions can happen here."""
        return not contradicts(literals, self.known)

    def literal(self, identity: object, text: str) -> str:
        """The name under which a test goes: its text, made distinct from other tests."""
        if identity in self._labels:
            return self._labels[identity]
        count = self._label_uses.get(text, 0) + 1
        self._label_uses[text] = count
        label = text if count == 1 else f"{text} ({count})"
        self._labels[identity] = label
        return label

    def fresh(self) -> int:
        """A number that was not given out before."""
        self._fresh += 1
        return self._fresh

    def once(self) -> str:
        """A key for an unknown value that is like no other, but the same whenever it is read."""
        return f"once {self.fresh()}"

    def for_each(self, value: Value, act: Callable[[Value], Value], origin: Origin) -> Value:
        """Do something with each value that `value` may be, under its condition."""
        if not isinstance(value, Choice):
            return act(value)
        found = alternatives(value, self.known)
        if len(found) == 1 and not found[0][0]:
            return act(found[0][1])
        if len(found) > MAX_WAYS:
            return Unknown("depends on too many conditions", origin)
        self.take(len(found))
        results: list[tuple[Presence, Value]] = []
        for presence, single in found:
            mark = self.mark()
            self.add(presence)
            result = act(single)
            self.restore(mark)
            inner = alternatives(result) if isinstance(result, Choice) else [(ALWAYS, result)]
            results += [(presence | more, one) for more, one in inner]
        return chosen(results, origin)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How control left a block.

    `kind` is set when it surely left: `return`, `raise`, `break`, `continue` or `mixed`.
    `exits` are the ways it may have left before the end, each with its condition relative to
    the beginning of the block.
    """

    kind: str | None = None
    exits: tuple[tuple[str, Presence], ...] = ()


NORMAL = Outcome()

ExpressionHandler = Callable[[Machine, "Node", Scope], Value]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the evaluator that call each other through the machine."""

    expressions: dict[str, ExpressionHandler]
    leaves: frozenset[ExpressionHandler]
    """Those of them for what holds no other expression."""
    execute: Callable[[Machine, list[Node], Scope], Outcome]
    call: Callable[[Machine, Value, Arguments, Scope], Value]
    member: Callable[[Machine, Value, str, Origin], Value]


def negated(literals: Presence) -> Presence:
    """The condition that not all of `literals` hold."""
    if len(literals) == 1:
        ((test, outcome),) = literals
        return frozenset([(test, not outcome)])
    words = [test if outcome else f"not ({test})" for test, outcome in sorted(literals)]
    return frozenset([(" and ".join(words), False)])


def value_key(value: Value) -> str | None:
    """A key that equal values share, None where nothing can be said."""
    if isinstance(value, Const):
        return shortened(f"{type(value.value).__name__}:{value.value!r}")
    if isinstance(value, Unknown):
        return value.key
    if isinstance(value, External):
        return f"external:{value.qualified}"
    serial = getattr(value, "serial", None)
    return f"#{serial}" if serial is not None else None


MAX_KEY = 300
"""Characters of the key of a value."""


def shortened(key: str) -> str:
    """A key, or what stands for one that is long."""
    return key if len(key) <= MAX_KEY else f"{key[:40]}~{len(key)}~{hash(key)}"
