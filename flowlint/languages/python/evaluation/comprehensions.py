"""Comprehensions and generator expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from flowlint.languages.python.evaluation.assigning import assign, elements
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.languages.python.evaluation.sequences import unique
from flowlint.languages.python.evaluation.testing import test
from flowlint.values.model import Entry, Item, Mapped, Sequence, Unknown, Value

MAX_INNER = 500
"""Elements of all comprehensions within one: what has more is data, and no part of a flow."""


def comprehension(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    """The container that a comprehension makes."""
    if scope.kind == "comprehension":
        if machine.inner_elements <= 0:
            return Unknown("more elements than are followed", machine.origin(node, scope))
        made = _made(machine, node, scope)
        size = len(made.entries if isinstance(made, Mapped) else made.items)
        machine.inner_elements -= size
        return made
    before, machine.inner_elements = machine.inner_elements, MAX_INNER
    try:
        return _made(machine, node, scope)
    finally:
        machine.inner_elements = before


def _made(machine: Machine, node: ast.expr, scope: Scope) -> Mapped | Sequence:
    origin = machine.origin(node, scope)
    inner = Scope("comprehension", scope.qualified, scope, machine.present)
    if isinstance(node, ast.DictComp):
        mapped = Mapped([], origin)

        def add_entry() -> None:
            key, value = machine.evaluate(node.key, inner), machine.evaluate(node.value, inner)
            mapped.entries.append(Entry(key, value, machine.present - inner.presence))

        mapped.rest = _generate(machine, node.generators, 0, inner, add_entry)
        return mapped
    assert isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp)
    made = Sequence("set" if isinstance(node, ast.SetComp) else "list", [], origin)

    def add_item() -> None:
        value = machine.evaluate(node.elt, inner)
        made.items.append(Item(value, machine.present - inner.presence))

    made.rest = _generate(machine, node.generators, 0, inner, add_item)
    made.lazy = isinstance(node, ast.GeneratorExp)
    if made.kind == "set":
        made.items = unique(made.items)
    return made


def _generate(
    machine: Machine,
    generators: list[ast.comprehension],
    depth: int,
    scope: Scope,
    emit: Callable[[], None],
) -> Unknown | None:
    """Run the loops of a comprehension; the result stands for elements that are not known."""
    if depth == len(generators):
        emit()
        return None
    generator = generators[depth]
    iterable = machine.evaluate(generator.iter, scope)
    items, rest = elements(machine, iterable, machine.origin(generator.iter, scope))
    for item in items:
        machine.steps -= 1
        mark = machine.mark()
        machine.add(item.presence - machine.known)
        assign(machine, generator.target, item.value, scope)
        if _passes(machine, generator.ifs, scope):
            inner_rest = _generate(machine, generators, depth + 1, scope, emit)
            rest = rest or inner_rest
        machine.restore(mark)
    return rest


def _passes(machine: Machine, conditions: list[ast.expr], scope: Scope) -> bool:
    for condition in conditions:
        when_true, _ = test(machine, condition, scope)
        if when_true is None or not machine.possible(when_true):
            return False
        machine.add(when_true)
    return True
