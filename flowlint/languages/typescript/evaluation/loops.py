"""Loops: known rounds one after the other, unknown ones once for any number of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.typescript.evaluation.assigning import assign
from flowlint.languages.typescript.evaluation.choosing import test
from flowlint.languages.typescript.evaluation.containers import content, elements, latest
from flowlint.languages.typescript.evaluation.machine import Machine, Outcome, negated
from flowlint.languages.typescript.evaluation.readers import walk
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.languages.typescript.reading.module import children
from flowlint.values.conditions import alternatives, contradicts
from flowlint.values.model import (
    Choice,
    Const,
    Entry,
    Item,
    Mapped,
    Sequence,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_ROUNDS = 500
"""Rounds of a loop with a known condition that are followed."""

MAX_ADDED = 300
"""Elements of an array up to which those are followed that are added while it is gone through."""

Round = Callable[[Scope], None]


def run_for_in(machine: Machine, node: Node, scope: Scope) -> Outcome:
    """`for (const x of xs)` and `for (const key in object)`."""
    right, left = node.child_by_field_name("right"), node.child_by_field_name("left")
    if right is None or left is None:
        return Outcome()
    iterable = machine.evaluate(right, scope)
    origin = machine.origin(right, scope)
    is_of = any(child.type == "of" for child in node.children)
    if is_of:
        items, rest = elements(machine, iterable, origin)
    else:
        items, rest = _keys(machine, iterable, origin)
    rounds = Rounds(machine, node, scope)
    for item in items:
        presence = item.presence - machine.known
        if not rounds.over and machine.possible(presence):
            rounds.run(presence, _binding(machine, node, left, item.value))
        if is_of:
            _take_added(machine, content(iterable), items)
    if rest is not None and not rounds.over:
        label = f"for {machine.text(left, scope)} of {machine.text(right, scope)}"
        identity = ("loop", rest.key or machine.fresh())
        presence = frozenset([(machine.literal(identity, label), True)])
        rounds.repeat(presence, _binding(machine, node, left, rest))
    return rounds.finish()


def _take_added(machine: Machine, owner: Value, items: list[Item]) -> None:
    """What a round adds to the array that is gone through is gone through as well."""
    if not isinstance(owner, Sequence) or len(owner.items) <= len(items):
        return
    added = owner.items[len(items) :]
    if len(items) < MAX_ADDED and not any(item.presence - machine.known for item in added):
        items += added
    else:
        owner.rest = owner.rest or Unknown("added while it is gone through", owner.origin)


def _keys(machine: Machine, value: Value, origin: object) -> tuple[list[Item], Unknown | None]:
    if isinstance(value, Mapped):
        return [Item(entry.key, entry.presence) for entry in latest(value)], value.rest
    if isinstance(value, Sequence) and value.rest is None:
        return [
            Item(Const(str(number), item.value.origin), item.presence)
            for number, item in enumerate(value.items)
        ], None
    return [], Unknown("keys that are not known", value.origin, None)


def _binding(machine: Machine, node: Node, left: Node, value: Value) -> Round:
    declares = node.child_by_field_name("kind")

    def bind(inner: Scope) -> None:
        home: Scope | None = None
        if declares is not None:
            home = inner.function() if declares.type == "var" else inner
        assign(machine, left, value, inner, home=home)

    return bind


def run_while(machine: Machine, node: Node, scope: Scope) -> Outcome:
    """`while (test)`: round by round as long as its test is known."""
    return _rounds_while(machine, node, scope, node.child_by_field_name("condition"), None)


def run_do(machine: Machine, node: Node, scope: Scope) -> Outcome:
    """`do … while (test)`: the first round happens in any case."""
    rounds = Rounds(machine, node, scope)
    rounds.run(ALWAYS, None)
    if rounds.over:
        return rounds.finish()
    return _rounds_while(machine, node, scope, node.child_by_field_name("condition"), None, rounds)


def run_for(machine: Machine, node: Node, scope: Scope) -> Outcome:
    """`for (let i = 0; i < n; i++)`."""
    around = Scope("block", scope.qualified, scope, machine.present)
    first = node.child_by_field_name("initializer")
    if first is not None:
        if first.type in ("lexical_declaration", "variable_declaration", "expression_statement"):
            machine.execute([first], around)
        elif first.type != "empty_statement":
            machine.evaluate(first, around)
    condition = node.child_by_field_name("condition")
    if condition is not None and condition.type == "expression_statement":
        inner = children(condition)
        condition = inner[0] if inner else None
    elif condition is not None and condition.type == "empty_statement":
        condition = None
    step = node.child_by_field_name("increment")
    rounds = Rounds(machine, node, around)
    rounds.copies = first is not None and first.type == "lexical_declaration"
    return _rounds_while(machine, node, around, condition, step, rounds)


def _rounds_while(
    machine: Machine,
    node: Node,
    scope: Scope,
    condition: Node | None,
    step: Node | None,
    rounds: Rounds | None = None,
) -> Outcome:
    rounds = rounds or Rounds(machine, node, scope)
    endless = condition is None or _is_true(condition)
    for _ in range(MAX_ROUNDS):
        if condition is not None:
            when_true, when_false = test(machine, condition, scope)
            if when_true is None or not machine.possible(when_true):
                return rounds.finish()
            if when_false is not None and when_true:
                rounds.repeat(when_true, None, step)
                return rounds.finish()
        certain = rounds.run(ALWAYS, None)
        if rounds.over:
            return rounds.finish()
        if step is not None:
            machine.evaluate(step, scope)
        if endless and not certain:
            break
        if endless and not _can_leave(node):
            return rounds.finish(ends=False)
    text = machine.text(condition, scope) if condition is not None else "the loop"
    again = machine.literal(("while", machine.fresh()), f"{text} goes on")
    rounds.repeat(frozenset([(again, True)]), None, step)
    return rounds.finish(ends=not endless)


def _is_true(condition: Node) -> bool:
    parts = children(condition) if condition.type == "parenthesized_expression" else [condition]
    return bool(parts) and parts[0].type == "true"


class Rounds:
    """The rounds of one loop and the ways they left it. `over`: no further round can follow."""

    def __init__(self, machine: Machine, node: Node, scope: Scope) -> None:
        self.machine = machine
        self.node = node
        self.scope = scope
        self.body = node.child_by_field_name("body")
        self.entry = machine.mark()
        self.exits: list[tuple[str, Presence]] = []
        self.over = False
        self.left: str | None = None
        self.may_break = False
        self.label, machine.label = machine.label, None
        self.copies = False
        """Whether each round has its own variables of the loop, which closures keep."""

    def run(self, presence: Presence, bind: Round | None) -> bool:
        """One round under a condition. The result tells whether all of it was certain."""
        machine = self.machine
        before = machine.present - self.entry[0]
        mark = machine.mark()
        machine.add(presence)
        inner = Scope("block", self.scope.qualified, self.scope, machine.present)
        if bind is not None:
            bind(inner)
        if self.copies:
            inner.names.update(self.scope.names)
        outcome = machine.execute([self.body] if self.body is not None else [], inner)
        outcome = self._own(outcome)
        machine.restore(mark)
        if self.copies:
            own = self.scope.names.keys()
            self.scope.names.update((n, v) for n, v in inner.names.items() if n in own)
        ways = _ways(outcome)
        kinds = {kind for kind, _ in ways}
        self.may_break |= "break" in kinds
        self.exits += [(k, before | presence | p) for k, p in ways if _leaves_more(k)]
        ends = outcome.kind == "break" or (outcome.kind is not None and _leaves_more(outcome.kind))
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

    def _own(self, outcome: Outcome) -> Outcome:
        """Ways out that name this loop are ways out of this loop."""
        if self.label is None:
            return outcome
        named = {f"break {self.label}": "break", f"continue {self.label}": "continue"}
        exits = tuple((named.get(kind, kind), presence) for kind, presence in outcome.exits)
        kind = outcome.kind
        return Outcome(named.get(kind, kind) if kind is not None else None, exits)

    def _stay(self, ways: list[tuple[str, Presence]], presence: Presence) -> None:
        """Further rounds happen only where the earlier ones did not leave the loop."""
        for kind, literals in ways:
            if not presence | literals:
                continue
            if kind == "break" or (_leaves_more(kind) and kind != "raise"):
                self.machine.add(negated(presence | literals))
            elif kind == "raise":
                self.machine.assume(negated(presence | literals))

    def repeat(self, presence: Presence, bind: Round | None, step: Node | None = None) -> None:
        """One round that stands for any number of them.

        What a round hands on to the next one is unknown in it.
        """
        parts = [part for part in (self.body, step) if part is not None]
        machine = self.machine
        mark = machine.mark()
        machine.add(presence)
        written, read = _names(parts, self.scope)
        self._forget(written)
        machine.restore(mark)
        held = self._containers(read)
        self.run(presence, bind)
        for container, size in held:
            parts_now: list[Item] | list[Entry] = (
                container.items if isinstance(container, Sequence) else container.entries
            )
            if len(parts_now) != size and container.rest is None:
                reason = "added in a loop of unknown length"
                container.rest = Unknown(reason, container.origin)

    def _forget(self, names: set[str]) -> None:
        """Names that a round writes, and that stand for something before it."""
        machine = self.machine
        for name in sorted(names):
            current = self.scope.bound(name)
            if not isinstance(current, Const | Choice | Unknown):
                continue
            reason = f"`{name}` changes from round to round"
            unknown = Unknown(reason, current.origin)
            self.scope.assign(name, unknown, machine.present, current.origin)

    def _containers(self, names: set[str]) -> list[tuple[Sequence | Mapped, int]]:
        """The containers that the body mentions, with their sizes."""
        found: list[tuple[Sequence | Mapped, int]] = []
        for name in sorted(names):
            value = self.scope.bound(name)
            for _, single in alternatives(value) if value is not None else []:
                if isinstance(single, Sequence):
                    found.append((single, len(single.items)))
                elif isinstance(single, Mapped):
                    found.append((single, len(single.entries)))
        return found

    def finish(self, *, ends: bool = True) -> Outcome:
        """What the whole loop did. `ends` is false when only `break` and the like leave it."""
        self.machine.restore(self.entry)
        kind = self.left
        if kind is None and not ends and not self.may_break and not self.over:
            kind = "raise"
        return Outcome(kind, tuple(self.exits))


def _leaves_more(kind: str) -> bool:
    """Whether a way out of a round leaves more than its loop."""
    return kind in ("return", "raise") or " " in kind


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


def _names(parts: list[Node], scope: Scope) -> tuple[set[str], set[str]]:
    """The names that code writes and reads."""
    written: set[str] = set()
    read: set[str] = set()
    text = scope.module.parsed.text_of
    for part in parts:
        for node in walk(part):
            target: Node | None = None
            if node.type in ("assignment_expression", "augmented_assignment_expression"):
                target = node.child_by_field_name("left")
            elif node.type == "update_expression":
                target = node.child_by_field_name("argument")
            if target is not None and target.type == "identifier":
                written.add(text(target))
            if node.type == "identifier":
                read.add(text(node))
    return written, read


def _can_leave(node: Node) -> bool:
    """Whether some statement in a loop's body may end the loop."""
    leaving = ("break_statement", "return_statement", "throw_statement")
    return any(inner.type in leaving for inner in walk(node))
