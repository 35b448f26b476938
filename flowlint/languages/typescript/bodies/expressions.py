"""Expressions in a body: every value that they may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined, sought
from flowlint.languages.bodies.names import Names
from flowlint.languages.typescript.bodies import assigning, calls, tests
from flowlint.languages.typescript.bodies.branches import one_of
from flowlint.languages.typescript.bodies.closures import closure
from flowlint.languages.typescript.bodies.frame import MAX_NESTING, Frame
from flowlint.languages.typescript.bodies.kinds import types_of
from flowlint.languages.typescript.bodies.literals import array, mapping, template, texts
from flowlint.languages.typescript.bodies.members import element, member
from flowlint.languages.typescript.bodies.truth import is_nothing, truth
from flowlint.languages.typescript.reading.literals import number_of, unescaped
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Given, Givens, Parameter, Plain, Row, Table, Thing

if TYPE_CHECKING:
    from tree_sitter import Node

Handler = Callable[[Frame, "Node", Names], Givens]


def evaluate(frame: Frame, node: Node, names: Names) -> Givens:
    """Every value of an expression. Raises TooLongError past the limits."""
    frame.step()
    handler = _HANDLERS.get(node.type)
    if frame.work.nesting >= MAX_NESTING:
        return frame.opaque("it is nested too deeply", node)
    frame.work.nesting += 1
    try:
        if handler is not None:
            return handler(frame, node, names)
        for child in children(node):
            frame.leak(evaluate(frame, child, names))
        return frame.opaque("an expression that is not followed", node)
    finally:
        frame.work.nesting -= 1


def _number(frame: Frame, node: Node, _: Names) -> Givens:
    found = number_of(frame.text(node))
    return frame.opaque("a number", node) if found is None else (Plain(found, frame.span(node)),)


def _string(frame: Frame, node: Node, _: Names) -> Givens:
    return (Plain(unescaped(frame.text(node)[1:-1]), frame.span(node)),)


def _truth_value(frame: Frame, node: Node, _: Names) -> Givens:
    return (Plain(node.type == "true", frame.span(node)),)


def _null(frame: Frame, node: Node, _: Names) -> Givens:
    return (Plain(None, frame.span(node), member="null"),)


def _undefined(frame: Frame, node: Node, _: Names) -> Givens:
    return frame.undefined(node)


def _unfollowed(frame: Frame, node: Node, _: Names) -> Givens:
    return frame.opaque("an expression that is not followed", node)


def _name(frame: Frame, node: Node, names: Names) -> Givens:
    name = frame.text(node)
    found = names.get(name)
    if found is not None:
        return tuple(_here(given, frame, node) for given in found)
    value = frame.look_up(name)
    late = frame.late_writes()
    if value is not None and name in late.names:
        return frame.opaque(f"`{name}`, which functions write", node)
    if value is not None and name in late.grown:
        return tuple(
            replace(given, more=True) if isinstance(given, Table | Row) else given
            for given in frame.of_value(value, node)
        )
    if value is None:
        # Names that nothing in sight binds belong to JavaScript itself or to who runs it.
        return frame.of_value(frame.work.machine.evaluate(node, frame.scope), node)
    return frame.of_value(value, node)


def _here(given: Given, frame: Frame, node: Node) -> Given:
    """All of a parameter is told where it is used; constants and containers where written."""
    if isinstance(given, Parameter) and not given.path:
        return Parameter(given.number, frame.span(node))
    return given


def _this(frame: Frame, node: Node, _: Names) -> Givens:
    if frame.receiver is None:
        return frame.opaque("`this`", node)
    return (Thing(frame.receiver, frame.span(node)),)


def _inside(frame: Frame, node: Node, names: Names) -> Givens:
    """Brackets, `await`, `!`, `as`: the value is that of what is inside."""
    parts = children(node)
    return evaluate(frame, parts[0], names) if parts else frame.opaque("nothing", node)


def _assertion(frame: Frame, node: Node, names: Names) -> Givens:
    """`<T>x`."""
    parts = children(node)
    return evaluate(frame, parts[-1], names) if parts else frame.opaque("nothing", node)


def _member(frame: Frame, node: Node, names: Names) -> Givens:
    owner_node = node.child_by_field_name("object")
    name_node = node.child_by_field_name("property")
    if owner_node is None or name_node is None:
        return frame.opaque("a property", node)
    is_asked = node.child_by_field_name("optional_chain") is not None
    owners = evaluate(frame, owner_node, names)
    name = frame.text(name_node)
    return joined(*(member(frame, owner, name, node, is_asked=is_asked) for owner in owners))


def _subscript(frame: Frame, node: Node, names: Names) -> Givens:
    owner_node, index_node = node.child_by_field_name("object"), node.child_by_field_name("index")
    if owner_node is None or index_node is None:
        return frame.opaque("an element", node)
    owners = evaluate(frame, owner_node, names)
    index = evaluate(frame, index_node, names)
    is_asked = node.child_by_field_name("optional_chain") is not None
    key = sought(index)
    plain = index[0] if len(index) == 1 and isinstance(index[0], Plain) else None
    found: list[Givens] = []
    for owner in owners:
        if isinstance(owner, Parameter) and key is not None:
            how = "get" if is_asked else "dot"
            found.append((frame.read_of(owner, key, index_node, how),))  # type: ignore[arg-type]
        elif isinstance(owner, Table) and key is not None:
            found.append(element(frame, owner, key, node))
        elif isinstance(owner, Table) and not owner.more and owner.whole is None and owner.keys:
            found.append(joined(*(entry.values for entry in owner.keys)))
        elif isinstance(owner, Row) and not owner.more and not owner.repeated and owner.items:
            number = plain.value if plain is not None else None
            if isinstance(number, int) and 0 <= number < len(owner.items):
                found.append(owner.items[number])
            else:
                found.append(joined(*owner.items, frame.undefined(node, sure=False)))
        elif isinstance(owner, Thing) and key is not None:
            found.append(member(frame, owner, key, node))
        else:
            frame.leak((owner,))
            found.append(frame.opaque("an element", node))
    return joined(*found)


def _ternary(frame: Frame, node: Node, names: Names) -> Givens:
    test = node.child_by_field_name("condition")
    if test is None:
        return frame.opaque("a choice", node)
    holds, fails = tests.part(frame, test, names)
    then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    return joined(*one_of(frame, ((then, holds), (other, fails)), names))


def _binary(frame: Frame, node: Node, names: Names) -> Givens:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return frame.opaque("an operation", node)
    if operator.type in ("&&", "||", "??"):
        return _short(frame, node, left, right, operator.type, names)
    first, second = evaluate(frame, left, names), evaluate(frame, right, names)
    if operator.type == "in":
        tests.asked(frame, first, second, left)
    if operator.type in tests.COMPARISONS:
        answer = tests.compared(first, second, operator.type)
        return frame.either(node) if answer is None else (Plain(answer, frame.span(node)),)
    if operator.type == "+":
        return texts(frame, [first, second], node)
    return frame.opaque("a computed value", node)


def _short(
    frame: Frame, node: Node, left: Node, right: Node, operator: str, names: Names
) -> Givens:
    """`&&`, `||`, `??`: one of the two, by what the left one is."""
    if operator == "??":
        first = evaluate(frame, left, names)
        frame.test(first)
        kept = tuple(given for given in first if is_nothing(given) is not True)
        if first and all(is_nothing(given) is False for given in first):
            return kept
        return joined(kept, *one_of(frame, ((right, dict(names)), (None, names)), names))
    holds, fails = tests.part(frame, left, names)
    first = evaluate(frame, left, dict(names))
    stops = operator == "||"
    kept = tuple(given for given in first if truth(given) is not (not stops))
    way, past = (fails, holds) if stops else (holds, fails)
    return joined(kept, *one_of(frame, ((right, way), (None, past)), names))


def _unary(frame: Frame, node: Node, names: Names) -> Givens:
    argument, operator = node.child_by_field_name("argument"), node.child_by_field_name("operator")
    if argument is None or operator is None:
        return frame.opaque("an operation", node)
    if operator.type == "delete":
        return assigning.delete(frame, argument, node, names)
    found = evaluate(frame, argument, names)
    if operator.type in ("!", "typeof"):
        frame.test(found)
    if operator.type == "!":
        answers = {truth(given) for given in found}
        if answers in ({True}, {False}):
            return (Plain(answers == {False}, frame.span(node)),)
        return frame.either(node)
    if operator.type == "void":
        return frame.undefined(node)
    if operator.type == "typeof":
        return types_of(frame, found, node)
    if operator.type == "-" and len(found) == 1 and isinstance(found[0], Plain):
        value = found[0].value
        if isinstance(value, int | float):
            return (Plain(-value, frame.span(node)),)
    return frame.opaque("a computed value", node)


def _sequence(frame: Frame, node: Node, names: Names) -> Givens:
    found: Givens = ()
    for part in children(node):
        found = evaluate(frame, part, names)
    return found


def _spread(frame: Frame, node: Node, names: Names) -> Givens:
    return _inside(frame, node, names)


def _function(frame: Frame, node: Node, names: Names) -> Givens:
    return closure(frame, node, names)


_HANDLERS: dict[str, Handler] = {
    "array": array,
    "arrow_function": _function,
    "as_expression": _inside,
    "assignment_expression": assigning.assignment,
    "augmented_assignment_expression": assigning.augmented,
    "await_expression": _inside,
    "binary_expression": _binary,
    "call_expression": calls.call,
    "false": _truth_value,
    "function_expression": _function,
    "generator_function": _function,
    "identifier": _name,
    "member_expression": _member,
    "new_expression": calls.construction,
    "non_null_expression": _inside,
    "null": _null,
    "number": _number,
    "object": mapping,
    "parenthesized_expression": _inside,
    "regex": _unfollowed,
    "satisfies_expression": _inside,
    "sequence_expression": _sequence,
    "shorthand_property_identifier": _name,
    "spread_element": _spread,
    "string": _string,
    "subscript_expression": _subscript,
    "super": _unfollowed,
    "template_string": template,
    "ternary_expression": _ternary,
    "this": _this,
    "true": _truth_value,
    "type_assertion": _assertion,
    "unary_expression": _unary,
    "undefined": _undefined,
    "update_expression": assigning.update,
}
