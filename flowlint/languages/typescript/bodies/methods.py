"""Methods that are called in a body: of arrays, texts, objects and of what is out of sight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Names, change
from flowlint.languages.typescript.bodies.arguments import arguments, escape
from flowlint.languages.typescript.bodies.closures import call_closure
from flowlint.languages.typescript.bodies.frame import Closure, Frame
from flowlint.languages.typescript.bodies.members import member
from flowlint.values.bodies import Given, Givens, Parameter, Plain, Row, Table, Thing

if TYPE_CHECKING:
    from tree_sitter import Node

Called = Callable[[Frame, Given, "Node", Names, str], Givens]

GOING_THROUGH = frozenset(
    {"every", "filter", "find", "findIndex", "findLast", "flatMap", "forEach", "map", "some"}
)
"""Methods of arrays that call a function with every element."""

ASKING = frozenset(
    {"endsWith", "every", "has", "hasOwnProperty", "includes", "some", "startsWith", "test"}
)
"""Methods that give a truth value."""

SAME = frozenset({"reverse", "slice", "sort", "toReversed", "toSorted"})
"""Methods of arrays that give the same elements, or some of them."""

TEXTS: dict[str, Callable[[str], str]] = {
    "toLowerCase": str.lower,
    "toUpperCase": str.upper,
    "trim": str.strip,
}  # fmt: skip


def call_method(frame: Frame, callee: Node, node: Node, names: Names, called: Called) -> Givens:
    """What `a.b(…)` gives."""
    owner_node = callee.child_by_field_name("object")
    name_node = callee.child_by_field_name("property")
    if owner_node is None:
        return frame.opaque("what a call gives", node)
    if name_node is None:
        found = [called(frame, one, node, names, "…") for one in frame.evaluate(callee, names)]
        return joined(*found)
    name = frame.text(name_node)
    owners = frame.evaluate(owner_node, names)
    given = arguments(frame, node, names)
    results = [_of_one(frame, owner, name, callee, node, names, given, called) for owner in owners]
    return joined(*results)


def _of_one(
    frame: Frame,
    owner: Given,
    name: str,
    callee: Node,
    node: Node,
    names: Names,
    given: list[Givens] | None,
    called: Called,
) -> Givens:
    if isinstance(owner, Row):
        return _of_row(frame, owner, name, node, names, given)
    if isinstance(owner, Plain):
        return _of_constant(frame, owner, name, node)
    if isinstance(owner, Thing | Table):
        held = member(frame, owner, name, callee)
        one = held[0] if len(held) == 1 else None
        if isinstance(one, Thing):
            return called(frame, one, node, names, name)
        return _of_unknown(frame, name, node, names, given)
    if isinstance(owner, Parameter):
        if owner.path:
            is_asked = callee.child_by_field_name("optional_chain") is not None
            if not is_asked:
                frame.need(owner)
            return _of_unknown(frame, name, node, names, given, owner.path[0])
        frame.read_of(owner, name, callee.child_by_field_name("property") or callee, "dot")
    return _of_unknown(frame, name, node, names, given)


def _of_unknown(
    frame: Frame,
    name: str,
    node: Node,
    names: Names,
    given: list[Givens] | None,
    read: str | None = None,
) -> Givens:
    """What a method gives of something that is not known; `read`: the key that it came from."""
    result = _go_through(frame, name, given, None, node)
    if result is not None and name in ("flatMap", "map"):
        is_flat = name == "flatMap" and len(result) == 1 and isinstance(result[0], Row)
        items = result[0].items if is_flat and isinstance(result[0], Row) else (result,)
        return (Row("list", items, frame.span(node), False, True, frame.work.number()),)
    for held in given or []:
        escape(frame, held, names)
    if name in ASKING:
        return frame.either(node)
    return frame.opaque(f"what `{name}()` gives", node, read)


def _go_through(
    frame: Frame, name: str, given: list[Givens] | None, element: Givens | None, node: Node
) -> Givens | None:
    """What a function gives that is called for every element, None where none is seen."""
    if name not in GOING_THROUGH or not given or len(given[0]) != 1:
        return None
    act = given[0][0]
    if not isinstance(act, Thing) or not isinstance(act.value, Closure):
        return None
    value = element if element is not None else frame.opaque("an element", node)
    return call_closure(frame, act.value, [value, frame.opaque("a number", node)], node)


def _of_row(
    frame: Frame, row: Row, name: str, node: Node, names: Names, given: list[Givens] | None
) -> Givens:
    if name in ("push", "unshift"):
        added = tuple(given or ())
        is_many = bool(frame.jumps) or frame.depth > 0

        def push(held: Table | Row) -> Given:
            if isinstance(held, Table):
                return held
            # What a loop pushes again and again is there any number of times.
            items = (*held.items, *(item for item in added if item not in held.items))
            more = held.more or given is None
            return replace(held, items=items, repeated=held.repeated or is_many, more=more)

        change(names, row, push)
        return frame.opaque("a number", node)
    if name in ASKING and name not in GOING_THROUGH:
        return frame.either(node)
    elements = joined(*row.items) if row.items else ()
    if row.more:
        elements = joined(elements, frame.opaque("an element", node))
    if name in SAME:
        return (row,) if name != "slice" else (replace(row, repeated=True),)
    if name == "concat":
        return (_concatenated(frame, row, given, node),)
    if name == "at" and elements:
        return joined(elements, frame.undefined(node, sure=False))
    result = _go_through(frame, name, given, elements, node)
    span = frame.span(node)
    if name in ("every", "some"):
        return frame.either(node)
    if name == "filter":
        return (replace(row, repeated=True, identity=frame.work.number()),)
    if name in ("find", "findLast"):
        return joined(elements, frame.undefined(node, sure=False))
    if name == "map" and result is not None:
        return (Row("list", (result,), span, row.more, True, frame.work.number()),)
    if name == "forEach":
        return frame.undefined(node)
    for held in given or []:
        escape(frame, held, names)
    return frame.opaque(f"what `{name}()` gives", node)


def _concatenated(frame: Frame, row: Row, given: list[Givens] | None, node: Node) -> Row:
    items, more, repeated = list(row.items), row.more or given is None, row.repeated
    for held in given or []:
        if len(held) == 1 and isinstance(held[0], Row):
            items += held[0].items
            more, repeated = more or held[0].more, repeated or held[0].repeated
        else:
            frame.leak(held)
            more = True
    return Row("list", tuple(items), frame.span(node), more, repeated, frame.work.number())


def _of_constant(frame: Frame, owner: Plain, name: str, node: Node) -> Givens:
    act = TEXTS.get(name)
    if act is not None and isinstance(owner.value, str):
        return (Plain(act(owner.value), frame.span(node)),)
    if name == "toString" and isinstance(owner.value, str):
        return (owner,)
    if name in ASKING:
        return frame.either(node)
    return frame.opaque(f"what `{name}()` gives", node)
