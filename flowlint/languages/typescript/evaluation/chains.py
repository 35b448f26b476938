"""Chains of properties, elements and calls: `a.b(c).d[e]`, taken from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation.calling import call, call_method, construct
from flowlint.languages.typescript.evaluation.classes import call_super
from flowlint.languages.typescript.evaluation.containers import (
    element,
    elements,
    is_nothing,
    remove,
)
from flowlint.languages.typescript.evaluation.imports import import_whole, required
from flowlint.languages.typescript.evaluation.literals import as_text, pieces
from flowlint.languages.typescript.evaluation.machine import Machine, TooMuchWorkError
from flowlint.languages.typescript.evaluation.operators import js_text
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.languages.typescript.reading.module import Place, children
from flowlint.values.model import (
    Argument,
    Arguments,
    Const,
    External,
    Item,
    Mapped,
    Sequence,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

INNER = {
    "member_expression": "object",
    "subscript_expression": "object",
    "call_expression": "function",
}
"""Where the left part of each kind of step is."""


def chain(machine: Machine, node: Node, scope: Scope) -> Value:
    """The value of a chain; its steps are not nested, however many there are."""
    steps: list[Node] = []
    current = node
    while current.type in INNER or current.type == "non_null_expression":
        if current.type == "non_null_expression":
            inner: Node | None = children(current)[0] if children(current) else None
        else:
            inner = current.child_by_field_name(INNER[current.type])
            steps.append(current)
        if inner is None:
            return Unknown("a chain that cannot be read", machine.origin(node, scope))
        current = inner
    steps.reverse()
    if not steps:
        return machine.evaluate(current, scope)
    if current.type in ("super", "import"):
        return _special(machine, current, steps, scope)
    value = machine.evaluate(current, scope)
    return _along(machine, value, current, steps, scope)


def _along(machine: Machine, value: Value, base: Node, steps: list[Node], scope: Scope) -> Value:
    """Take the steps of a chain from a value on."""
    at = 0
    while at < len(steps):
        step = steps[at]
        machine.steps -= 1
        if machine.steps < 0:
            raise TooMuchWorkError
        following = steps[at + 1] if at + 1 < len(steps) else None
        calls = following is not None and following.type == "call_expression"
        origin = machine.origin(step, scope)
        at += 1
        if _is_optional(step) and is_nothing(value):
            return External("undefined", origin)
        if step.type == "call_expression":
            value = _plain_call(machine, value, base, step, scope)
            continue
        key = _key(machine, step, scope)
        if calls and following is not None and _is_optional(following):
            name = js_text(key.value) if isinstance(key, Const) else None
            if name is not None and is_nothing(machine.member(value, name, origin)):
                return External("undefined", origin)
        if calls and following is not None and isinstance(key, Const):
            place = _call_place(machine, step, following, scope)
            arguments = evaluate_arguments(machine, following, scope, place)
            name = js_text(key.value)
            value = machine.for_each(
                value,
                lambda v, n=name, a=arguments, k=key: call_method(  # type: ignore[misc]
                    machine, v, n, a, scope, k.origin
                ),
                place,
            )
            at += 1
        elif isinstance(key, Const) and step.type == "member_expression":
            value = machine.member(value, js_text(key.value), origin)
        else:
            value = machine.for_each(
                value,
                lambda v, k=key, o=origin: machine.for_each(  # type: ignore[misc]
                    k,
                    lambda one: element(machine, v, one, o),
                    o,
                ),
                origin,
            )
    return value


def _call_place(machine: Machine, step: Node, call_node: Node, scope: Scope) -> Place:
    """Where a call stands: from the name of its method on, where it goes on from another call."""
    name = step.child_by_field_name("property")
    if name is not None and _holds_call(step):
        return Place(scope.module.parsed, name.start_byte, call_node.end_byte)
    return machine.origin(call_node, scope)


def _holds_call(step: Node) -> bool:
    """Whether a method is called on what another call gave."""
    inner: Node | None = step.child_by_field_name("object")
    while inner is not None and inner.type in ("member_expression", "non_null_expression"):
        if inner.type == "member_expression":
            inner = inner.child_by_field_name("object")
        else:
            inner = children(inner)[0] if children(inner) else None
    return inner is not None and inner.type in ("call_expression", "new_expression")


def _is_optional(step: Node) -> bool:
    if step.type == "call_expression":
        return step.child_count > 2 and step.children[1].type in ("?.", "optional_chain")
    return step.child_by_field_name("optional_chain") is not None


def _key(machine: Machine, step: Node, scope: Scope) -> Value:
    """The key of a step to a property or element."""
    if step.type == "member_expression":
        name = step.child_by_field_name("property")
        if name is not None:
            return Const(scope.module.parsed.text_of(name), machine.origin(name, scope))
    index = step.child_by_field_name("index")
    if index is not None:
        return machine.evaluate(index, scope)
    return Unknown("a key that cannot be read", machine.origin(step, scope))


def _plain_call(machine: Machine, callee: Value, base: Node, step: Node, scope: Scope) -> Value:
    """A call of a value that is no method."""
    origin = machine.origin(step, scope)
    if isinstance(callee, External) and callee.qualified == "require":
        arguments = evaluate_arguments(machine, step, scope, origin)
        first = arguments.get("", 0)
        if isinstance(first, Const) and isinstance(first.value, str):
            return required(machine, first.value, scope.module, origin)
        return Unknown("a module that is chosen at run time", origin)
    if isinstance(callee, External) and callee.qualified == "Symbol":
        return Unknown("a symbol", origin)
    arguments = evaluate_arguments(machine, step, scope, origin)
    return machine.for_each(callee, lambda v: call(machine, v, arguments, scope), origin)


def _special(machine: Machine, base: Node, steps: list[Node], scope: Scope) -> Value:
    """Chains that begin with `super` or `import`."""
    first = steps[0]
    origin = machine.origin(first, scope)
    rest = steps[1:]
    if base.type == "import":
        if first.type != "call_expression":
            return Unknown("what is told of this module", origin)
        arguments = evaluate_arguments(machine, first, scope, origin)
        given = arguments.get("", 0)
        if isinstance(given, Const) and isinstance(given.value, str):
            value = import_whole(machine, given.value, scope.module, origin)
        else:
            value = Unknown("a module that is chosen at run time", origin)
        return _along(machine, value, first, rest, scope)
    if first.type == "call_expression":
        arguments = evaluate_arguments(machine, first, scope, origin)
        return _along(machine, call_super(machine, None, arguments, scope), first, rest, scope)
    if rest and rest[0].type == "call_expression" and first.type == "member_expression":
        name = first.child_by_field_name("property")
        arguments = evaluate_arguments(machine, rest[0], scope, machine.origin(rest[0], scope))
        text = scope.module.parsed.text_of(name) if name is not None else ""
        value = call_super(machine, text, arguments, scope)
        return _along(machine, value, rest[0], rest[1:], scope)
    return _along(machine, Unknown("`super`", origin), first, rest, scope)


def evaluate_arguments(machine: Machine, node: Node, scope: Scope, origin: Place) -> Arguments:
    """The arguments of a call, with known spreads spread out."""
    listed = node.child_by_field_name("arguments")
    if listed is None:
        return Arguments((), origin)
    if listed.type == "template_string":
        return Arguments(_template_arguments(machine, listed, scope), origin)
    found: list[Argument] = []
    for part in children(listed):
        place = machine.origin(part, scope)
        if part.type != "spread_element":
            value = machine.evaluate(part, scope)
            found.append(Argument(value, place=place))
            continue
        inner = children(part)
        value = machine.evaluate(inner[0], scope) if inner else Unknown("a spread", place)
        items, rest = elements(machine, value, place)
        if rest is None and not any(item.presence for item in items):
            found += [Argument(item.value, place=item.place) for item in items]
        else:
            found.append(Argument(value, spread="*", place=place))
    return Arguments(tuple(found), origin)


def _template_arguments(machine: Machine, node: Node, scope: Scope) -> tuple[Argument, ...]:
    """What a tag is given: the text where it is constant, else its parts.

    The place of both is what stands between the backticks. A tag may write what is in a hole in a
    way of its own: where there are holes, the parts stand as `parts` besides, each as it is.
    """
    inside = Place(
        scope.module.parsed, node.start_byte + 1, max(node.start_byte + 1, node.end_byte - 1)
    )
    made = pieces(machine, node, scope)
    parts = [part if isinstance(part, str) else as_text(part) for part in made]
    if all(isinstance(part, str) for part in parts):
        whole = Argument(Const("".join(str(part) for part in parts), inside), place=inside)
    else:
        items = _items([part for part in parts if part != ""], inside)
        whole = Argument(Sequence("list", items, inside), place=inside)
    if len(made) == 1:
        return (whole,)
    return whole, Argument(Sequence("list", _items(made, inside), inside), "parts", place=inside)


def _items(parts: list[str | Value], place: Place) -> list[Item]:
    return [Item(Const(part, place) if isinstance(part, str) else part) for part in parts]


def construction(machine: Machine, node: Node, scope: Scope) -> Value:
    """`new C(…)`."""
    callee = node.child_by_field_name("constructor")
    origin = machine.origin(node, scope)
    if callee is None:
        return Unknown("a construction that cannot be read", origin)
    made_of = machine.evaluate(callee, scope)
    arguments = evaluate_arguments(machine, node, scope, origin)
    return machine.for_each(made_of, lambda v: construct(machine, v, arguments, scope), origin)


def delete(machine: Machine, target: Node, scope: Scope) -> None:
    """`delete a.b`: the property is gone, or may be."""
    owner_node = target.child_by_field_name("object")
    if owner_node is None or target.type not in INNER:
        return
    owner = machine.evaluate(owner_node, scope)
    key = _key(machine, target, scope)
    if isinstance(owner, Mapped):
        remove(machine, owner, key)
