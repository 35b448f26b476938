"""Names that values are bound to, also where they are taken apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined, sought
from flowlint.languages.bodies.names import Names
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.languages.typescript.bodies.truth import is_nothing
from flowlint.languages.typescript.evaluation.functions import parameters_of
from flowlint.languages.typescript.reading.literals import unescaped
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Given, Givens, Parameter, Plain, Row, Table

if TYPE_CHECKING:
    from tree_sitter import Node

PATTERNS = frozenset({"array_pattern", "assignment_pattern", "object_pattern", "rest_pattern"})


def bind(frame: Frame, pattern: Node, givens: Givens, names: Names) -> None:
    """Bind what a pattern names to values, or to parts of them."""
    if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
        names[frame.text(pattern)] = givens
    elif pattern.type == "object_pattern":
        _take_apart(frame, pattern, givens, names)
    elif pattern.type == "array_pattern":
        for number, part in enumerate(_places(pattern)):
            if part is not None:
                bind(frame, part, _element(frame, givens, number, part), names)
    elif pattern.type in ("assignment_pattern", "object_assignment_pattern"):
        _with_default(frame, pattern, givens, names)
    elif pattern.type == "rest_pattern":
        inner = children(pattern)
        if inner:
            frame.leak(givens)
            bind(frame, inner[0], frame.opaque("the rest of a value", pattern), names)


def _with_default(frame: Frame, pattern: Node, givens: Givens, names: Names) -> None:
    left, right = pattern.child_by_field_name("left"), pattern.child_by_field_name("right")
    if left is None or right is None:
        return
    bind(frame, left, or_default(frame, givens, right, names), names)


def or_default(frame: Frame, givens: Givens, default: Node, names: Names) -> Givens:
    """Values with something else for where they are `undefined`."""
    frame.test(givens)
    other = frame.evaluate(default, names)
    if givens and all(is_nothing(given) is False for given in givens):
        return givens
    return joined(tuple(given for given in givens if is_nothing(given) is not True), other)


def _places(pattern: Node) -> list[Node | None]:
    """The parts of an array pattern by their numbers, None for those left out."""
    found: list[Node | None] = []
    filled = False
    for part in pattern.children:
        if part.type == ",":
            if not filled:
                found.append(None)
            filled = False
        elif part.is_named and part.type != "comment":
            found.append(part)
            filled = True
    return found


def _element(frame: Frame, givens: Givens, number: int, node: Node) -> Givens:
    found: list[Givens] = []
    for given in givens:
        if isinstance(given, Row) and not (given.more or given.repeated):
            is_there = number < len(given.items)
            found.append(given.items[number] if is_there else frame.undefined(node))
        else:
            found.append(frame.opaque("a part of a value", node))
    return joined(*found)


def _take_apart(frame: Frame, pattern: Node, givens: Givens, names: Names) -> None:
    for part in children(pattern):
        if part.type == "rest_pattern":
            inner = children(part)
            if inner:
                frame.leak(givens)
                bind(frame, inner[0], frame.opaque("the rest of an object", part), names)
            continue
        key_node, target = _parts(part)
        if key_node is None or target is None:
            continue
        has_default = target.type in ("assignment_pattern", "object_assignment_pattern")
        key = _key(frame, key_node, names)
        held = [_property(frame, given, key, key_node, has_default) for given in givens]
        bind(frame, target, joined(*held), names)


def _parts(part: Node) -> tuple[Node | None, Node | None]:
    """The key of a property that is taken, and what it is bound to."""
    if part.type == "pair_pattern":
        return part.child_by_field_name("key"), part.child_by_field_name("value")
    if part.type == "object_assignment_pattern":
        return part.child_by_field_name("left"), part
    return part, part


def _key(frame: Frame, node: Node, names: Names) -> str | None:
    if node.type == "string":
        return unescaped(frame.text(node)[1:-1])
    if node.type == "computed_property_name":
        inner = children(node)
        return sought(frame.evaluate(inner[0], names)) if inner else None
    return frame.text(node)


def _property(frame: Frame, given: Given, key: str | None, node: Node, has_default: bool) -> Givens:
    if isinstance(given, Parameter) and key is not None:
        return (frame.read_of(given, key, node, "get" if has_default else "dot"),)
    if isinstance(given, Table) and key is not None:
        held = next((entry for entry in reversed(given.keys) if entry.name == key), None)
        if held is not None and held.certain:
            return held.values
        if held is None and not given.more and given.whole is None:
            return (Plain(None, frame.span(node)),)
    frame.leak((given,))
    return frame.opaque("a part of a value", node)


def bind_parameters(frame: Frame, function: Node, given: list[Givens] | None, names: Names) -> None:
    """Bind the parameters of a function; without arguments nothing is known of them."""
    for number, part in enumerate(parameters_of(function)):
        pattern = part.child_by_field_name("pattern") or part
        default = part.child_by_field_name("value")
        if pattern.type == "rest_pattern":
            inner = children(pattern)
            for held in (given or [])[number:]:
                frame.leak(held)
            if inner:
                bind(frame, inner[0], frame.opaque("more arguments", pattern), names)
            continue
        if given is None:
            held = frame.opaque(f"the argument `{frame.text(pattern)[:40]}`", pattern)
        else:
            held = given[number] if number < len(given) else frame.undefined(pattern)
        if default is not None:
            held = or_default(frame, held, default, names)
        bind(frame, pattern, held, names)
