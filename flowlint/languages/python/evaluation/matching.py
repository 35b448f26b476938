"""`match` statements: which case is taken when."""

from __future__ import annotations

import ast

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.python.evaluation.machine import Machine, value_key
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.languages.python.evaluation.testing import known_truth, test
from flowlint.languages.python.nodes import walk
from flowlint.values.model import Const, Sequence, Unknown, Value


def match_tests(
    machine: Machine, node: ast.Match, scope: Scope
) -> list[tuple[Presence | None, list[ast.stmt]]]:
    """Each case's body with the condition under which it is taken, None when it never is."""
    subject = machine.evaluate(node.subject, scope)
    text = ast.unparse(node.subject)
    identity = value_key(subject) or f"once {machine.fresh()}"
    taken: list[tuple[Presence | None, list[ast.stmt]]] = []
    earlier: Presence = ALWAYS
    exhausted = False
    for case in node.cases:
        if exhausted:
            break
        fits = _fits(machine, case.pattern, subject, scope)
        _bind_captures(machine, case.pattern, subject, scope)
        if case.guard is not None and fits is not False:
            mark = machine.mark()
            machine.add(earlier)
            when_true, _ = test(machine, case.guard, scope)
            machine.restore(mark)
            fits = False if when_true is None else fits if not when_true else None
        if fits is False:
            continue
        if fits is True:
            taken.append((earlier, case.body))
            exhausted = True
            continue
        guard = f" if {ast.unparse(case.guard)}" if case.guard is not None else ""
        case_text = f"{text} matches {ast.unparse(case.pattern)}{guard}"
        label = machine.literal(("match", identity, case_text), case_text)
        taken.append((earlier | {(label, True)}, case.body))
        earlier |= {(label, False)}
    if not exhausted:
        taken.append((earlier, []))
    return taken


def _fits(machine: Machine, pattern: ast.pattern, subject: Value, scope: Scope) -> bool | None:
    """Whether the subject fits a pattern, None when that is not known."""
    if isinstance(pattern, ast.MatchAs):
        return True if pattern.pattern is None else _fits(machine, pattern.pattern, subject, scope)
    if isinstance(pattern, ast.MatchOr):
        results = [_fits(machine, inner, subject, scope) for inner in pattern.patterns]
        if True in results:
            return True
        return None if None in results else False
    if isinstance(pattern, ast.MatchValue):
        wanted = machine.evaluate(pattern.value, scope)
        if isinstance(wanted, Const) and isinstance(subject, Const):
            if wanted.enum != subject.enum:
                return None
            return wanted.value == subject.value
        return None
    if isinstance(pattern, ast.MatchSingleton):
        if isinstance(subject, Const):
            return subject.value is pattern.value
        return False if known_truth(subject) is not None else None
    if isinstance(pattern, ast.MatchSequence) and isinstance(subject, Const | Unknown):
        return False if isinstance(subject, Const) else None
    return None


def _bind_captures(machine: Machine, pattern: ast.pattern, subject: Value, scope: Scope) -> None:
    if isinstance(pattern, ast.MatchAs) and pattern.name is not None:
        origin = machine.origin(pattern, scope)
        scope.bind(pattern.name, subject, machine.known, origin)
    if isinstance(pattern, ast.MatchSequence) and isinstance(subject, Sequence):
        fixed = not any(isinstance(inner, ast.MatchStar) for inner in pattern.patterns)
        if fixed and len(subject.items) == len(pattern.patterns):
            for inner, item in zip(pattern.patterns, subject.items, strict=True):
                _bind_captures(machine, inner, item.value, scope)
            return
    for child in walk(pattern):
        name = getattr(child, "name", None)
        if child is not pattern and isinstance(name, str):
            origin = machine.origin(pattern, scope)
            scope.bind(name, Unknown("taken from a pattern", origin), machine.known, origin)
