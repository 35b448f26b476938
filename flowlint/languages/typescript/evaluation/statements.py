"""Statements: declarations, branches, loops, and how control leaves a block."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.typescript.evaluation import functions
from flowlint.languages.typescript.evaluation.annotations import annotated
from flowlint.languages.typescript.evaluation.assigning import assign, set_element
from flowlint.languages.typescript.evaluation.attempts import run_try
from flowlint.languages.typescript.evaluation.branching import branch
from flowlint.languages.typescript.evaluation.choosing import test
from flowlint.languages.typescript.evaluation.classes import define_class, define_enum
from flowlint.languages.typescript.evaluation.imports import default_value, run_whole
from flowlint.languages.typescript.evaluation.loops import run_do, run_for, run_for_in, run_while
from flowlint.languages.typescript.evaluation.machine import (
    MAX_NESTING,
    NORMAL,
    Machine,
    Outcome,
    TooMuchWorkError,
    negated,
)
from flowlint.languages.typescript.evaluation.operators import js_text
from flowlint.languages.typescript.evaluation.scopes import ModuleScope, Scope
from flowlint.languages.typescript.evaluation.switching import run_switch
from flowlint.languages.typescript.reading.module import children
from flowlint.values.model import Class, Const, Entry, External, Function, Mapped, Origin, Value

if TYPE_CHECKING:
    from tree_sitter import Node

Handler = Callable[[Machine, "Node", Scope], Outcome]

FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration"})


def execute(machine: Machine, body: list[Node], scope: Scope) -> Outcome:
    """Run statements in order, each under what the ones before left possible."""
    _hoist(machine, body, scope)
    entry = machine.mark()
    exits: list[tuple[str, Presence]] = []
    so_far: Presence = ALWAYS
    for statement in body:
        outcome = _run(machine, statement, scope)
        if outcome is NORMAL:
            continue
        for kind, literals in outcome.exits:
            exits.append((kind, so_far | literals))
        if outcome.kind:
            machine.restore(entry)
            return Outcome(outcome.kind, tuple(exits))
        for kind, literals in outcome.exits:
            staying = negated(literals)
            if kind == "raise":
                machine.assume(staying)
            else:
                machine.add(staying)
                so_far |= staying
    machine.restore(entry)
    return Outcome(None, tuple(exits)) if exits else NORMAL


def _run(machine: Machine, statement: Node, scope: Scope) -> Outcome:
    machine.steps -= 1
    if machine.steps < 0:
        raise TooMuchWorkError
    handler = HANDLERS.get(statement.type)
    if handler is None or machine.nesting >= MAX_NESTING:
        return NORMAL
    if isinstance(scope, ModuleScope):
        if statement.id in scope.ran:
            return NORMAL
        scope.ran.add(statement.id)
    machine.nesting += 1
    try:
        return handler(machine, statement, scope)
    finally:
        machine.nesting -= 1


def _hoist(machine: Machine, body: list[Node], scope: Scope) -> None:
    """Functions are bound before anything runs."""
    for statement in body:
        node: Node | None = statement
        if statement.type == "export_statement":
            node = statement.child_by_field_name("declaration")
        if node is None or node.type not in FUNCTIONS:
            continue
        name = node.child_by_field_name("name")
        if name is None:
            continue
        text = scope.module.parsed.text_of(name)
        if isinstance(scope, ModuleScope) and text in scope.names:
            continue
        scope.names[text] = functions.declared(machine, node, scope)


def _expression(machine: Machine, node: Node, scope: Scope) -> Outcome:
    for part in children(node):
        if part.type == "internal_module":
            return _namespace(machine, part, scope)
        machine.evaluate(part, scope)
    return NORMAL


def _declaration(machine: Machine, node: Node, scope: Scope) -> Outcome:
    home = scope.function() if node.type == "variable_declaration" else scope
    for part in children(node):
        name = part.child_by_field_name("name")
        if part.type != "variable_declarator" or name is None:
            continue
        value_node = part.child_by_field_name("value")
        declared = part.child_by_field_name("type")
        if value_node is None:
            if node.type == "lexical_declaration":
                value: Value = External("undefined", machine.origin(name, scope))
            else:
                continue
        else:
            value = functions.named(machine, value_node, name, scope)
        if declared is not None:
            value = annotated(machine, declared, value, scope)
        assign(machine, name, value, scope, home=home)
    return NORMAL


def _function(machine: Machine, node: Node, scope: Scope) -> Outcome:
    return NORMAL


def _class(machine: Machine, node: Node, scope: Scope) -> Outcome:
    made = define_class(machine, node, scope)
    scope.declare(made.name, made, machine.present, made.origin)
    return NORMAL


def _enum(machine: Machine, node: Node, scope: Scope) -> Outcome:
    name = node.child_by_field_name("name")
    if name is not None:
        made = define_enum(machine, node, scope)
        text = scope.module.parsed.text_of(name)
        scope.declare(text, made, machine.present, made.origin)
    return NORMAL


def _namespace(machine: Machine, node: Node, scope: Scope) -> Outcome:
    """`namespace N { export const a = 1 }` is an object with what it exports."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None:
        return NORMAL
    origin = machine.origin(name, scope)
    first, *more = scope.module.parsed.text_of(name).split(".")
    before = scope.names.get(first)
    inner = Scope("function", scope.qualified, scope, machine.present)
    if isinstance(before, Mapped) and not more:
        # What another part of it exports is in sight.
        inner.names.update(
            (js_text(one.key.value), one.value)
            for one in before.entries
            if isinstance(one.key, Const)
        )
    known = set(inner.names)
    machine.execute(children(body), inner)
    entries = [
        Entry(Const(key, origin), value) for key, value in inner.names.items() if key not in known
    ]
    for outer in reversed(more):
        entries = [Entry(Const(outer, origin), Mapped(entries, origin))]
    if isinstance(before, Mapped):
        before.entries += entries
    elif isinstance(before, Function | Class):
        for entry in entries:
            set_element(machine, before, entry.key, entry.value, origin)
    else:
        scope.declare(first, Mapped(entries, origin), machine.present, origin)
    return NORMAL


