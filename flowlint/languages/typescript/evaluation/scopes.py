"""Names and what they are bound to: modules, functions, blocks and classes."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.typescript.reading.module import ParsedModule
from flowlint.values.conditions import overwrite, restrict
from flowlint.values.model import Class, Origin, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from flowlint.languages.typescript.evaluation.outline import Outline


class Scope:
    """The names of one block, function call, class body or module.

    `presence` is the condition under which the scope came to be; writes under no further
    condition are certain.
    """

    __slots__ = ("kind", "module", "names", "owner", "parent", "presence", "qualified", "this")

    def __init__(
        self,
        kind: Literal["module", "function", "arrow", "block", "class"],
        qualified: str,
        parent: Scope | None,
        presence: Presence = ALWAYS,
    ) -> None:
        self.kind = kind
        self.qualified = qualified
        self.parent = parent
        self.presence = presence
        self.module: ModuleScope = parent.module if parent is not None else _no_module(self)
        """The scope of the module that the code stands in."""
        self.names: dict[str, Value] = {}
        self.this: Value | None = None
        self.owner: Class | None = None
        """The class in whose body the running function was defined."""

    def declare(self, name: str, value: Value, known: Presence, origin: Origin) -> None:
        """Bind a name here, where `known` holds."""
        under = known - self.presence
        self.names[name] = overwrite(self.names.get(name), value, under, origin)

    def assign(self, name: str, value: Value, known: Presence, origin: Origin) -> None:
        """Write a name where it is bound; where nothing binds it, in the module."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                scope.declare(name, value, known, origin)
                return
            scope = scope.parent
        self.module.bind_late(name)
        self.module.declare(name, value, known, origin)

    def lookup(self, name: str, known: Presence) -> Value | None:
        """What a name is bound to as seen from here, None when nothing binds it."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is None and isinstance(scope, ModuleScope):
                found = scope.bind_late(name)
            if found is not None:
                return restrict(found, known)
            scope = scope.parent
        return None

    def bound(self, name: str) -> Value | None:
        """What a name is bound to so far, without evaluating anything for it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def function(self) -> Scope:
        """The scope in which `var` binds."""
        scope = self
        while scope.kind == "block" and scope.parent is not None:
            scope = scope.parent
        return scope

    def receiver(self) -> Scope | None:
        """The scope that says what `this` is: that of the method around, past arrows."""
        scope: Scope | None = self
        while scope is not None and scope.kind in ("block", "arrow"):
            scope = scope.parent
        return scope


def _no_module(scope: Scope) -> ModuleScope:
    """Only modules stand on their own."""
    if not isinstance(scope, ModuleScope):
        raise TypeError("a scope without a module around it")
    return scope


class ModuleScope(Scope):
    """The names of a module, with what is needed to find names that are not bound yet."""

    __slots__ = (
        "exported",
        "folder",
        "late",
        "outline",
        "parsed",
        "path",
        "pending",
        "ran",
        "whole",
    )

    def __init__(self, qualified: str, path: str, parsed: ParsedModule) -> None:
        super().__init__("module", qualified, None)
        self.path = path
        self.folder = os.path.dirname(os.path.abspath(path))
        self.parsed = parsed
        self.outline: Outline | None = None
        """What the module declares and exports, once somebody asked."""
        self.late: Callable[[ModuleScope, str], Value | None] | None = None
        self.ran: set[int] = set()
        """The top-level statements that were run, by the identity of their nodes."""
        self.whole = False
        """Whether all of it was run."""
        self.pending: set[str] = set()
        """Names that are being worked out."""
        self.exported: dict[str, Value] = {}
        """What was exported, as far as somebody asked."""

    def bind_late(self, name: str) -> Value | None:
        """Ask for a name that is not bound: modules are evaluated on demand."""
        return self.late(self, name) if self.late else None


@dataclass(slots=True, eq=False)
class FunctionDefinition:
    """A function as it was defined: its syntax and where."""

    node: Node
    scope: Scope
    module: ParsedModule
    qualified: str
    owner: Class | None = None
    is_static: bool = False
    key: tuple[int, int] = field(init=False)
    """Tells its syntax from that of all other functions."""

    def __post_init__(self) -> None:
        self.key = (self.module.serial, self.node.id)

    @property
    def is_arrow(self) -> bool:
        """Whether it takes `this` from around it."""
        return self.node.type == "arrow_function"


@dataclass(slots=True, eq=False)
class ClassDefinition:
    """A class as it was defined."""

    node: Node
    scope: Scope
    module: ParsedModule
    statics: dict[str, Value] = field(default_factory=dict)
    methods: dict[str, FunctionDefinition] = field(default_factory=dict)
    getters: dict[str, FunctionDefinition] = field(default_factory=dict)
    setters: dict[str, FunctionDefinition] = field(default_factory=dict)
    is_enum: bool = False
