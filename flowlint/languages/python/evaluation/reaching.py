"""What a function comes to run: code outside of the project, by itself or through other functions.

A function is looked at, not followed: what it names may be run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.languages.python.evaluation.imports import binders
from flowlint.languages.python.evaluation.scopes import FunctionDefinition, ModuleScope, NodeOrigin
from flowlint.languages.python.nodes import children, kept_with_node
from flowlint.languages.python.reading import ParsedModule
from flowlint.values.model import (
    Choice,
    Class,
    External,
    Function,
    Instance,
    Module,
    Partial,
    Value,
)

if TYPE_CHECKING:
    from flowlint.languages.python.evaluation.machine import Machine

MAX_FUNCTIONS = 24
"""Functions looked at for one question."""

_BUILT_IN = frozenset(dir(__import__("builtins")))

Bound = tuple[FunctionDefinition, Value | None]
"""A function with what it is bound to."""


@dataclass(slots=True)
class Named:
    """What one function names to run. `hidden`: it also calls what is not known."""

    outside: dict[str, NodeOrigin] = field(default_factory=dict)
    functions: list[Bound] = field(default_factory=list)
    hidden: bool = False


def runs(machine: Machine, start: Bound, names: frozenset[str], word: str) -> NodeOrigin | None:
    """Where the function, or one that it calls, names one of these; None where none is seen to.

    Only what stands in modules that have the `word` is looked into.
    """
    for named, _ in _reached(machine, start, word):
        for name, origin in named.outside.items():
            if name in names:
                return origin
    return None


def may_run(machine: Machine, start: Bound, names: frozenset[str], word: str) -> bool:
    """Whether it may run one of these. Code that is not known runs what its module speaks of."""
    return any(
        not names.isdisjoint(named.outside)
        or (named.hidden and _is_in(machine, definition.module, word))
        for named, definition in _reached(machine, start, word)
    )


def _is_in(machine: Machine, module: ParsedModule, word: str) -> bool:
    key = (id(module), word)
    if key not in machine.mentions:
        machine.mentions[key] = word in module.text
    return machine.mentions[key]


def _reached(
    machine: Machine, start: Bound, word: str
) -> Iterator[tuple[Named, FunctionDefinition]]:
    """What the function and all that it calls name, nearest first."""
    waiting, seen = [start], {start[0].node}
    for definition, receiver in waiting:
        named = _named(machine, definition, receiver, word)
        yield named, definition
        for function in named.functions:
            is_known = function[0].node in seen or len(seen) >= MAX_FUNCTIONS
            if not is_known and _may_lead_to(machine, function[0].scope.module, word):
                seen.add(function[0].node)
                waiting.append(function)


def _named(
    machine: Machine, definition: FunctionDefinition, receiver: Value | None, word: str
) -> Named:
    key = (definition.node, definition.scope, getattr(receiver, "serial", None), word)
    found = machine.named.get(key)
    if found is None:
        found = Named()
        if _may_lead_to(machine, definition.scope.module, word):
            found = _Looking(machine, definition, receiver, word).look()
        machine.named[key] = found
    return found


def _may_lead_to(machine: Machine, module: ModuleScope, word: str) -> bool:
    """Whether a module speaks of something, or imports one that does."""
    key = (id(module), word)
    if key not in machine.mentions:
        machine.mentions[key] = _is_in(machine, module.parsed, word) or any(
            _brings(machine, module, statement, word) is True
            for statement in module.parsed.tree.body
            if isinstance(statement, ast.Import | ast.ImportFrom)
        )
    return machine.mentions[key]


def _brings(
    machine: Machine, module: ModuleScope, node: ast.Import | ast.ImportFrom, word: str
) -> bool | None:
    """Whether an import is from a module that speaks of something; None: outside of the project."""
    base = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    level = node.level if isinstance(node, ast.ImportFrom) else 0
    names = [f"{base}.{alias.name}".lstrip(".") for alias in node.names]
    found = [
        machine.program.speaks_of(word.encode(), name, module, level)
        for name in ([base, *names] if base or level else names)
    ]
    known = [speaks for speaks in found if speaks is not None]
    return any(known) if known else None


class _Looking:
    def __init__(
        self,
        machine: Machine,
        definition: FunctionDefinition,
        receiver: Value | None,
        word: str,
    ) -> None:
        self.machine = machine
        self.word = word
        self.definition = definition
        self.receiver = receiver
        self.found = Named()
        self.nodes = _inside(definition.node)
        args = definition.node.args
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        every += [arg for arg in (args.vararg, args.kwarg) if arg is not None]
        self.itself = every[0].arg if every and receiver is not None else None
        self.local = {arg.arg for arg in every} | {
            node.id
            for node in self.nodes
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }
        self.made_here: set[str] = set()
        self.imported: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.made_here.add(node.name)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                for alias in node.names:
                    self.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def look(self) -> Named:
        """Look at every name and call."""
        part_of_chain: set[ast.AST] = set()
        for node in self.nodes:
            if node in part_of_chain or not isinstance(node, ast.Name | ast.Attribute | ast.Call):
                continue
            if isinstance(node, ast.Call):
                self.found.hidden |= self._is_hidden(node.func)
                continue
            value = self._value(node)
            if value is not None:
                inner = node
                while isinstance(inner, ast.Attribute) and isinstance(
                    inner.value, ast.Attribute | ast.Name
                ):
                    inner = inner.value
                    part_of_chain.add(inner)
                self._note(value, node)
        return self.found

    def _is_hidden(self, func: ast.expr) -> bool:
        """Whether it is not known what a call runs."""
        if isinstance(func, ast.Name):
            if func.id in self.made_here:
                return False
            if func.id in self.local:
                return True
            return self._value(func) is None and func.id not in _BUILT_IN
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Constant | ast.JoinedStr):
            return False
        value = self._value(func)
        return not isinstance(value, Function | External | Class | Partial)

    def _value(self, node: ast.expr) -> Value | None:
        """What a name or a chain of attributes stands for, None where that cannot be told."""
        if isinstance(node, ast.Name):
            if node.id == self.itself:
                return self.receiver
            if node.id in self.imported:
                return External(self.imported[node.id], self._origin(node))
            if node.id in self.local or node.id in self.made_here:
                return None
            return self._looked_up(node.id)
        if not isinstance(node, ast.Attribute):
            return None
        owner = self._value(node.value)
        if isinstance(owner, External | Module | Class | Instance):
            return self.machine.attribute(owner, node.attr, self._origin(node))
        return None

    def _looked_up(self, name: str) -> Value | None:
        """What a name outside of the function stands for, as far as it matters here.

        Nothing is imported for it that cannot run what is looked for.
        """
        scope, known = self.definition.scope, self.machine.known
        found = scope.bound(name, known)
        if found is not None:
            return found
        binding = binders(scope.module, name)
        if len(binding) == 1 and isinstance(binding[0], ast.Import | ast.ImportFrom):
            if _brings(self.machine, scope.module, binding[0], self.word) is False:
                return None
        return scope.lookup(name, known)

    def _note(self, value: Value, node: ast.AST) -> None:
        """Note what is named where it can be run."""
        if isinstance(value, Choice):
            for _, single in value.alternatives:
                self._note(single, node)
        elif isinstance(value, Partial):
            self._note(value.target, node)
        elif isinstance(value, External):
            self.found.outside.setdefault(value.qualified, self._origin(node))
        elif isinstance(value, Function) and isinstance(value.definition, FunctionDefinition):
            self.found.functions.append((value.definition, value.receiver))
            self.found.hidden |= bool(value.decorators)
        elif isinstance(value, Class):
            made = value.reader.method("__init__")
            if made is not None:
                self._note(made, node)

    def _origin(self, node: ast.AST) -> NodeOrigin:
        return NodeOrigin(self.definition.module, node)


@kept_with_node
def _inside(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.AST]:
    """All that is written in a function, outer parts first, but for what it declares."""
    found: list[ast.AST] = []
    body: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else [*node.body]
    waiting = body[::-1]
    while waiting:
        current = waiting.pop()
        found.append(current)
        parts = list(children(current))
        if isinstance(current, ast.AnnAssign):
            parts = [current.target, *([current.value] if current.value else [])]
        elif isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef):
            parts = [*current.decorator_list, *current.body]
        waiting += parts[::-1]
    return found
