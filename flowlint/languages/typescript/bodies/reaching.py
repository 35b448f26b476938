"""What a function comes to run: code outside of the project, by itself or through other functions.

A function is looked at, not followed: what it names may be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.graph.model import ALWAYS
from flowlint.languages.typescript.evaluation.by_text import by_text
from flowlint.languages.typescript.evaluation.functions import parameters_of
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition
from flowlint.languages.typescript.reading.module import Place, children
from flowlint.languages.typescript.reading.queries import captured
from flowlint.values.model import Choice, External, Function, Module, Origin, Value

if TYPE_CHECKING:
    from tree_sitter import Node

    from flowlint.languages.typescript.evaluation.machine import Machine

MAX_FUNCTIONS = 24
"""Functions looked at for one question."""

_CALLEES = """
(call_expression function: (_) @callee)
(new_expression constructor: (_) @callee)
"""

_BINDING = """
(variable_declarator name: (_) @target)
(function_declaration name: (_) @target)
(class_declaration name: (_) @target)
(for_in_statement left: (_) @target)
(catch_clause parameter: (_) @target)
[(arrow_function) (function_expression)] @function
"""

HARMLESS = frozenset({"Array", "Boolean", "JSON", "Math", "Number", "Object", "String", "console"})
"""What JavaScript has that runs nothing it is given."""


@dataclass(slots=True)
class Named:
    """What one function names to run. `hidden`: it also calls what is not known."""

    outside: dict[str, Origin] = field(default_factory=dict)
    functions: list[FunctionDefinition] = field(default_factory=list)
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class _Called:
    """What a function calls, between two bytes from where it begins on.

    `base` is the name that it is or begins with, `part` what is read of that; None where it is
    more than that.
    """

    start: int
    end: int
    base: str | None = None
    part: str | None = None


@dataclass(frozen=True, slots=True)
class _Calls:
    """Where a function calls what others define. `hidden`: it also calls what it is given."""

    places: tuple[_Called, ...]
    hidden: bool


def runs(
    machine: Machine, start: FunctionDefinition, names: frozenset[str], word: str
) -> Origin | None:
    """Where the function, or one that it calls, names one of these; None where none is seen to."""
    for named, _ in _reached(machine, start, word):
        for name, origin in named.outside.items():
            if name in names:
                return origin
    return None


def may_run(machine: Machine, start: FunctionDefinition, names: frozenset[str], word: str) -> bool:
    """Whether it may run one of these. Code that is not known runs what its module speaks of."""
    return any(
        not names.isdisjoint(named.outside)
        or (named.hidden and _speaks_of(machine, definition, word))
        for named, definition in _reached(machine, start, word)
    )


def _speaks_of(machine: Machine, definition: FunctionDefinition, word: str) -> bool:
    key = (definition.module.serial, word)
    found = machine.spoken_of.get(key)
    if found is None:
        found = machine.spoken_of[key] = word.encode() in definition.module.text.data
    return found


def _reached(
    machine: Machine, start: FunctionDefinition, word: str
) -> Iterator[tuple[Named, FunctionDefinition]]:
    """What the function and all that it calls name, nearest first."""
    waiting, seen = [start], {start.key}
    for definition in waiting:
        named = _looked_at(machine, definition)
        yield named, definition
        for function in named.functions:
            if function.key not in seen and len(seen) < MAX_FUNCTIONS:
                seen.add(function.key)
                waiting.append(function)


def _looked_at(machine: Machine, definition: FunctionDefinition) -> Named:
    key = (definition.key, id(definition.scope))
    found = machine.named.get(key)
    if not isinstance(found, Named):
        found = machine.named[key] = _look_at(machine, definition)
    return found


def _look_at(machine: Machine, definition: FunctionDefinition) -> Named:
    calls = by_text(definition, "calls", _calls_in)
    named = Named(hidden=calls.hidden)
    base = definition.node.start_byte
    for called in calls.places:
        place = Place(definition.module, base + called.start, base + called.end)
        _note(named, _value_of(machine, called, place, definition), place)
    return named


def _calls_in(definition: FunctionDefinition) -> _Calls:
    own = own_names(definition)
    text, base = definition.module.text_of, definition.node.start_byte
    places: list[_Called] = []
    hidden = False
    callees = captured(definition.module, definition.node, _CALLEES).get("callee", [])
    for callee in sorted(callees, key=lambda one: (one.start_byte, -one.end_byte)):
        if not _is_own(callee, own, text):
            places.append(_called(callee, base, text))
        elif callee.type != "identifier":
            hidden = True
    return _Calls(tuple(places), hidden)


def _is_own(callee: Node, own: frozenset[str], text: Callable[[Node], str]) -> bool:
    """Whether what is called begins with a name of the function's own."""
    base: Node | None = callee
    while base is not None and base.type in ("member_expression", "subscript_expression"):
        base = base.child_by_field_name("object")
    if base is None or base.type != "identifier":
        return True
    return text(base) in own


def own_names(definition: FunctionDefinition) -> frozenset[str]:
    """The names that a function's own code binds: parameters and what it declares."""
    text = definition.module.text_of
    found: set[str] = set()
    stack = list(parameters_of(definition.node))
    body = definition.node.child_by_field_name("body")
    if body is not None:
        bound = captured(definition.module, body, _BINDING)
        stack += bound.get("target", [])
        for function in bound.get("function", ()):
            stack += parameters_of(function)
    while stack:
        node = stack.pop()
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            found.add(text(node))
        elif node.type in ("required_parameter", "optional_parameter"):
            pattern = node.child_by_field_name("pattern")
            stack += [pattern] if pattern is not None else []
        elif node.type == "pair_pattern":
            value = node.child_by_field_name("value")
            stack += [value] if value is not None else []
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            left = node.child_by_field_name("left")
            stack += [left] if left is not None else []
        elif node.type in ("array_pattern", "object_pattern", "rest_pattern"):
            stack += children(node)
    return frozenset(found)


def _called(callee: Node, base: int, text: Callable[[Node], str]) -> _Called:
    start, end = callee.start_byte - base, callee.end_byte - base
    if callee.type == "identifier":
        return _Called(start, end, text(callee))
    owner, part = callee.child_by_field_name("object"), callee.child_by_field_name("property")
    is_simple = callee.type == "member_expression" and owner is not None and part is not None
    if not is_simple or owner is None or part is None or owner.type != "identifier":
        return _Called(start, end)
    return _Called(start, end, text(owner), text(part))


def _value_of(
    machine: Machine, called: _Called, place: Place, definition: FunctionDefinition
) -> Value | None:
    """What is called, where its name is enough to tell."""
    from flowlint.languages.typescript.evaluation.resolving import resolve

    if called.base is not None:
        found = definition.scope.lookup(called.base, ALWAYS)
        if found is None:
            name = called.base if called.part is None else f"{called.base}.{called.part}"
            return External(name, place)
        if called.part is None:
            return found
    callee = definition.node.descendant_for_byte_range(place.start, place.end)
    if callee is None or callee.type != "member_expression":
        return None
    return resolve(machine, callee, definition.scope)


def _note(named: Named, value: Value | None, place: Place) -> None:
    if isinstance(value, External):
        named.outside.setdefault(value.qualified, place)
    elif isinstance(value, Function) and isinstance(value.definition, FunctionDefinition):
        named.functions.append(value.definition)
    elif isinstance(value, Choice):
        for _, one in value.alternatives:
            _note(named, one, place)
    elif not isinstance(value, Module):
        named.hidden = True
