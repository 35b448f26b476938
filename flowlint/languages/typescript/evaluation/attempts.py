"""`try` and what is done when something fails: two ways, of which one is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.graph.model import Presence
from flowlint.languages.typescript.evaluation.machine import NORMAL, Machine, Outcome
from flowlint.languages.typescript.evaluation.readers import walk
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.languages.typescript.reading.module import children
from flowlint.values.model import Unknown

if TYPE_CHECKING:
    from tree_sitter import Node

RISKS = frozenset({"call_expression", "new_expression", "await_expression", "throw_statement"})

SIMPLE = frozenset({"expression_statement", "return_statement", "throw_statement"})
"""Statements that write nothing before what may fail in them."""

WRITING = {
    "assignment_expression": "left",
    "augmented_assignment_expression": "left",
    "update_expression": "argument",
}
NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})

LEAVES = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})


def run_try(machine: Machine, node: Node, scope: Scope) -> Outcome:
    """Run a `try`: what cannot fail, then the rest of it or its handler."""
    body_node = node.child_by_field_name("body")
    handler = node.child_by_field_name("handler")
    final = node.child_by_field_name("finalizer")
    body = children(body_node) if body_node is not None else []
    inner = Scope("block", scope.qualified, scope, machine.present)
    outcome = _tried(machine, body, handler, inner)
    final_body = final.child_by_field_name("body") if final is not None else None
    if final_body is None:
        return outcome
    last = machine.execute(
        children(final_body), Scope("block", scope.qualified, scope, machine.present)
    )
    if last.kind:
        return last
    return Outcome(outcome.kind, (*outcome.exits, *last.exits))


def _tried(machine: Machine, body: list[Node], handler: Node | None, scope: Scope) -> Outcome:
    if handler is None:
        return machine.execute(body, scope)
    caught = handler.child_by_field_name("body")
    rest = children(caught) if caught is not None else []
    goes_on = not rest or rest[-1].type not in LEAVES
    at = next((n for n, part in enumerate(body) if any(w.type in RISKS for w in walk(part))), None)
    if at is None:
        return machine.execute(body, scope)
    label = machine.literal(("try", machine.fresh()), "an error is thrown")
    smooth: Presence = frozenset([(label, False)])
    before = _body(machine, body[:at], scope, refusals=goes_on)
    if before.kind:
        return before
    exits = list(before.exits)
    kinds: list[str | None] = []
    ways = [(smooth, body[at:], False), (frozenset([(label, True)]), rest, True)]
    for presence, part, is_handler in ways:
        if not machine.possible(presence):
            continue
        mark = machine.mark()
        machine.add(presence)
        inner = Scope("block", scope.qualified, scope, machine.present) if is_handler else scope
        if is_handler:
            _forget(machine, body[at:], scope)
            _bind_error(machine, handler, inner)
            outcome = machine.execute(part, inner)
        else:
            outcome = _body(machine, part, scope, refusals=goes_on)
        machine.restore(mark)
        exits += [(kind, presence | literals) for kind, literals in outcome.exits]
        kinds.append(outcome.kind)
        if outcome.kind and outcome.kind != "mixed":
            exits.append((outcome.kind, presence))
    left = all(kinds) and bool(kinds)
    kind = None if not left else kinds[0] if len(set(kinds)) == 1 else "mixed"
    return Outcome(kind, tuple(exits)) if exits or kind else NORMAL


def _forget(machine: Machine, body: list[Node], scope: Scope) -> None:
    """What was written before something failed is not known: it may have been the next to fail."""
    from flowlint.languages.typescript.evaluation.assigning import assign

    risky = [number for number, part in enumerate(body) if any(map(_is_risk, walk(part)))]
    last = body[risky[-1]] if risky else None
    is_simple = last is not None and last.type in SIMPLE
    written = body[: risky[-1] + (not is_simple)] if risky else []
    for target in (found for part in written for found in _targets(part)):
        name = scope.module.parsed.text_of(target)
        if scope.bound(name) is not None:
            origin = machine.origin(target, scope)
            assign(machine, target, Unknown("what was written before a failure", origin), scope)


def _is_risk(node: Node) -> bool:
    return node.type in RISKS


def _targets(part: Node) -> list[Node]:
    """The names that a statement writes."""
    found: list[Node] = []
    for node in walk(part):
        field = WRITING.get(node.type)
        target = node.child_by_field_name(field) if field is not None else None
        if target is not None:
            found += [one for one in walk(target) if one.type in NAMES]
    return found


def _body(machine: Machine, body: list[Node], scope: Scope, *, refusals: bool) -> Outcome:
    """Run (part of) the body; a builder from outside may refuse something, which is caught."""
    if not refusals:
        return machine.execute(body, scope)
    machine.catching.append(len(machine.built))
    try:
        return machine.execute(body, scope)
    finally:
        machine.catching.pop()


def _bind_error(machine: Machine, handler: Node, scope: Scope) -> None:
    from flowlint.languages.typescript.evaluation.assigning import assign

    parameter = handler.child_by_field_name("parameter")
    if parameter is not None:
        origin = machine.origin(parameter, scope)
        assign(machine, parameter, Unknown("what was thrown", origin), scope, home=scope)
