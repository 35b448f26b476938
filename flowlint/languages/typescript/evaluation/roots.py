"""Where evaluation begins: the module itself, then the functions in it that build flows."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation.annotations import type_name
from flowlint.languages.typescript.evaluation.calling import build
from flowlint.languages.typescript.evaluation.classes import construct
from flowlint.languages.typescript.evaluation.closures import open_closures, open_to_callers
from flowlint.languages.typescript.evaluation.escaping import escape_open
from flowlint.languages.typescript.evaluation.exporting import follow_default
from flowlint.languages.typescript.evaluation.functions import call_scope, parameters_of, run
from flowlint.languages.typescript.evaluation.machine import MAX_STEPS, Machine, TooMuchWorkError
from flowlint.languages.typescript.evaluation.scopes import (
    ClassDefinition,
    FunctionDefinition,
    ModuleScope,
    Scope,
)
from flowlint.languages.typescript.reading.module import children
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Choice,
    Class,
    Entry,
    Function,
    Instance,
    Item,
    Mapped,
    Sequence,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tree_sitter import Node

MAX_ASSUMED = 120_000
"""Syntax nodes evaluated in functions of one module that nobody was seen to call."""

MAX_LOOKED_INTO = 4
"""Containers within containers that are looked into for what is not certain."""

PARAMETERS = frozenset({"required_parameter", "optional_parameter"})

PATTERNS = frozenset(
    {"object_pattern", "array_pattern", "pair_pattern", "object_assignment_pattern",
     "assignment_pattern"}
)  # fmt: skip
"""Parts of patterns that may hold defaults."""

MAX_SEARCHED = 2_000_000
"""Bytes of functions of which those are looked for that others mention."""

_WORD = re.compile(rb"[\w$]+")


def evaluate_all(machine: Machine, module: ModuleScope) -> None:
    """Run a module, then those of its functions that build flows and that nobody called."""
    body = machine.program.outline(module).statements
    _guarded(machine, module, lambda: machine.execute(body, module))
    _guarded(machine, module, lambda: follow_default(machine, module))
    if not machine.imports_systems(module.parsed):
        return
    places = _places(module, _building(machine, module))
    open_to_callers(machine, module)
    _make_instances(machine, module, places)
    _follow_all(machine, module, places)
    unsettled = [built for built in machine.built if _is_unsettled(built)]
    names = {(built.assumed or built.symbol or "").rsplit(".", 1)[-1] for built in unsettled}
    callers = [name.encode() for name in sorted(names) if name]
    if callers:
        _follow_all(machine, module, _places(module, callers))
    open_closures(machine, module)


def _building(machine: Machine, module: ModuleScope) -> set[bytes]:
    """What makes what is followed, of the packages that a module names in quotes."""
    found: set[bytes] = set()
    data = module.parsed.text.data
    for package, names in machine.followed.building.items():
        # Plain texts are found much faster than a pattern.
        name = package.encode()
        ways = (b'"%s"' % name, b"'%s'" % name, b'"%s/' % name, b"'%s/" % name)
        if name in data and any(way in data for way in ways):
            found |= names
    return found


def _make_instances(machine: Machine, module: ModuleScope, places: list[int]) -> None:
    """Make one instance, with unknown arguments, of each class that builds and that nobody made.

    Its methods are followed on that instance.
    """
    for made in list(machine.classes):
        definition = made.definition
        if made.serial in machine.constructed or not isinstance(definition, ClassDefinition):
            continue
        if definition.module is not module.parsed or not _is_within(definition.node, places):
            continue
        machine.assuming = made.name
        machine.last_built = machine.built[-1].serial if machine.built else 0
        unknown = Unknown("an argument", made.origin)
        arguments = Arguments((Argument(unknown, spread="*"),), made.origin)
        scope = definition.scope

        def act(made: Class = made, arguments: Arguments = arguments, scope: Scope = scope) -> None:
            _note_instance(machine, made, construct(machine, made, arguments, scope))

        _guarded(machine, module, act)
        machine.assuming = None
        for function in _outermost_first(_using_what_is_built(machine, definition)):
            found = function.definition
            if isinstance(found, FunctionDefinition) and found.key not in machine.entered:
                _follow(machine, module, function)


def _using_what_is_built(machine: Machine, definition: ClassDefinition) -> list[Function]:
    """The methods that do something with what is built and held by the instance."""
    methods = [machine.inner[one.key] for one in definition.methods.values()]
    found: list[Function] = []
    for function in methods:
        instance = function.receiver
        if isinstance(instance, Built):
            names = [*instance.model.fluent]
        else:
            held = instance.attributes.items() if isinstance(instance, Instance) else ()
            names = [name for name, value in held if isinstance(value, Built)]
        text = _text(function)
        if any(f"this.{name}".encode() in text for name in names):
            found.append(function)
    return found


def _note_instance(machine: Machine, made: Class, instance: Value) -> None:
    """From here on methods that nobody calls are those of this instance."""
    if not isinstance(instance, Instance | Built):
        return
    if not isinstance(made.definition, ClassDefinition):
        return
    if isinstance(instance, Instance):
        instance.stand_in = "self"
    for value in instance.attributes.values():
        if isinstance(value, Sequence | Mapped) and value.rest is None:
            value.rest = Unknown("it may be filled elsewhere", value.origin, f"#{value.serial}")
    for definition in made.definition.methods.values():
        machine.inner[definition.key].receiver = instance


def _places(module: ModuleScope, names: Iterable[bytes]) -> list[int]:
    """Where a module mentions one of some names, in order."""
    data = module.parsed.text.data
    found: list[int] = []
    for name in names:
        at = data.find(name)
        while at >= 0:
            end = at + len(name)
            if not (_is_word(data[at - 1 : at]) or _is_word(data[end : end + 1])):
                found.append(at)
            at = data.find(name, end)
    return sorted(found)


def _is_word(character: bytes) -> bool:
    return character.isalnum() or character in (b"_", b"$")


def _guarded(machine: Machine, module: ModuleScope, act: Callable[[], object]) -> None:
    """Do some evaluation; when it grows too large, what is being built stays open."""
    first = len(machine.built)
    limit = machine.steps = MAX_STEPS + len(module.parsed.text.data) // 3
    machine.reset()
    machine.frames.clear()
    machine.nesting = 0
    try:
        act()
    except (TooMuchWorkError, RecursionError):
        for built in machine.built[first:]:
            escape_open(built, built.origin)
    finally:
        machine.taken += limit - max(machine.steps, 0)


def _follow_all(machine: Machine, module: ModuleScope, places: list[int]) -> None:
    """Follow the functions around some places that nobody called, the outer ones first."""
    seen = 0
    limit = machine.taken + MAX_ASSUMED
    while machine.taken < limit:
        fresh, seen = machine.order[seen:], len(machine.order)
        pending = [
            machine.inner[key]
            for key in fresh
            if key[0] == module.parsed.serial
            and key not in machine.entered
            and _is_around(machine.inner[key], places)
        ]
        if not pending:
            return
        for function in _outermost_first(pending):
            definition = function.definition
            assert isinstance(definition, FunctionDefinition)
            if definition.key not in machine.entered and machine.taken < limit:
                _follow(machine, module, function)


def _is_around(function: Function, places: list[int]) -> bool:
    """Whether one of some places, in order, is in the text of a function."""
    definition = function.definition
    assert isinstance(definition, FunctionDefinition)
    return _is_within(definition.node, places)


def _is_within(node: Node, places: list[int]) -> bool:
    at = bisect_left(places, node.start_byte)
    return at < len(places) and places[at] < node.end_byte


def _text(function: Function) -> bytes:
    definition = function.definition
    assert isinstance(definition, FunctionDefinition)
    node = definition.node
    return definition.module.text.data[node.start_byte : node.end_byte]


def _outermost_first(pending: list[Function]) -> list[Function]:
    """Functions that no other one mentions go first, so that what they call gets arguments."""
    if sum(len(_text(function)) for function in pending) > MAX_SEARCHED:
        return pending
    words = [set(_WORD.findall(_text(function))) for function in pending]
    mentions: dict[bytes, int] = {}
    for found in words:
        for word in found:
            mentions[word] = mentions.get(word, 0) + 1
    names = [function.name.encode() for function in pending]
    inner = [mentions.get(name, 0) > (name in own) for name, own in zip(names, words, strict=True)]
    ordered = sorted(range(len(pending)), key=lambda number: inner[number])
    return [pending[number] for number in ordered]


def _follow(machine: Machine, module: ModuleScope, function: Function) -> None:
    """Evaluate a function whose arguments nobody gave: they are unknown, or its defaults."""
    definition = function.definition
    assert isinstance(definition, FunctionDefinition)
    machine.entered.add(definition.key)
    machine.assuming = function.name
    machine.last_built = machine.built[-1].serial if machine.built else 0
    first = len(machine.built)
    _run_assumed(machine, module, function, defaults=False)
    made = machine.built[first:]
    parameters = parameters_of(definition.node)
    if any(_has_default(part) for part in parameters) and any(map(_is_open, made)):
        again = len(machine.built)
        _run_assumed(machine, module, function, defaults=True)
        if len(machine.built) > again:
            how = f"`{function.name}` is taken with its default arguments"
            for built in machine.built[again:]:
                built.escapes.append((how, built.origin))
            del machine.built[first:again]
    machine.assuming = None


def _run_assumed(
    machine: Machine, module: ModuleScope, function: Function, *, defaults: bool
) -> None:
    definition = function.definition
    assert isinstance(definition, FunctionDefinition)

    def act() -> None:
        inner = call_scope(machine, function)
        for number, part in enumerate(parameters_of(definition.node)):
            _assume(machine, part, number, definition, inner, defaults=defaults)
        origin = machine.origin(definition.node, inner)
        _mark_returned(run(machine, definition, inner, origin))

    _guarded(machine, module, act)


def _has_default(part: Node) -> bool:
    """Whether a parameter, or some part of its pattern, has a default."""
    stack = [part]
    while stack:
        node = stack.pop()
        if node.type in ("object_assignment_pattern", "assignment_pattern"):
            return True
        if node.type in PARAMETERS and node.child_by_field_name("value") is not None:
            return True
        stack += [child for child in node.named_children if child.type in PATTERNS]
    return False


def _is_open(built: Built) -> bool:
    """Whether something about what was built was not certain."""
    if built.escapes:
        return True
    given = [*built.arguments.items]
    for operation in built.operations:
        if operation.presence - built.presence:
            return True
        given += operation.arguments.items
    return any(_is_unsure(item.value, 0) for item in given)


def _is_unsure(value: Value, depth: int) -> bool:
    if isinstance(value, Sequence | Mapped) and depth < MAX_LOOKED_INTO:
        parts: list[Item] | list[Entry] = (
            value.items if isinstance(value, Sequence) else value.entries
        )
        return value.rest is not None or any(
            part.presence or _is_unsure(part.value, depth + 1) for part in parts
        )
    return isinstance(value, Unknown | Choice)


def _assume(
    machine: Machine,
    part: Node,
    number: int,
    definition: FunctionDefinition,
    inner: Scope,
    *,
    defaults: bool,
) -> None:
    """Write an argument that nobody gave: unknown, or what is taken where it is not given."""
    from flowlint.languages.typescript.evaluation.assigning import assign

    pattern = part.child_by_field_name("pattern") or part
    if pattern.type == "rest_pattern" and children(pattern):
        pattern = children(pattern)[0]
    origin = machine.origin(pattern, inner)
    name = inner.module.parsed.text_of(pattern) if pattern.type == "identifier" else str(number)
    value = Unknown(f"the argument `{name}`", origin, f"{definition.qualified}:{name}")
    if pattern.type != "identifier":
        value.reason = "an argument"
    given: Value = _declared_builder(machine, part, name, inner) or value
    if defaults and _has_default(part):
        default = part.child_by_field_name("value")
        given = Mapped([], origin) if default is None else machine.evaluate(default, inner)
    assign(machine, pattern, given, inner, home=inner)


def _declared_builder(machine: Machine, part: Node, name: str, inner: Scope) -> Built | None:
    """A followed object, where the parameter is declared to be one that methods add to."""
    declared = part.child_by_field_name("type")
    node = next(iter(children(declared)), None) if declared is not None else None
    if node is not None and node.type == "generic_type":
        node = next(iter(children(node)), None)
    if node is None or node.type not in ("type_identifier", "nested_type_identifier"):
        return None
    qualified = type_name(machine, node, inner)
    model = machine.models.type_of.get(qualified) if isinstance(qualified, str) else None
    if model is None or not model.roots_flow or not model.fluent:
        return None
    built = build(machine, model, Arguments((), machine.origin(part, inner)))
    built.parameter = True
    built.name = name
    return built


def _mark_returned(value: Value) -> None:
    if isinstance(value, Built):
        value.returned = True
    elif isinstance(value, Choice):
        for _, single in value.alternatives:
            _mark_returned(single)


def _is_unsettled(built: Built) -> bool:
    """Whether a caller of the function that made it could tell more about it."""
    compiled = any(o.method in built.model.products for o in built.operations)
    handed_on = built.returned and bool(built.model.products) and not compiled
    return built.parameter or handed_on or built.assumed is not None