def _import(machine: Machine, node: Node, scope: Scope) -> Outcome:
    """`import "./x"`: the module is there for what it does to others."""
    if len(children(node)) == 1 and isinstance(scope, ModuleScope):
        run_whole(machine, scope, node)
    return NORMAL


def _export(machine: Machine, node: Node, scope: Scope) -> Outcome:
    declaration = node.child_by_field_name("declaration")
    if declaration is not None:
        handler = HANDLERS.get(declaration.type)
        if handler is None:
            return NORMAL
        return handler(machine, declaration, scope)
    value = node.child_by_field_name("value")
    if value is not None and isinstance(scope, ModuleScope):
        default_value(machine, scope, value)
    return NORMAL


def _return(machine: Machine, node: Node, scope: Scope) -> Outcome:
    parts = children(node)
    origin: Origin = machine.origin(node, scope)
    value = machine.evaluate(parts[0], scope) if parts else External("undefined", origin)
    if machine.frames:
        frame = machine.frames[-1]
        body = frame.definition
        declared = body.node.child_by_field_name("return_type")
        if declared is not None:
            value = annotated(machine, declared, value, body.scope)
        frame.returns.append((machine.present - frame.base, value))
    return Outcome("return")


def _throw(machine: Machine, node: Node, scope: Scope) -> Outcome:
    return Outcome("raise")


def _break(machine: Machine, node: Node, scope: Scope) -> Outcome:
    return Outcome(_jump("break", node, scope))


def _continue(machine: Machine, node: Node, scope: Scope) -> Outcome:
    return Outcome(_jump("continue", node, scope))


def _jump(word: str, node: Node, scope: Scope) -> str:
    """A way to leave a loop, with the label of the one that is meant."""
    label = node.child_by_field_name("label")
    return word if label is None else f"{word} {scope.module.parsed.text_of(label)}"


def _block(machine: Machine, node: Node, scope: Scope) -> Outcome:
    inner = Scope("block", scope.qualified, scope, machine.present)
    return machine.execute(children(node), inner)


def _if(machine: Machine, node: Node, scope: Scope) -> Outcome:
    condition = node.child_by_field_name("condition")
    then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if condition is None or then is None:
        return NORMAL
    when_true, when_false = test(machine, condition, scope)
    otherwise = children(other) if other is not None else []
    return branch(machine, [(when_true, [then]), (when_false, otherwise)], scope)


def _labeled(machine: Machine, node: Node, scope: Scope) -> Outcome:
    body, label = node.child_by_field_name("body"), node.child_by_field_name("label")
    if body is None or label is None:
        return NORMAL
    machine.label = text = scope.module.parsed.text_of(label)
    outcome = _run(machine, body, scope)
    machine.label = None
    leaving = f"break {text}"
    if leaving not in (outcome.kind, *(kind for kind, _ in outcome.exits)):
        return outcome
    kind = None if outcome.kind in (leaving, "mixed") else outcome.kind
    return Outcome(kind, tuple(one for one in outcome.exits if one[0] != leaving))


HANDLERS: dict[str, Handler] = {
    "expression_statement": _expression,
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "class_declaration": _class,
    "abstract_class_declaration": _class,
    "enum_declaration": _enum,
    "internal_module": _namespace,
    "module": _namespace,
    "export_statement": _export,
    "import_statement": _import,
    "return_statement": _return,
    "throw_statement": _throw,
    "break_statement": _break,
    "continue_statement": _continue,
    "statement_block": _block,
    "if_statement": _if,
    "for_in_statement": run_for_in,
    "for_statement": run_for,
    "while_statement": run_while,
    "do_statement": run_do,
    "try_statement": run_try,
    "switch_statement": run_switch,
    "labeled_statement": _labeled,
}
