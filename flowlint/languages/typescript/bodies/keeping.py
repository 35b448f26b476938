"""What was read of a body is kept, as long as all that it rests on is the same.

Only what is plain data is kept, and only of functions that stand right in a module: what those rest
on are the statements of the module that their words lead to, one from the next, and the modules of
the project that those import from.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flowlint.languages.typescript.bodies.reader import read_body
from flowlint.languages.typescript.evaluation.imports import ELSEWHERE
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, ModuleScope
from flowlint.values.bodies import Body, Given, Made, Row, Table, Thing

if TYPE_CHECKING:
    from tree_sitter import Node

    from flowlint.languages.typescript.evaluation.machine import Machine
    from flowlint.values.model import Value

MAX_KEPT = 4_000
"""Functions of which what was read is kept."""

MAX_MODULES = 12
"""Modules of the project that what a function rests on may come from."""

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")

_CALLED = re.compile(rb"([\w$\x80-\xff]+)\s*\(")

_ALIAS = re.compile(rb"=\s*[\w$.]+\s*;?\s*$")
"""A declaration that gives another name to something."""

Mark = tuple[object, ...]
"""What is equal as long as a stretch of text is the same and at the same place."""

_kept: dict[tuple[str, Mark], tuple[frozenset[Mark], Body]] = {}


def body_of(machine: Machine, definition: FunctionDefinition, receiver: Value | None) -> Body:
    """What a function's code tells, read once in an evaluation, or as it was in the last one."""
    key = (definition.key, id(definition.scope), getattr(receiver, "serial", None))
    found = machine.bodies.get(key)
    if found is None:
        found = machine.bodies[key] = _kept_or_read(machine, definition, receiver)
    return found


def _kept_or_read(machine: Machine, definition: FunctionDefinition, receiver: Value | None) -> Body:
    scope, node = definition.scope, definition.node
    text = definition.module.text.data[node.start_byte : node.end_byte]
    if not isinstance(scope, ModuleScope) or (receiver is not None and b"this" in text):
        return read_body(machine, definition, receiver)
    key = (definition.module.path, _mark(definition.module.text.data, node))
    rests_on = _grounds(machine, scope, text)
    kept = _kept.pop(key, None)
    if kept is not None and rests_on is not None and kept[0] == rests_on:
        _kept[key] = kept
        return kept[1]
    body = read_body(machine, definition, receiver)
    if rests_on is not None and body.unread is None and _is_data(body.returns):
        if len(_kept) >= MAX_KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = rests_on, body
    return body


def _mark(data: bytes, node: Node) -> Mark:
    return (*node.start_point, hash(data[node.start_byte : node.end_byte]))


class _Index:
    """The statements at the top of a module, by the words that lead to them."""

    __slots__ = ("imports", "leads", "marks", "words")

    def __init__(self, machine: Machine, module: ModuleScope) -> None:
        outline = machine.program.outline(module)
        data = module.parsed.text.data
        self.imports = {name.encode(): one for name, one in outline.imports.items()}
        self.leads: dict[bytes, list[int]] = {}
        self.marks: dict[int, Mark] = {}
        self.words: dict[int, frozenset[bytes]] = {}
        named = outline.declared.items()
        declared = {name.encode(): [node.id for node in nodes] for name, nodes in named}
        known = declared.keys() | self.imports.keys()
        for node in outline.statements:
            words = _WORD.findall(data, node.start_byte, node.end_byte)
            self.words[node.id] = frozenset(known & set(words))
            self.marks[node.id] = _mark(data, node)
        runs = {node.id: self._runs(data, node) for node in outline.statements}
        for node in outline.statements:
            if node.type in ELSEWHERE:
                for word in self._reached(node.id, declared, runs):
                    self.leads.setdefault(word, []).append(node.id)
        for name, ids in declared.items():
            self.leads.setdefault(name, []).extend(ids)

    def _runs(self, data: bytes, node: Node) -> frozenset[bytes]:
        """The words of a statement that it calls, or gives another name to."""
        text = data[node.start_byte : node.end_byte]
        if _ALIAS.search(text[-200:]):
            return self.words[node.id]
        return self.words[node.id].intersection(_CALLED.findall(text))

    def _reached(
        self,
        start: int,
        declared: dict[bytes, list[int]],
        runs: dict[int, frozenset[bytes]],
    ) -> set[bytes]:
        """The words of a statement, and of what it calls, by whatever name."""
        found: set[bytes] = set()
        pending, seen = [start], {start}
        while pending:
            statement = pending.pop()
            found |= self.words[statement]
            # The first statement may write to what goes by any of its words.
            for word in self.words[start] if statement == start else runs[statement]:
                for other in declared.get(word, ()):
                    is_run = word in runs[statement] or runs[other] == self.words[other]
                    if is_run and other not in seen:
                        seen.add(other)
                        pending.append(other)
        return found


def _index_of(machine: Machine, module: ModuleScope) -> _Index:
    found = machine.indices.get(module.parsed.serial)
    if not isinstance(found, _Index):
        found = machine.indices[module.parsed.serial] = _Index(machine, module)
    return found


def _grounds(machine: Machine, module: ModuleScope, text: bytes) -> frozenset[Mark] | None:
    """What a function rests on beside its own text; None where that is too much."""
    index = _index_of(machine, module)
    marks: set[Mark] = set()
    seen: set[bytes] = set()
    pending = [word for word in set(_WORD.findall(text)) if word in index.leads]
    imported = [word for word in set(_WORD.findall(text)) if word in index.imports]
    while pending:
        word = pending.pop()
        if word in seen:
            continue
        seen.add(word)
        for statement in index.leads.get(word, ()):
            marks.add(index.marks[statement])
            pending += index.words[statement] - seen
            imported += index.words[statement] & index.imports.keys()
    modules: dict[str, ModuleScope] = {}
    for word in set(imported):
        one = index.imports[word]
        path = machine.program.find(one.specifier, module)
        marks.add((one.specifier, one.name, path))
        if path is not None and not _gather(machine, path, modules):
            return None
    marks.update((path, hash(other.parsed.text.data)) for path, other in modules.items())
    return frozenset(marks)


def _gather(machine: Machine, path: str, modules: dict[str, ModuleScope]) -> bool:
    """Collect a module with those that it imports from; false where they are too many."""
    pending = [path]
    while pending:
        current = pending.pop()
        if current in modules:
            continue
        other = machine.program.load(current) if not current.endswith(".json") else None
        if other is None or len(modules) >= MAX_MODULES:
            return False
        modules[current] = other
        outline = machine.program.outline(other)
        passed = [one.specifier for one in outline.passed_on.values()]
        for specifier in (
            *(one.specifier for one in outline.imports.values()), *passed, *outline.stars,
        ):  # fmt: skip
            found = machine.program.find(specifier, other)
            if found is not None:
                pending.append(found)
    return True


def _is_data(givens: tuple[Given, ...]) -> bool:
    """Whether values hold nothing that belongs to one evaluation."""
    for given in givens:
        match given:
            case Thing():
                return False
            case Table(keys=keys):
                if not all(_is_data(key.values) for key in keys):
                    return False
            case Row(items=items):
                if not all(map(_is_data, items)):
                    return False
            case Made(arguments=arguments):
                if not all(map(_is_data, arguments.values())):
                    return False
    return True
