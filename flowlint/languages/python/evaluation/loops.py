"""Loops: known rounds one after the other, unknown ones once for any number of them."""

from __future__ import annotations

import ast

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.python.evaluation.assigning import assign, elements
from flowlint.languages.python.evaluation.machine import (
    Machine,
    Outcome,
    negated,
)
from flowlint.languages.python.evaluation.repetition import (
    ROUNDS,
    first_and_last,
    repeats_itself,
)
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.languages.python.evaluation.testing import test
from flowlint.languages.python.nodes import children, walk
from flowlint.values.conditions import contradicts
from flowlint.values.model import Choice, Const, Mapped, Sequence, Unknown, Value

MAX_ROUNDS = 500
"""Rounds of a `while` loop with a known condition that are followed."""

Loop = ast.For | ast.AsyncFor | ast.While


def run_for(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    """A `for` loop: one round for each element that is known, one for all the others."""
    assert isinstance(node, ast.For | ast.AsyncFor)
    iterable = machine.evaluate(node.iter, scope)
    items, rest = elements(machine, iterable, machine.origin(node.iter, scope))
    rounds = _Rounds(machine, node, scope)
    if len(items) > ROUNDS and repeats_itself(machine, node, scope):
        items = first_and_last(items, machine.known)
    for item in items:
        presence = item.presence - machine.known
        if not rounds.over and machine.possible(presence):
            rounds.run(presence, item.value)
    if rest is not None and not rounds.over:
        label = f"for {ast.unparse(node.target)} in {machine.text(node.iter)}"
        identity = ("loop", rest.key or machine.fresh())
        rounds.repeat(frozenset([(machine.literal(identity, label), True)]), rest)
    return rounds.finish()


def run_while(machine: Machine, node: ast.stmt, scope: Scope) -> Outcome:
    """A `while` loop: round by round as long as its test is known."""
    assert isinstance(node, ast.While)
    rounds = _Rounds(machine, node, scope)
    endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
    for _ in range(MAX_ROUNDS):
        when_true, when_false = test(machine, node.test, scope)
        if when_true is None or not machine.possible(when_true):
            return rounds.finish()
        if when_false is not None and when_true:
            rounds.repeat(when_true)
            return rounds.finish()
        certain = rounds.run(ALWAYS)
        if rounds.over:
            return rounds.finish()
        if endless and not certain:
            break
        if endless and not _can_leave(node.body):
            return rounds.finish(ends=False)
    again = machine.literal(("while", machine.fresh()), f"while {machine.text(node.test)} goes on")
    rounds.repeat(frozenset([(again, True)]))
    return rounds.finish(ends=not endless)


class _Rounds:
    """The rounds of one loop and the ways they left it.

    `over` tells that no further round can follow.
    """

    def __init__(self, machine: Machine, node: Loop, scope: Scope) -> None:
        self.machine = machine
        self.node = node
        self.scope = scope
        self.entry = machine.mark()
        self.exits: list[tuple[str, Presence]] = []
        self.over = False
        self.left: str | None = None
        self.may_break = False

    def run(self, presence: Presence, value: Value | None = None) -> bool:
        """One round under a condition. The result tells whether all of it was certain."""
        machine, node = self.machine, self.node
        before = machine.present - self.entry[0]
        mark = machine.mark()
        machine.add(presence)
        if value is not None and not isinstance(node, ast.While):
            assign(machine, node.target, value, self.scope)
        outcome = machine.execute(node.body, self.scope)
        machine.restore(mark)
        ways = _ways(outcome)
        kinds = {kind for kind, _ in ways}
        self.may_break |= "break" in kinds
        self.exits += [(k, before | presence | p) for k, p in ways if k in ("return", "raise")]
        ends = outcome.kind in ("return", "raise", "break")
        ends |= outcome.kind == "mixed" and "continue" not in kinds
        if ends and not presence:
            self.over = True
            if "break" not in kinds:
                self.left = outcome.kind
        elif ends and kinds != {"raise"}:
            machine.add(negated(presence))
        else:
            self._stay(ways, presence)
        return not ways

    def _stay(self, ways: list[tuple[str, Presence]], presence: Presence) -> None:
        """Further rounds happen only where the earlier ones did not leave the loop."""
        for kind, literals in ways:
            if not presence | literals:
                continue
            if kind in ("break", "return"):
                self.machine.add(negated(presence | literals))
            elif kind == "raise":
                self.machine.assume(negated(presence | literals))

    def repeat(self, presence: Presence, value: Value | None = None) -> None:
        """One round that stands for any number of them.

        What a round hands on to the next one is unknown in it.
        """
        machine = self.machine
        mark = machine.mark()
        machine.add(presence)
        self._forget_carried()
        machine.restore(mark)
        containers = self._containers()
        self.run(presence, value)
        for container, size in containers:
            grown = container.items if isinstance(container, Sequence) else container.entries
            if len(grown) != size and container.rest is None:
                container.rest = Unknown("added in a loop of unknown length", container.origin)

    def _forget_carried(self) -> None:
        stored, loaded = _names(self.node.body)
        if isinstance(self.node, ast.While):
            loaded |= _names([self.node.test])[1]
        for text, target in stored.items():
            if text not in loaded:
                continue
            current = self.machine.evaluate(_reading(target), self.scope)
            unknown = Unknown(
                f"`{text}` changes from round to round", self.machine.origin(target, self.scope)
            )
            forgotten: Value
            if isinstance(current, Sequence):
                forgotten = Sequence(current.kind, list(current.items), current.origin, unknown)
            elif isinstance(current, Mapped):
                forgotten = Mapped(list(current.entries), current.origin, unknown)
            elif isinstance(current, Const | Choice | Unknown):
                forgotten = unknown
            else:
                continue
            assign(self.machine, target, forgotten, self.scope)

    def _containers(self) -> list[tuple[Sequence | Mapped, int]]:
        """The containers that the body mentions, with their sizes."""
        found: list[tuple[Sequence | Mapped, int]] = []
        for node in _names(self.node.body)[1].values():
            value = self.machine.evaluate(node, self.scope)
            if isinstance(value, Sequence):
                found.append((value, len(value.items)))
            elif isinstance(value, Mapped):
                found.append((value, len(value.entries)))
        return found

    def finish(self, *, ends: bool = True) -> Outcome:
        """What the whole loop did. `ends` is false when only `break` and the like leave it."""
        machine = self.machine
        exits, kind = self.exits, self.left
        if not self.over and ends and self.node.orelse:
            after = machine.present - self.entry[0]
            outcome = machine.execute(self.node.orelse, self.scope)
            exits += [(k, after | p) for k, p in outcome.exits]
            if outcome.kind and not self.may_break:
                kind = outcome.kind
            elif outcome.kind and outcome.kind != "mixed":
                exits.append((outcome.kind, after))
        machine.restore(self.entry)
        return Outcome(kind, tuple(exits))


def _ways(outcome: Outcome) -> list[tuple[str, Presence]]:
    """All ways in which a body left, each with its condition."""
    ways = list(outcome.exits)
    if outcome.kind not in (None, "mixed"):
        assert outcome.kind is not None
        staying: Presence = ALWAYS
        for _, literals in outcome.exits:
            staying |= negated(literals) if literals else ALWAYS
        if not contradicts(staying, staying):
            ways.append((outcome.kind, staying))
    return ways


def _names(
    body: list[ast.stmt] | list[ast.expr],
) -> tuple[dict[str, ast.expr], dict[str, ast.expr]]:
    """The names, and attributes of names, that code writes and reads, by their text."""
    stored: dict[str, ast.expr] = {}
    loaded: dict[str, ast.expr] = {}
    for statement in body:
        for node in walk(statement):
            if isinstance(node, ast.AugAssign):
                if _is_simple(node.target):
                    loaded[ast.unparse(node.target)] = _reading(node.target)
            if isinstance(node, ast.Name | ast.Attribute) and _is_simple(node):
                where = loaded if isinstance(node.ctx, ast.Load) else stored
                where[ast.unparse(node)] = node
    return stored, loaded


def _is_simple(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name)
    return isinstance(node, ast.Name)


def _reading(target: ast.expr) -> ast.expr:
    """A target as an expression that reads it."""
    if isinstance(target, ast.Attribute):
        made: ast.expr = ast.Attribute(target.value, target.attr, ast.Load())
    else:
        assert isinstance(target, ast.Name)
        made = ast.Name(target.id, ast.Load())
    return ast.copy_location(made, target)


def _can_leave(body: list[ast.stmt]) -> bool:
    """Whether some statement in a loop's body may end the loop."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Break | ast.Return | ast.Raise):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack += children(node)
    return False
