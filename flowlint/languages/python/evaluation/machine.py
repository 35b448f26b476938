"""The state of one evaluation: conditions in force, work left, objects followed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.python.evaluation.program import Program
from flowlint.languages.python.evaluation.scopes import (
    FunctionDefinition,
    FunctionNode,
    ModuleScope,
    NodeOrigin,
    Scope,
)
from flowlint.languages.python.reading import ParsedModule
from flowlint.values.bodies import Body
from flowlint.values.conditions import alternatives, contradicts, same
from flowlint.values.following import Models
from flowlint.values.model import (
    Arguments,
    Built,
    Call,
    Choice,
    Class,
    Const,
    External,
    Function,
    Instance,
    Origin,
    Unknown,
    Value,
)

MAX_STEPS = 60_000
"""Syntax nodes evaluated for one root before the rest of it counts as unknown, beside one for
each few characters of the file."""

MAX_SHOWN = 70
"""Characters of an expression that messages show."""

MAX_DEPTH = 40
"""Calls inlined into each other."""

MAX_RECURSIONS = 400
"""Calls of functions that run already, in one evaluation."""

CHECKING = frozenset({"validate"})
"""Methods of builders that add nothing, and that much else has too."""

Mark = tuple[Presence, Presence]

if TYPE_CHECKING:
    from flowlint.languages.python.bodies.shape import Shape
    from flowlint.languages.python.evaluation.reaching import Named


class TooMuchWorkError(Exception):
    """The evaluation of one root went over its limits."""


@dataclass(slots=True, eq=False)
class Frame:
    """One inlined call: what it returned and yielded so far."""

    definition: FunctionDefinition
    base: Presence
    returns: list[tuple[Presence, Value]]
    yields: list[tuple[Presence, Value]]
    endless: bool = False
    """Whether it may yield more than was followed."""


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """One run of a function that nobody was seen to call."""

    node: FunctionNode
    name: str
    module: ModuleScope
    last: int
    """The serial of the last flow that was there before."""


def _building(models: Models) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The types that are followed, and the methods that add to them, by their own names."""
    types = {name.rsplit(".", 1)[-1] for name in models.type_of}
    adding = {name for model in models.types for name in model.fluent} - CHECKING
    return tuple(sorted(types)), tuple(sorted(adding))


