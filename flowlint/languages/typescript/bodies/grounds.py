"""What a function rests on: the statements of its module that its words lead to, one from the next,
and the modules of the project that those import from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation.imports import ELSEWHERE
from flowlint.languages.typescript.evaluation.late_writes import late_writes_of
from flowlint.languages.typescript.evaluation.scopes import ModuleScope
from flowlint.languages.typescript.reading.words import Words, words_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from flowlint.languages.typescript.evaluation.machine import Machine
    from flowlint.languages.typescript.reading.module import ParsedModule

MAX_MODULES = 12
"""Modules of the project that what a function rests on may come from."""

Mark = tuple[object, ...]
"""What is equal as long as something out of the module is the same."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some code of a module, which begins in a line and goes on for `lines` more.

    Lines and columns count as those of spans. `digest` tells its text from others.
    """

    line: int
    lines: int
    column: int
    digest: int

    def is_like(self, other: Stretch) -> bool:
        """Whether the other is the same text, perhaps some lines further up or down."""
        return (self.lines, self.column, self.digest) == (other.lines, other.column, other.digest)


@dataclass(frozen=True, slots=True)
class Grounds:
    """The stretches of its module that a function rests on, from above, itself among them."""

    stretches: tuple[Stretch, ...]
    others: frozenset[Mark]

    def is_like(self, other: Grounds) -> bool:
        """Whether all is the same but for lines that came or went in between."""
        if len(self.stretches) != len(other.stretches) or self.others != other.others:
            return False
        pairs = zip(self.stretches, other.stretches, strict=True)
        return all(one.is_like(another) for one, another in pairs)


def stretch_of(module: ParsedModule, node: Node) -> Stretch:
    """Where a node stands, and its text."""
    span = module.place(node).span()
    digest = words_of(module, node).digest
    return Stretch(span.line, span.end_line - span.line, span.column, digest)


class _Index:
    """The statements at the top of a module, by the words that lead to them."""

    __slots__ = ("imports", "leads", "stretches", "words", "written")

    def __init__(self, machine: Machine, module: ModuleScope) -> None:
        outline = machine.program.outline(module)
        self.written = late_writes_of(machine, module.parsed)
        self.imports = {name.encode(): one for name, one in outline.imports.items()}
        self.leads: dict[bytes, list[int]] = {}
        self.stretches: dict[int, Stretch] = {}
        self.words: dict[int, frozenset[bytes]] = {}
        named = outline.declared.items()
        declared = {name.encode(): [node.id for node in nodes] for name, nodes in named}
        known = declared.keys() | self.imports.keys()
        runs: dict[int, frozenset[bytes]] = {}
        for node in outline.statements:
            words = words_of(module.parsed, node)
            self.words[node.id] = words.all & known
            self.stretches[node.id] = stretch_of(module.parsed, node)
            runs[node.id] = self._runs(node, words)
        for node in outline.statements:
            if node.type in ELSEWHERE:
                for word in self._reached(node.id, declared, runs):
                    self.leads.setdefault(word, []).append(node.id)
        for name, ids in declared.items():
            self.leads.setdefault(name, []).extend(ids)

    def _runs(self, node: Node, words: Words) -> frozenset[bytes]:
        """The words of a statement that it calls, or gives another name to."""
        own = self.words[node.id]
        return own if words.ends_in_name else own & words.called

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


def grounds_of(machine: Machine, module: ModuleScope, node: Node) -> Grounds | None:
    """What a function rests on; None where that is too much."""
    index = _index_of(machine, module)
    statements: set[int] = set()
    seen: set[bytes] = set()
    words = words_of(module.parsed, node).all
    pending = [word for word in words if word in index.leads]
    imported = {word for word in words if word in index.imports}
    while pending:
        word = pending.pop()
        if word in seen:
            continue
        seen.add(word)
        for statement in index.leads.get(word, ()):
            if statement not in statements:
                statements.add(statement)
                pending += index.words[statement] - seen
                imported |= index.words[statement] & index.imports.keys()
    marks: set[Mark] = {("written", index.written)}
    modules: dict[str, ModuleScope] = {}
    for word in imported:
        one = index.imports[word]
        path = machine.program.find(one.specifier, module)
        marks.add((one.specifier, one.name, path))
        if path is not None and not _gather(machine, path, modules):
            return None
    marks.update((path, hash(other.parsed.text.data)) for path, other in modules.items())
    stretches = [index.stretches[statement] for statement in statements]
    stretches.append(stretch_of(module.parsed, node))
    stretches.sort(key=lambda one: (one.line, one.column, one.lines))
    return Grounds(tuple(stretches), frozenset(marks))


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
