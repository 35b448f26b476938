"""Calls in a body: of functions of the project, of what JavaScript has, of what is out of sight."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Names, change
from flowlint.languages.bodies.tables import spread
from flowlint.languages.typescript.bodies import methods
from flowlint.languages.typescript.bodies.arguments import arguments, escape
from flowlint.languages.typescript.bodies.closures import call_closure
from flowlint.languages.typescript.bodies.frame import Closure, Frame, frame_of
from flowlint.languages.typescript.bodies.patterns import bind_parameters
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Given, Givens, Made, Opaque, Plain, Table, Thing
from flowlint.values.model import Class, External, Function

if TYPE_CHECKING:
    from tree_sitter import Node

READING = ("console.", "JSON.stringify", "Array.isArray", "Math.", "Number", "parseInt", "String.")
"""Functions of JavaScript that keep and change nothing of what they are given."""

TRUTHS = frozenset({"Boolean", "Array.isArray", "Number.isInteger", "Object.hasOwn"})

LOOKED_THROUGH = frozenset({"Object.freeze", "Object.seal", "Promise.resolve", "structuredClone"})


def call(frame: Frame, node: Node, names: Names) -> Givens:
    """What a call gives."""
    callee = node.child_by_field_name("function")
    if callee is None:
        return frame.opaque("a call", node)
    while callee.type in ("parenthesized_expression", "non_null_expression"):
        inner = children(callee)
        if not inner:
            break
        callee = inner[0]
    if callee.type in ("member_expression", "subscript_expression"):
        return methods.call_method(frame, callee, node, names, called)
    if callee.type in ("super", "import"):
        arguments(frame, node, names)
        return frame.opaque("what a call gives", node)
    found = [
        called(frame, one, node, names, frame.text(callee)[:60])
        for one in frame.evaluate(callee, names)
    ]
    return joined(*found) if found else frame.opaque("what a call gives", node)


def called(frame: Frame, callee: Given, node: Node, names: Names, shown: str) -> Givens:
    """What calling one value gives."""
    thing = callee.value if isinstance(callee, Thing) else None
    if isinstance(thing, Closure):
        given = arguments(frame, node, names)
        if given is not None:
            return call_closure(frame, thing, given, node)
    elif isinstance(thing, Function):
        return _follow(frame, thing, node, names)
    elif isinstance(thing, External):
        return _outside(frame, thing.qualified, node, names)
    given = arguments(frame, node, names) or []
    for held in given:
        escape(frame, held, names)
    return frame.opaque(f"what `{shown}()` gives", node)


def construction(frame: Frame, node: Node, names: Names) -> Givens:
    """`new C(…)`."""
    callee = node.child_by_field_name("constructor")
    if callee is None:
        return frame.opaque("what is made", node)
    found: list[Givens] = []
    for one in frame.evaluate(callee, names):
        thing = one.value if isinstance(one, Thing) else None
        qualified = _qualified(thing)
        if qualified is not None:
            found.append(_made(frame, qualified, node, names))
            continue
        for held in arguments(frame, node, names) or []:
            escape(frame, held, names)
        found.append(frame.opaque(f"a new `{frame.text(callee)[:40]}`", node))
    return joined(*found)


def _qualified(thing: object) -> str | None:
    """What a class is called that is defined out of sight, or extends such a one."""
    if isinstance(thing, External):
        return thing.qualified
    if isinstance(thing, Class):
        return next((base.qualified for base in thing.bases if isinstance(base, External)), None)
    return None


def _follow(frame: Frame, function: Function, node: Node, names: Names) -> Givens:
    """What a function of the project returns, read with these arguments."""
    given = arguments(frame, node, names)
    definition = function.definition
    is_open = given is None or function.decorators or frame.depth >= frame.work.calls
    if is_open or not isinstance(definition, FunctionDefinition) or _runs(frame, definition):
        for held in given or []:
            escape(frame, held, names)
        return frame.opaque(f"what `{function.name}` gives", node)
    for held in given or []:
        for one in held:
            # What a function does to a container it is given is not followed back.
            change(names, one, lambda container: replace(container, more=True))
    # The second round of a loop mostly asks the same once more.
    grounds = (function, given, frame.work.doubts > 0, frame.work.tried > 0)
    earlier, known = frame.followed.get(node.id, (None, ()))
    if earlier == grounds:
        return known
    inner = frame_of(frame.work, definition, function.receiver, frame)
    begun: Names = {}
    bind_parameters(inner, definition.node, given, begun)
    found = frame.work.read(inner, begun)
    # A container is a new one each time.
    if all(isinstance(one, Plain | Opaque) for one in found):
        frame.followed[node.id] = grounds, found
    return found


def _runs(frame: Frame, definition: FunctionDefinition) -> bool:
    around: Frame | None = frame
    while around is not None:
        if around.node.id == definition.node.id:
            return True
        around = around.caller
    return False


def _outside(frame: Frame, qualified: str, node: Node, names: Names) -> Givens:
    """What a function outside of the project gives."""
    if qualified == "Object.assign":
        given = arguments(frame, node, names)
        if given and len(given[0]) == 1 and isinstance(given[0][0], Table):
            table = given[0][0]
            for held in given[1:]:
                table = spread(table, held, frame.span(node))
            change(names, given[0][0], lambda _: table)
            return (table,)
    if qualified in TRUTHS:
        arguments(frame, node, names)
        return frame.either(node)
    if qualified in LOOKED_THROUGH:
        given = arguments(frame, node, names)
        return given[0] if given else frame.undefined(node)
    if qualified.startswith(READING) or qualified in ("Object.keys", "String"):
        arguments(frame, node, names)
        return frame.opaque(f"what `{qualified}()` gives", node)
    return _made(frame, qualified, node, names)


def _made(frame: Frame, qualified: str, node: Node, names: Names) -> Givens:
    given = arguments(frame, node, names)
    for held in given or []:
        escape(frame, held, names)
    named = {str(number): held for number, held in enumerate(given or [])}
    return (Made(qualified, named, frame.span(node), more=given is None),)
