"""Expressions: literals, names, templates, operators and what is looked through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation import functions, literals, operators
from flowlint.languages.typescript.evaluation.annotations import annotated
from flowlint.languages.typescript.evaluation.assigning import assign, augment
from flowlint.languages.typescript.evaluation.chains import chain, construction, delete
from flowlint.languages.typescript.evaluation.choosing import either, ternary
from flowlint.languages.typescript.evaluation.classes import define_class
from flowlint.languages.typescript.evaluation.containers import elements
from flowlint.languages.typescript.evaluation.machine import ExpressionHandler, Machine
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.languages.typescript.reading.literals import number_of, unescaped
from flowlint.languages.typescript.reading.module import children
from flowlint.values.model import Const, External, Item, Unknown, Value

if TYPE_CHECKING:
    from tree_sitter import Node

SHORT_CIRCUIT = frozenset({"&&", "||", "??"})


def _number(machine: Machine, node: Node, scope: Scope) -> Value:
    text = scope.module.parsed.text_of(node)
    found = number_of(text)
    origin = machine.origin(node, scope)
    return Unknown("a number", origin) if found is None else Const(found, origin)


def _string(machine: Machine, node: Node, scope: Scope) -> Value:
    text = scope.module.parsed.text_of(node)[1:-1]
    return Const(unescaped(text), machine.origin(node, scope))


def _constant(value: bool | None) -> ExpressionHandler:
    def read(machine: Machine, node: Node, scope: Scope) -> Value:
        return Const(value, machine.origin(node, scope))

    return read


def _undefined(machine: Machine, node: Node, scope: Scope) -> Value:
    return External("undefined", machine.origin(node, scope))


def _identifier(machine: Machine, node: Node, scope: Scope) -> Value:
    if node.is_missing:
        return Unknown("nothing is there", machine.origin(node, scope))
    name = scope.module.parsed.text_of(node)
    found = scope.lookup(name, machine.known)
    if found is not None:
        return found
    origin = machine.origin(node, scope)
    if name in ("NaN", "Infinity"):
        return Const(float(name.lower().replace("infinity", "inf")), origin)
    return External(name, origin)


def _this(machine: Machine, node: Node, scope: Scope) -> Value:
    around = scope.receiver()
    if around is not None and around.this is not None:
        return around.this
    return Unknown("`this`, which is not known here", machine.origin(node, scope))


def _inner(machine: Machine, node: Node, scope: Scope) -> Value:
    """Brackets, `await`, `!`: the value is that of what is inside."""
    parts = children(node)
    if not parts:
        return Unknown("nothing is there", machine.origin(node, scope))
    return machine.evaluate(parts[0], scope)


def _cast(machine: Machine, node: Node, scope: Scope) -> Value:
    """`x as T` and `x satisfies T`: x, which may be declared as something that is followed."""
    parts = children(node)
    if not parts:
        return Unknown("nothing is there", machine.origin(node, scope))
    value = machine.evaluate(parts[0], scope)
    return annotated(machine, parts[1], value, scope) if len(parts) > 1 else value


def _assertion(machine: Machine, node: Node, scope: Scope) -> Value:
    """`<T>x`."""
    parts = children(node)
    if len(parts) < 2:
        return _inner(machine, node, scope)
    value = machine.evaluate(parts[1], scope)
    types = children(parts[0])
    return annotated(machine, types[0], value, scope) if types else value


def _sequence(machine: Machine, node: Node, scope: Scope) -> Value:
    value: Value = Unknown("nothing is there", machine.origin(node, scope))
    for part in children(node):
        value = machine.evaluate(part, scope)
    return value


def _binary(machine: Machine, node: Node, scope: Scope) -> Value:
    """Operators; what stands left of each other is taken one after the other, not nested."""
    spine: list[Node] = []
    current: Node | None = node
    while current is not None and current.type == "binary_expression":
        spine.append(current)
        current = current.child_by_field_name("left")
    if current is None:
        return Unknown("nothing is there", machine.origin(node, scope))
    value = machine.evaluate(current, scope)
    for one in reversed(spine):
        operator, right = one.child_by_field_name("operator"), one.child_by_field_name("right")
        origin = machine.origin(one, scope)
        if operator is None or right is None:
            value = Unknown("an operation that is not followed", origin)
        elif operator.type in SHORT_CIRCUIT:
            left = one.child_by_field_name("left")
            value = either(machine, operator.type, value, left or one, right, scope, origin)
        else:
            value = operators.binary(
                machine, operator.type, value, machine.evaluate(right, scope), origin
            )
    return value


def _unary(machine: Machine, node: Node, scope: Scope) -> Value:
    operator, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    origin = machine.origin(node, scope)
    if operator is None or argument is None:
        return Unknown("an operation that is not followed", origin)
    if operator.type == "delete":
        delete(machine, argument, scope)
        return Const(True, origin)
    value = machine.evaluate(argument, scope)
    return operators.unary(machine, operator.type, value, origin)


def _update(machine: Machine, node: Node, scope: Scope) -> Value:
    """`x++` and the like."""
    target = node.child_by_field_name("argument")
    operator = node.child_by_field_name("operator")
    origin = machine.origin(node, scope)
    if target is None or operator is None:
        return Unknown("an operation that is not followed", origin)
    before = machine.evaluate(target, scope)
    step = Const(1, origin)
    after = operators.binary(machine, operator.type[:1], before, step, origin)
    assign(machine, target, after, scope)
    return after if node.children[0].id == operator.id else before


def _assignment(machine: Machine, node: Node, scope: Scope) -> Value:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return Unknown("an assignment that cannot be read", machine.origin(node, scope))
    value = functions.named(machine, right, left, scope)
    assign(machine, left, value, scope)
    return value


def _augmented(machine: Machine, node: Node, scope: Scope) -> Value:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return Unknown("an assignment that cannot be read", machine.origin(node, scope))
    return augment(machine, node, scope)


def _regex(machine: Machine, node: Node, scope: Scope) -> Value:
    return Unknown("a regular expression", machine.origin(node, scope))


def _markup(machine: Machine, node: Node, scope: Scope) -> Value:
    return Unknown("markup", machine.origin(node, scope))


def _yield(machine: Machine, node: Node, scope: Scope) -> Value:
    origin = machine.origin(node, scope)
    frame = machine.frames[-1] if machine.frames else None
    for part in children(node):
        value = machine.evaluate(part, scope)
        if frame is None or frame.yields is None:
            continue
        under = machine.present - frame.base
        if any(child.type == "*" for child in node.children):
            items, rest = elements(machine, value, origin)
            frame.yields.items += [Item(i.value, i.presence | under, i.place) for i in items]
            frame.yields.rest = frame.yields.rest or rest
        else:
            frame.yields.items.append(Item(value, under, machine.origin(part, scope)))
    return Unknown("what a generator is given", origin)


def _class(machine: Machine, node: Node, scope: Scope) -> Value:
    return define_class(machine, node, scope)


HANDLERS: dict[str, ExpressionHandler] = {
    "number": _number,
    "string": _string,
    "template_string": literals.template,
    "true": _constant(True),
    "false": _constant(False),
    "null": _constant(None),
    "undefined": _undefined,
    "identifier": _identifier,
    "shorthand_property_identifier": _identifier,
    "this": _this,
    "parenthesized_expression": _inner,
    "await_expression": _inner,
    "non_null_expression": _inner,
    "instantiation_expression": _inner,
    "as_expression": _cast,
    "satisfies_expression": _cast,
    "type_assertion": _assertion,
    "sequence_expression": _sequence,
    "object": literals.mapping,
    "array": literals.array,
    "member_expression": chain,
    "subscript_expression": chain,
    "call_expression": chain,
    "new_expression": construction,
    "arrow_function": functions.expression,
    "function_expression": functions.expression,
    "generator_function": functions.expression,
    "class": _class,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "update_expression": _update,
    "ternary_expression": ternary,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _augmented,
    "regex": _regex,
    "jsx_element": _markup,
    "jsx_self_closing_element": _markup,
    "yield_expression": _yield,
}

LEAVES = frozenset({_number, _string, _undefined, _identifier, _this})
"""Handlers of what holds no other expression."""
