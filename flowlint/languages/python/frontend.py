"""Python files and notebooks in, followed objects out."""

from __future__ import annotations

import ast
import os
import sys
from dataclasses import dataclass

from flowlint.languages.python.evaluation import expressions, imports, statements
from flowlint.languages.python.evaluation.attributes import attribute
from flowlint.languages.python.evaluation.calling import call
from flowlint.languages.python.evaluation.escaping import escape
from flowlint.languages.python.evaluation.machine import (
    MAX_STEPS,
    Machine,
    Parts,
)
from flowlint.languages.python.evaluation.program import Program
from flowlint.languages.python.evaluation.rooting import Roots
from flowlint.languages.python.evaluation.scopes import (
    ModuleScope,
)
from flowlint.languages.python.reading import ParsedModule, SyntaxFault
from flowlint.source import Files, Span
from flowlint.values.following import Models
from flowlint.values.model import Built, Origin, Value

RECURSION_LIMIT = 20_000

PARTS = Parts(
    expressions.HANDLERS,
    statements.execute,
    call,
    attribute,
    lambda machine, arguments, how: escape(arguments, how, machine),
)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What evaluating one file brought to light."""

    built: tuple[Built, ...]
    faults: tuple[SyntaxFault, ...] = ()
    lost: tuple[Span, ...] = ()


def evaluate_file(path: str, files: Files, root: str, models: Models) -> Evaluation:
    """Follow all that a file builds. Raises OSError when the file cannot be read."""
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
    machine.travel.home = module.parsed
    Roots(machine, module).evaluate_all()
    machine.steps = MAX_STEPS
    machine.reset()
    parsed = module.parsed
    _open_around(machine.built, parsed)
    return Evaluation(tuple(machine.built), parsed.faults, parsed.lost)


def _open_around(built: list[Built], parsed: ParsedModule) -> None:
    """What could not be read may have built on: flows of the same definition stay open."""
    homes = [
        (statement.lineno, statement.end_lineno or statement.lineno)
        for statement in parsed.tree.body
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]

    def home(span: Span) -> tuple[int, int] | None:
        return next((h for h in homes if h[0] <= span.line <= h[1]), None)

    for lost in parsed.lost:
        around = home(lost)
        for one in built:
            places = [one.origin, *(operation.origin for operation in one.operations)]
            if any(s.path == lost.path and home(s) == around for s in _spans(places)):
                one.escapes.append(("a statement here cannot be read", one.origin))


def _spans(origins: list[Origin]) -> list[Span]:
    return [origin.span() for origin in origins]


def _watch_modules(machine: Machine) -> None:
    """Let every module that is loaded evaluate its names on demand."""
    load = machine.program.load

    def late(module: ModuleScope, name: str) -> Value | None:
        return imports.bind_late(machine, module, name)

    def load_watched(path: str, qualified: str | None = None) -> ModuleScope | None:
        module = load(path, qualified)
        if module is not None and module.late is None:
            module.late = late
        return module

    machine.program.load = load_watched  # type: ignore[method-assign]
