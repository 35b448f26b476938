"""Assignments in a body: to names, to properties and elements, and what is deleted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Names, change
from flowlint.languages.bodies.tables import with_key
from flowlint.languages.typescript.bodies.branches import one_of
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.languages.typescript.bodies.patterns import PATTERNS, bind
from flowlint.languages.typescript.bodies.truth import is_nothing, truth
from flowlint.values.bodies import Given, Givens, Parameter, Plain, Put, Row, Table

if TYPE_CHECKING:
    from tree_sitter import Node


def assignment(frame: Frame, node: Node, names: Names) -> Givens:
    """`a = b`, also to properties and to several names at once."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return frame.opaque("an assignment", node)
    givens = frame.evaluate(right, names)
    write(frame, left, givens, names)
    return givens


def augmented(frame: Frame, node: Node, names: Names) -> Givens:
    """`a += b` and the like."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return frame.opaque("an assignment", node)
    before = frame.evaluate(left, names)
    frame.test(before)
    if operator.type in ("??=", "||=", "&&="):
        (added,) = one_of(frame, ((right, dict(names)), (None, names)), names)
    else:
        added = frame.evaluate(right, names)
    found = frame.opaque("a computed value", node)
    if operator.type == "??=":
        found = joined(tuple(given for given in before if is_nothing(given) is not True), added)
    elif operator.type == "||=":
        found = joined(tuple(given for given in before if truth(given) is not True), added, before)
    elif operator.type == "&&=":
        found = joined(before, added)
    write(frame, left, found, names)
    return found


def update(frame: Frame, node: Node, names: Names) -> Givens:
    """`x++` and the like."""
    target = node.child_by_field_name("argument")
    if target is not None:
        frame.evaluate(target, names)
        write(frame, target, frame.opaque("a number", node), names)
    return frame.opaque("a number", node)


def write(frame: Frame, target: Node, givens: Givens, names: Names) -> None:
    """Give a target values: a name, a pattern, a property or an element."""
    if target.type == "identifier" or target.type in PATTERNS:
        bind(frame, target, givens, names)
        return
    if target.type in ("parenthesized_expression", "non_null_expression", "as_expression"):
        inner = target.named_children
        if inner:
            write(frame, inner[0], givens, names)
        return
    owner_node = target.child_by_field_name("object")
    if owner_node is None:
        return
    owners = frame.evaluate(owner_node, names)
    key = _key_of(frame, target, names)
    place = frame.span(target)
    is_sure = len(owners) == 1
    for owner in owners:
        if isinstance(owner, Parameter):
            if not owner.path:
                _put(frame, owner, key, target)
        elif isinstance(owner, Table):

            def put(held: Table | Row) -> Given:
                if not isinstance(held, Table):
                    return held
                written = with_key(held, key, givens, place)
                return written if is_sure else _unsure(held, written)

            change(names, owner, put)
        else:
            change(names, owner, lambda held: replace(held, more=True))


def _unsure(before: Table, after: Table) -> Table:
    """A mapping that may be as it was, or changed."""
    known = {key.name: key for key in before.keys}
    keys = []
    for key in after.keys:
        old = known.get(key.name)
        if old is None:
            keys.append(replace(key, certain=False))
        elif old is not key:
            keys.append(replace(key, values=joined(old.values, key.values), certain=old.certain))
        else:
            keys.append(key)
    return replace(after, keys=tuple(keys))


def _key_of(frame: Frame, target: Node, names: Names) -> Givens:
    name = target.child_by_field_name("property")
    if name is not None:
        return (Plain(frame.text(name), frame.span(name)),)
    index = target.child_by_field_name("index")
    return frame.evaluate(index, names) if index is not None else ()


def _put(frame: Frame, owner: Parameter, key: Givens, node: Node) -> None:
    """Note that a key of a parameter is set."""
    texts = [given.value for given in key if isinstance(given, Plain)]
    if not texts or len(texts) != len(key) or not all(isinstance(text, str) for text in texts):
        frame.work.changed.add(owner.number)
        frame.work.grown.add(owner.number)
        return
    frame.work.puts += [Put(owner.number, str(text), frame.span(node)) for text in texts]


def delete(frame: Frame, target: Node, node: Node, names: Names) -> Givens:
    """`delete a.b`."""
    owner_node = target.child_by_field_name("object")
    for owner in frame.evaluate(owner_node, names) if owner_node is not None else ():
        change(names, owner, unsure)
        if isinstance(owner, Parameter) and not owner.path:
            frame.work.changed.add(owner.number)
    return (Plain(True, frame.span(node)),)


def unsure(held: Table | Row) -> Given:
    """A container from which something is gone; what, is not followed."""
    if not isinstance(held, Table):
        return replace(held, more=True)
    return replace(held, keys=tuple(replace(key, certain=False) for key in held.keys))
