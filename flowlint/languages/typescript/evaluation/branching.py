"""Several ways, of which one is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.graph.model import Presence
from flowlint.languages.typescript.evaluation.machine import NORMAL, Machine, Outcome
from flowlint.languages.typescript.evaluation.scopes import Scope

if TYPE_CHECKING:
    from tree_sitter import Node


def branch(
    machine: Machine, branches: list[tuple[Presence | None, list[Node]]], scope: Scope
) -> Outcome:
    """Run every branch that is possible under its own condition."""
    possible = [(p, body) for p, body in branches if p is not None and machine.possible(p)]
    if len(possible) == 1:
        mark = machine.mark()
        machine.assume(possible[0][0])
        outcome = machine.execute(possible[0][1], scope)
        machine.restore(mark)
        return outcome
    exits: list[tuple[str, Presence]] = []
    kinds: list[str | None] = []
    for presence, body in possible:
        mark = machine.mark()
        machine.add(presence)
        outcome = machine.execute(body, scope) if body else NORMAL
        machine.restore(mark)
        exits += [(kind, presence | literals) for kind, literals in outcome.exits]
        kinds.append(outcome.kind)
        if outcome.kind and outcome.kind != "mixed":
            exits.append((outcome.kind, presence))
    if kinds and all(kinds):
        first = kinds[0] if len(set(kinds)) == 1 else "mixed"
        return Outcome(first, tuple(exits))
    return Outcome(None, tuple(exits)) if exits else NORMAL
