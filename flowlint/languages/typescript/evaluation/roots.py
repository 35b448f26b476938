"""Where evaluation begins: the module itself, then the functions in it that build flows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation.escaping import escape_open
from flowlint.languages.typescript.evaluation.functions import call_scope, parameters_of, run
from flowlint.languages.typescript.evaluation.machine import MAX_STEPS, Machine, TooMuchWorkError
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, ModuleScope, Scope
from flowlint.languages.typescript.reading.module import children
from flowlint.values.model import Built, Choice, Function, Unknown, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

MAX_ROOTS = 2_000
"""Functions of one module that are followed without a call that was seen."""


def evaluate_all(machine: Machine, module: ModuleScope) -> None:
    """Run a module, then those of its functions that build flows and that nobody called."""
    body = machine.program.outline(module).statements
    _guarded(machine, module, lambda: machine.execute(body, module))
    building = _building(machine)
    if not building.search(module.parsed.text.data):
        return
    _follow_all(machine, module, lambda text: building.search(text) is not None)
    unsettled = [built for built in machine.built if _is_unsettled(built)]
    if unsettled:
        names = {
            (built.assumed or built.symbol or "").rsplit(".", 1)[-1] for built in unsettled
        } - {""}
        words = "|".join(re.escape(name) for name in sorted(names))
        callers = re.compile(rf"\b(?:{words})\s*\(".encode()) if words else None
        if callers is not None:
            _follow_all(machine, module, lambda text: callers.search(text) is not None)


def _building(machine: Machine) -> re.Pattern[bytes]:
    """What code has in it that makes what is followed."""
    names = "|".join(sorted(re.escape(name) for name in machine.followed_names)) or "(?!)"
    declaring = "|".join(sorted(re.escape(name.rsplit(".", 1)[-1]) for name in machine.declaring))
    declared = (
        rf"|[:<]\s*(?:{declaring})\b|\b(?:as|satisfies)\s+(?:{declaring})\b" if declaring else ""
    )
    return re.compile(rf"\b(?:{names})\b{declared}".encode())


def _guarded(machine: Machine, module: ModuleScope, act: Callable[[], object]) -> None:
    """Do some evaluation; when it grows too large, what is being built stays open."""
    first = len(machine.built)
    machine.steps = MAX_STEPS + len(module.parsed.text.data) // 3
    machine.reset()
    machine.frames.clear()
    machine.nesting = 0
    try:
        act()
    except (TooMuchWorkError, RecursionError):
        for built in machine.built[first:]:
            escape_open(built, built.origin)


def _follow_all(machine: Machine, module: ModuleScope, wanted: Callable[[bytes], bool]) -> None:
    """Follow the functions with a wanted text that nobody called, the outer ones first."""
    data = module.parsed.text.data
    tried: set[tuple[int, int]] = set()
    for _ in range(MAX_ROOTS):
        pending = [
            function
            for key, function in list(machine.inner.items())
            if key not in tried
            and key not in machine.entered
            and key[0] == module.parsed.serial
            and isinstance(function.definition, FunctionDefinition)
            and wanted(
                data[function.definition.node.start_byte : function.definition.node.end_byte]
            )
        ]
        if not pending:
            return
        function = _first(pending, data)
        assert isinstance(function.definition, FunctionDefinition)
        tried.add(function.definition.key)
        _follow(machine, module, function)


def _first(pending: list[Function], data: bytes) -> Function:
    """A function that no other one mentions, so that what it calls is seen with arguments."""
    for function in pending:
        definition = function.definition
        assert isinstance(definition, FunctionDefinition)
        word = re.compile(rf"\b{re.escape(function.name)}\b".encode())
        others = (
            other.definition
            for other in pending
            if other is not function and isinstance(other.definition, FunctionDefinition)
        )
        if not any(
            word.search(data, other.node.start_byte, other.node.end_byte)
            and not _holds(other.node, definition.node)
            and not _holds(definition.node, other.node)
            for other in others
        ):
            return function
    return pending[0]


def _holds(outer: Node, inner: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte


def _follow(machine: Machine, module: ModuleScope, function: Function) -> None:
    """Evaluate a function whose arguments nobody gave."""
    definition = function.definition
    assert isinstance(definition, FunctionDefinition)
    machine.entered.add(definition.key)
    machine.assuming = function.name

    def act() -> None:
        inner = call_scope(machine, function)
        for number, part in enumerate(parameters_of(definition.node)):
            _assume(machine, part, number, definition, inner)
        origin = machine.origin(definition.node, inner)
        _mark_returned(run(machine, definition, inner, origin))

    _guarded(machine, module, act)
    machine.assuming = None


def _assume(
    machine: Machine, part: Node, number: int, definition: FunctionDefinition, inner: Scope
) -> None:
    """Write an argument that nobody gave."""
    from flowlint.languages.typescript.evaluation.assigning import assign

    pattern = part.child_by_field_name("pattern") or part
    if pattern.type == "rest_pattern" and children(pattern):
        pattern = children(pattern)[0]
    origin = machine.origin(pattern, inner)
    name = inner.module.parsed.text_of(pattern) if pattern.type == "identifier" else str(number)
    value = Unknown(f"the argument `{name}`", origin, f"{definition.qualified}:{name}")
    if pattern.type != "identifier":
        value.reason = "an argument"
    assign(machine, pattern, value, inner, home=inner)


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
