"""Files of TypeScript and JavaScript in, followed objects out."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from flowlint.languages.typescript.evaluation import expressions, imports, roots, statements
from flowlint.languages.typescript.evaluation.calling import call
from flowlint.languages.typescript.evaluation.machine import MAX_STEPS, Machine, Parts
from flowlint.languages.typescript.evaluation.members import member
from flowlint.languages.typescript.evaluation.program import Program
from flowlint.languages.typescript.evaluation.scopes import ModuleScope
from flowlint.languages.typescript.reading.module import ParsedModule, SyntaxFault
from flowlint.source import Files
from flowlint.values.following import Models
from flowlint.values.model import Built, Value

RECURSION_LIMIT = 20_000

PARTS = Parts(expressions.HANDLERS, expressions.LEAVES, statements.execute, call, member)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What evaluating one file brought to light."""

    built: tuple[Built, ...]
    faults: tuple[SyntaxFault, ...] = ()


def evaluate_file(path: str, files: Files, root: str, models: Models) -> Evaluation:
    """Follow all that a file builds.

    Raises OSError when the file cannot be read, ImportError where the packages that parse
    TypeScript are not installed.
    """
    files.read(path)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION_LIMIT))
    try:
        return _evaluated(path, files, root, models)
    finally:
        sys.setrecursionlimit(before)


def _evaluated(path: str, files: Files, root: str, models: Models) -> Evaluation:
    program = Program(files, root, relative=not os.path.isabs(path))
    machine = Machine(program, models, PARTS)
    _watch_modules(machine)
    module = program.load(path)
    if module is None:
        return Evaluation(())
    machine.home = module.parsed
    roots.evaluate_all(machine, module)
    machine.steps = MAX_STEPS
    machine.reset()
    _open_around(machine.built, module.parsed)
    return Evaluation(tuple(machine.built), module.parsed.faults)


def _open_around(built: list[Built], parsed: ParsedModule) -> None:
    """What could not be read may have built on: flows of the same statement stay open."""
    if not parsed.lost:
        return
    homes = [
        (child.start_byte, child.end_byte)
        for child in parsed.tree.root_node.children
        if child.type != "ERROR"
    ]
    for start, end in parsed.lost:
        home = next((h for h in homes if h[0] <= start and end <= h[1]), (start, end))
        for one in built:
            places = [one.origin, *(operation.origin for operation in one.operations)]
            if any(_is_in(place, parsed, home) for place in places):
                one.escapes.append(("something here cannot be read", one.origin))


def _is_in(place: object, parsed: ParsedModule, home: tuple[int, int]) -> bool:
    if getattr(place, "module", None) is not parsed:
        return False
    start, end = getattr(place, "start", -1), getattr(place, "end", -1)
    return bool(home[0] <= start and end <= home[1])


def _watch_modules(machine: Machine) -> None:
    """Let every module that is loaded evaluate its names on demand."""
    load = machine.program.load

    def late(module: ModuleScope, name: str) -> Value | None:
        return imports.bind_late(machine, module, name)

    def load_watched(path: str) -> ModuleScope | None:
        module = load(path)
        if module is not None and module.late is None:
            module.late = late
        return module

    machine.program.load = load_watched  # type: ignore[method-assign]
