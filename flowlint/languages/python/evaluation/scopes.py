"""Names and what they are bound to: module, class and function scopes."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from dataclasses import dataclass, field

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.python.reading import ParsedModule
from flowlint.source import Span
from flowlint.values.conditions import overwrite, restrict
from flowlint.values.model import Class, Function, Origin, Value

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class NodeOrigin:
    """The place of a syntax node."""

    __slots__ = ("module", "node")

    def __init__(self, module: ParsedModule, node: ast.AST) -> None:
        self.module = module
        self.node = node

    def span(self) -> Span:
        """The stretch of the node."""
        return self.module.span(self.node)


class NameOrigin(NodeOrigin):
    """The place of the name in a definition."""

    __slots__ = ()

    def span(self) -> Span:
        """The stretch of the name after `def` or `class`."""
        if isinstance(self.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return self.module.name_span(self.node)
        return self.module.span(self.node)


class Scope:
    """The names of one function call, class body or module.

    `presence` is the condition under which the scope came to be; writes under no further
    condition are certain. Class scopes are not seen from the functions inside them.
    """

    __slots__ = (
        "kind",
        "module",
        "names",
        "outer_names",
        "owner",
        "parent",
        "presence",
        "qualified",
        "receiver",
    )

    def __init__(
        self, kind: str, qualified: str, parent: Scope | None, presence: Presence = ALWAYS
    ) -> None:
        self.kind = kind
        self.qualified = qualified
        self.parent = parent
        self.presence = presence
        self.module: ModuleScope = parent.module if parent is not None else _no_module(self)
        """The scope of the module that the code stands in."""
        self.names: dict[str, Value] = {}
        self.outer_names: dict[str, str] = {}
        """Names declared `nonlocal` or `global`, with which of the two."""
        self.receiver: Value | None = None
        self.owner: Class | None = None
        """The class in whose body the running function was defined."""

    def bind(self, name: str, value: Value, known: Presence, origin: Origin) -> None:
        """Bind a name where `known` holds."""
        target = self._home(name) if name in self.outer_names else self
        under = known - target.presence
        target.names[name] = overwrite(target.names.get(name), value, under, origin)

    def lookup(self, name: str, known: Presence) -> Value | None:
        """What a name is bound to as seen from here, None when nothing binds it."""
        scope: Scope | None = self
        while scope is not None:
            if scope is self or scope.kind != "class":
                found = scope.names.get(name)
                if found is None and isinstance(scope, ModuleScope):
                    found = scope.bind_late(name)
                if found is not None:
                    return restrict(found, known)
            scope = scope.parent
        return None

    def bound(self, name: str, known: Presence) -> Value | None:
        """What a name is bound to so far, without evaluating anything for it."""
        scope: Scope | None = self
        while scope is not None:
            if (scope is self or scope.kind != "class") and name in scope.names:
                return restrict(scope.names[name], known)
            scope = scope.parent
        return None

    def _home(self, name: str) -> Scope:
        if self.outer_names[name] == "nonlocal":
            scope = self.parent
            while scope is not None and not isinstance(scope, ModuleScope):
                if scope.kind == "function" and name in scope.names:
                    return scope
                scope = scope.parent
        return self.module


def _no_module(scope: Scope) -> ModuleScope:
    """Only modules stand on their own."""
    if not isinstance(scope, ModuleScope):
        raise TypeError("a scope without a module around it")
    return scope


class ModuleScope(Scope):
    """The names of a module, with what is needed to find names that are not bound yet."""

    __slots__ = (
        "folder",
        "future_annotations",
        "is_package",
        "late",
        "outline",
        "parsed",
        "path",
        "pending",
        "started",
        "typing_only",
    )

    def __init__(self, qualified: str, path: str, parsed: ParsedModule) -> None:
        super().__init__("module", qualified, None)
        self.path = path
        self.folder = os.path.dirname(os.path.abspath(path))
        self.parsed = parsed
        self.is_package = path.replace("\\", "/").endswith("/__init__.py")
        self.typing_only: dict[str, tuple[ast.ImportFrom, str]] = {}
        """Names imported for type checkers only: not there at run time."""
        self.outline: dict[str, list[ast.stmt]] | None = None
        """The top-level statements that bind each name, once somebody asked."""
        self.late: Callable[[ModuleScope, str], Value | None] | None = None
        self.started = False
        self.pending: set[str] = set()
        """Names that are being worked out."""
        self.future_annotations = any(
            isinstance(statement, ast.ImportFrom)
            and statement.module == "__future__"
            and any(alias.name == "annotations" for alias in statement.names)
            for statement in parsed.tree.body[:8]
        )

    def bind_late(self, name: str) -> Value | None:
        """Ask for a name that is not bound: modules are evaluated on demand."""
        return self.late(self, name) if self.late else None


@dataclass(slots=True, eq=False)
class FunctionDefinition:
    """A function as it was defined: its syntax, where, and what its defaults were."""

    node: FunctionNode
    scope: Scope
    module: ParsedModule
    qualified: str
    defaults: dict[str, Value]
    types: dict[str, Value] = field(default_factory=dict)
    """What the first parameters' types were called when it was defined, by parameter."""
    owner: Class | None = None
    flavour: str = "plain"
    """plain, static, class, property or cached (a property), as its decorators say."""
    setter: Function | None = None
    """What writing to a property calls."""
    remembers: bool = False
    """Whether equal arguments give the very same result."""
    registered: list[Function] = field(default_factory=list)
    """Functions that may be called instead, by the type of what is given."""
    is_context: bool = False
    """Whether it is made a context manager by `contextlib`."""


@dataclass(slots=True, eq=False)
class ClassDefinition:
    """A class as it was defined; its body is evaluated when something of it is asked for."""

    node: ast.ClassDef
    scope: Scope
    module: ParsedModule
    decorators: tuple[str, ...] = ()
    body: Scope | None = None
    metaclass: Class | None = None
    """The metaclass of the project that its own definition names."""
    altered: bool = False
    """Whether code out of sight may have changed what the body says."""
    enum: str | None = None
    """The enumeration base it has: `Enum`, `StrEnum`, `IntEnum`, or with a mixed-in `str`."""
