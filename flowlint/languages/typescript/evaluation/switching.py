"""`switch`: the case that fits, and what control falls through to from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.graph.model import Presence
from flowlint.languages.typescript.evaluation.branching import branch
from flowlint.languages.typescript.evaluation.machine import Machine, Outcome, value_key
from flowlint.languages.typescript.evaluation.operators import equals
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.languages.typescript.reading.module import children
from flowlint.values.conditions import alternatives

if TYPE_CHECKING:
    from tree_sitter import Node

LEAVES = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})


def run_switch(machine: Machine, node: Node, scope: Scope) -> Outcome:
    """Each case under its condition; one that does not end runs on into the next."""
    subject, body = node.child_by_field_name("value"), node.child_by_field_name("body")
    if subject is None or body is None:
        return Outcome()
    value = machine.evaluate(subject, scope)
    cases = [part for part in children(body) if part.type.startswith("switch_")]
    text = machine.text(subject, scope).removeprefix("(").removesuffix(")")
    inner = Scope("block", scope.qualified, scope, machine.present)
    found: list[tuple[Presence, list[Node]]] = []
    excluded: Presence = frozenset()
    default: int | None = None
    for number, case in enumerate(cases):
        given = case.child_by_field_name("value")
        if given is None:
            default = number
            continue
        wanted = machine.evaluate(given, scope)
        singles = alternatives(value, machine.known)
        fits = [(presence, equals(single, wanted)) for presence, single in singles]
        if all(result is False for _, result in fits):
            continue
        certain = [presence for presence, result in fits if result is True]
        if len(fits) == 1 and certain:
            found.append((excluded, _from(cases, number)))
            default = None
            break
        if certain and not any(result is None for _, result in fits):
            for presence in certain:
                found.append((excluded | presence, _from(cases, number)))
                if len(presence) == 1:
                    ((told, holds),) = presence
                    excluded |= {(told, not holds)}
            continue
        keys = value_key(value), value_key(wanted)
        identity = (
            ("truth", f"({keys[0]} == {keys[1]})")
            if None not in keys
            else ("case", machine.fresh())
        )
        label = machine.literal(identity, f"{text} === {machine.text(given, scope)}")
        found.append((excluded | {(label, True)}, _from(cases, number)))
        excluded |= {(label, False)}
    else:
        found.append((excluded, _from(cases, default) if default is not None else []))
    outcome = branch(machine, list(found), inner)
    return _without_breaks(outcome)


def _from(cases: list[Node], number: int) -> list[Node]:
    """The statements from a case on, to the one that ends them."""
    found: list[Node] = []
    for case in cases[number:]:
        value = case.child_by_field_name("value")
        for part in children(case):
            if value is not None and part.id == value.id:
                continue
            found.append(part)
            if part.type in LEAVES or (part.type == "statement_block" and _ends(part)):
                return found
    return found


def _ends(block: Node) -> bool:
    parts = children(block)
    return bool(parts) and parts[-1].type in LEAVES


def _without_breaks(outcome: Outcome) -> Outcome:
    """`break` leaves the switch, and nothing around it."""
    exits = tuple((kind, presence) for kind, presence in outcome.exits if kind != "break")
    breaks = any(kind == "break" for kind, _ in outcome.exits)
    kind = outcome.kind
    if kind == "break" or (kind == "mixed" and breaks):
        kind = None
    return Outcome(kind, exits)
