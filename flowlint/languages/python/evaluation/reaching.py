"""What a function comes to run: code outside of the project, by itself or through other functions.

A function is looked at, not followed: what it names may be run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.languages.python.evaluation.scopes import FunctionDefinition, NodeOrigin
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

MAX_FUNCTIONS = 60
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


def runs(machine: Machine, start: Bound, names: frozenset[str]) -> NodeOrigin | None:
    """Where the function, or one that it calls, names one of these; None where none is seen to."""
    for named, _ in _reached(machine, start):
        for name, origin in named.outside.items():
            if name in names:
                return origin
    return None


def may_run(machine: Machine, start: Bound, names: frozenset[str], word: str) -> bool:
    """Whether it may run one of these. Code that is not known runs what its module speaks of."""
    return any(
        not names.isdisjoint(named.outside)
        or (named.hidden and _is_in(machine, definition.module, word))
        for named, definition in _reached(machine, start)
    )


def _is_in(machine: Machine, module: ParsedModule, word: str) -> bool:
    key = (id(module), word)
    if key not in machine.mentions:
        machine.mentions[key] = word in module.text
    return machine.mentions[key]


def _reached(machine: Machine, start: Bound) -> Iterator[tuple[Named, FunctionDefinition]]:
    """What the function and all that it calls name, nearest first."""
    waiting, seen = [start], {start[0].node}
    for definition, receiver in waiting:
        named = _named(machine, definition, receiver)
        yield named, definition
        for function in named.functions:
            if function[0].node not in seen and len(seen) < MAX_FUNCTIONS:
                seen.add(function[0].node)
                waiting.append(function)


def _named(machine: Machine, definition: FunctionDefinition, receiver: Value | None) -> Named:
    key = (definition.node, definition.scope, getattr(receiver, "serial", None))
    found = machine.named.get(key)
    if found is None:
        found = machine.named[key] = _Looking(machine, definition, receiver).look()
    return found


class _Looking:
    def __init__(
        self, machine: Machine, definition: FunctionDefinition, receiver: Value | None
    ) -> None:
        self.machine = machine
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
            return self.definition.scope.lookup(node.id, self.machine.known)
        if not isinstance(node, ast.Attribute):
            return None
        owner = self._value(node.value)
        if isinstance(owner, External | Module | Class | Instance):
            return self.machine.attribute(owner, node.attr, self._origin(node))
        return None

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