@dataclass(slots=True)
class Travel:
    """What evaluation knows of code that has nothing to do with flows (see `abroad`)."""

    types: tuple[str, ...]
    """The types that code which builds flows makes, hands on or renames."""
    methods: tuple[str, ...]
    """The methods by which it adds to them."""
    home: ParsedModule | None = None
    """The file that is looked at."""
    known: dict[int, bool] = field(default_factory=dict)
    """Whether modules are abroad, by their identity."""
    is_away: bool = False
    spared: int = 0
    """Steps that are kept back while code abroad is followed."""
    spent: int = 0
    """Steps that were taken there so far."""


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
        self.believed: Presence = ALWAYS
        """What is taken to hold throughout, such as that what is tried succeeds."""
        self.steps = MAX_STEPS
        self.recursions = 0
        self.inner_elements = 0
        """Elements that comprehensions within the one that is followed may still have."""
        self.travel = Travel(*_building(models))
        self.frames: list[Frame] = []
        self.built: list[Built] = []
        self.subclasses: dict[int, list[Class]] = {}
        """The classes of the project that derive from each, by the serial of what they extend."""
        self.constructed: set[int] = set()
        """The serials of the classes of which instances were made."""
        self.mentions: dict[tuple[int, str], bool] = {}
        """Whether a word occurs in a module, by the module's identity and the word."""
        self.claim: Claim | None = None
        """The run of a function that nobody was seen to call, while it is followed."""
        self.claims: dict[int, tuple[Claim, set[ast.AST]]] = {}
        """Which such run adds to each flow that was there before, and by what, by serial."""
        self.making_classes: list[Class] = []
        """The classes that metaclasses are making."""
        self.remembered: dict[tuple[object, ...], Value] = {}
        """Results of functions that give the same object for equal arguments."""
        self.patched: str | None = None
        """What was done to the type that builds flows itself."""
        self.distrust: str | None = None
        """Why nothing that is made from here on can be trusted, None where it can."""
        self.making: Presence = ALWAYS
        """Conditions under which what is made now is used on."""
        self.deferred: list[tuple[list[ast.stmt], Scope]] = []
        """What context managers do when they are left."""
        self.catching: list[int] = []
        """How many objects there were when each `try` that catches refusals began."""
        self.systems = frozenset(name.split(".", 1)[0] for name in models.type_of)
        self.safe_calls = frozenset(
            name for model in models.types for name in (*model.fluent, *model.products)
        ) | frozenset(name.rsplit(".", 1)[-1] for name in models.type_of)
        self.followed_names = frozenset(name.rsplit(".", 1)[-1] for name in models.type_of)
        self.entered: set[ast.AST] = set()
        self.entered_for: set[tuple[ast.AST, int]] = set()
        """Methods that were followed, with the serials of the classes they were called on."""
        self.assuming: str | None = None
        self.inner_scopes: dict[ast.AST, Scope] = {}
        """The scope in which each function inside a function was last defined."""
        self.bodies: dict[tuple[ast.AST, Scope, int | None], Body] = {}
        """The bodies that were read, by syntax, by the scope around them (one function may be
        made many times) and by the serial of the object they are bound to."""
        self.shapes: dict[ast.AST, Shape] = {}
        self.named: dict[tuple[ast.AST, Scope, int | None, str], Named] = {}
        """What functions name to run, by the same keys."""
        self._labels: dict[object, str] = {}
        self._label_uses: dict[str, int] = {}
        self._texts: dict[ast.expr, str] = {}
        self._fresh = 0

    def evaluate(self, node: ast.expr, scope: Scope) -> Value:
        """The value of an expression. Raises TooMuchWorkError past the limits."""
        self.steps -= 1
        if self.steps < 0:
            raise TooMuchWorkError
        handler = self.parts.expressions.get(type(node))
        if handler is None:
            return Unknown("an expression that is not followed", self.origin(node, scope))
        return handler(self, node, scope)

    def enter(self, function: Function) -> None:
        """Note that a function is followed."""
        node = getattr(function.definition, "node", None)
        if isinstance(node, ast.AST):
            self.entered.add(node)
            if isinstance(function.receiver, Instance):
                self.entered_for.add((node, function.receiver.cls.serial))

    def call(self, callee: Value, arguments: Arguments, scope: Scope) -> Value:
        """The result of a call."""
        return self.parts.call(self, callee, arguments, scope)

    def attribute(self, value: Value, name: str, origin: Origin) -> Value:
        """The value of an attribute."""
        return self.parts.attribute(self, value, name, origin)

    def escape(self, arguments: Arguments, how: str) -> None:
        """Note that arguments are out of sight from here on."""
        self.parts.escape(self, arguments, how)

    def execute(self, body: list[ast.stmt], scope: Scope) -> Outcome:
        """Run statements in order."""
        return self.parts.execute(self, body, scope)

    def origin(self, node: ast.AST, scope: Scope) -> NodeOrigin:
        """The place of a node."""
        return NodeOrigin(scope.module.parsed, node)

    def parsed(self, scope: Scope) -> ParsedModule:
        """The module text that a scope's code stands in."""
        return scope.module.parsed

    def mark(self) -> Mark:
        """The conditions in force, to go back to."""
        return self.present, self.known

    def restore(self, mark: Mark) -> None:
        """Go back to earlier conditions."""
        self.present, self.known = mark

    def reset(self) -> None:
        """Start afresh, under no condition but what is believed throughout."""
        self.present, self.known = ALWAYS, self.believed

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

    def text(self, node: ast.expr) -> str:
        """An expression as messages show it: on one line, not too long."""
        shown = self._texts.get(node)
        if shown is None:
            whole = ast.unparse(node)
            shown = whole if len(whole) <= MAX_SHOWN else whole[: MAX_SHOWN - 3] + "..."
            self._texts[node] = shown
        return shown

    def distrust_all(self, how: str, origin: Origin) -> None:
        """From here on code that cannot be read may have changed anything."""
        self.distrust = how
        for built in self.built:
            built.escapes.append((how, origin))

    def once(self) -> str:
        """A key for an unknown value that is like no other, but the same whenever it is read."""
        return f"once {self.fresh()}"

    def fresh(self) -> int:
        """A number that was not given out before."""
        self._fresh += 1
        return self._fresh

    def for_each(self, value: Value, act: Callable[[Value], Value], origin: Origin) -> Value:
        """Do something with each value that `value` may be, under its condition."""
        found = alternatives(value, self.known)
        if len(found) == 1 and not found[0][0]:
            return act(found[0][1])
        results: list[tuple[Presence, Value]] = []
        for presence, single in found:
            mark = self.mark()
            self.add(presence)
            results.append((presence, act(single)))
            self.restore(mark)
        first = results[0][1]
        if all(same(first, other) for _, other in results):
            return first
        return Choice(tuple(results), origin)


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

ExpressionHandler = Callable[[Machine, ast.expr, Scope], Value]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of the evaluator that call each other through the machine."""

    expressions: dict[type[ast.expr], ExpressionHandler]
    execute: Callable[[Machine, list[ast.stmt], Scope], Outcome]
    call: Callable[[Machine, Value, Arguments, Scope], Value]
    attribute: Callable[[Machine, Value, str, Origin], Value]
    escape: Callable[[Machine, Arguments, str], None]


def negated(literals: Presence) -> Presence:
    """The condition that not all of `literals` hold."""
    if len(literals) == 1:
        ((test, outcome),) = literals
        return frozenset([(test, not outcome)])
    return frozenset([(conjunction(literals), False)])


def conjunction(literals: Presence) -> str:
    """Several conditions in words."""
    words = [test if outcome else f"not ({test})" for test, outcome in sorted(literals)]
    return " and ".join(words)


def value_key(value: Value) -> str | None:
    """A key that equal values share, None where nothing can be said."""
    if isinstance(value, Const):
        return f"{type(value.value).__name__}:{value.enum or ''}:{value.value!r}"
    if isinstance(value, Unknown):
        return value.key
    if isinstance(value, External):
        return f"external:{value.qualified}"
    if isinstance(value, Call) and value.target in SETTINGS:
        keys = [value_key(item.value) for item in value.arguments.items]
        if None not in keys:
            return f"{value.target}({keys})"
    serial = getattr(value, "serial", None)
    return f"#{serial}" if serial is not None else None


SETTINGS = frozenset(
    {"builtins.any", "builtins.all", "builtins.hasattr", "builtins.callable", "os.environ.get",
     "os.getenv", "os.path.exists", "os.path.isfile", "importlib.util.find_spec"}
)  # fmt: skip
"""Functions that give the same for the same arguments as long as a program runs."""


def module_of(scope: Scope) -> ModuleScope:
    """The module that a scope's code stands in."""
    return scope.module
