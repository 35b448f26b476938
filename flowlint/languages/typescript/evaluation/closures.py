"""Functions that nobody was seen to call, and what they could change."""

from __future__ import annotations

import re

from flowlint.languages.typescript.evaluation.changing import changed_by
from flowlint.languages.typescript.evaluation.classes import lineage
from flowlint.languages.typescript.evaluation.containers import is_declared
from flowlint.languages.typescript.evaluation.late_writes import late_writes_of
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, ModuleScope, Scope
from flowlint.values.model import (
    Built,
    Choice,
    Function,
    Instance,
    Mapped,
    Origin,
    Sequence,
    Unknown,
    Value,
)


def is_finished(built: Built) -> bool:
    """Whether something was made of a flow already."""
    return any(operation.method in built.model.products for operation in built.operations)


def is_claimed(machine: Machine, built: Built, origin: Origin) -> bool:
    """Whether what happens to a flow counts: not when only an uncalled function does it.

    A flow that nothing else finishes belongs to the first such function that adds to it.
    """
    if machine.assuming is None or built.serial > machine.last_built:
        return True
    owner = machine.claims.get(built.serial)
    if owner is None and not is_finished(built):
        owner = machine.claims[built.serial] = machine.assuming
    if owner == machine.assuming:
        return True
    how = f"`{machine.assuming}` may change it, and nothing is seen to call that"
    if all(told != how for told, _ in built.escapes):
        built.escapes.append((how, origin))
    return False


def open_closures(machine: Machine, module: ModuleScope) -> None:
    """Leave open what functions could change that nobody was seen to call."""
    if not machine.built:
        return
    text = module.parsed.text.data
    held: dict[Scope, frozenset[str]] = {}
    for key in list(machine.order):
        function = machine.inner[key]
        definition = function.definition
        if key in machine.entered or not isinstance(definition, FunctionDefinition):
            continue
        if definition.module is not module.parsed:
            continue
        _open_instances(machine, function)
        names = _holders(definition.scope, held)
        if names and _mentions(text, definition, names) and _may_run(text, function):
            for value in changed_by(definition):
                _open(value, function)


def open_to_callers(machine: Machine, module: ModuleScope) -> None:
    """Leave open the containers that other modules may have filled by the time that a function of
    this one runs: by a function that it exports, or a method of what it exports, and never calls
    itself.
    """
    text = module.parsed.text.data
    exported = {local for local, _ in machine.program.outline(module).exports.values()}
    for key in list(machine.order):
        function = machine.inner[key]
        definition = function.definition
        if key in machine.entered or not isinstance(definition, FunctionDefinition):
            continue
        if definition.module is not module.parsed or _is_named_again(text, function):
            continue
        if function.name in exported:
            for value in changed_by(definition):
                if isinstance(value, Mapped | Sequence):
                    _open(value, function)
        elif definition.owner is not None:
            for name in exported & module.names.keys():
                held = module.names[name]
                if isinstance(held, Instance) and _has(held, definition):
                    _open_attributes(machine, held, function, definition)


def _has(held: Instance, definition: FunctionDefinition) -> bool:
    """Whether a method is one of an instance."""
    return any(one is definition.owner for one in lineage(held.cls))


def _open_attributes(
    machine: Machine, held: Instance, function: Function, definition: FunctionDefinition
) -> None:
    """Leave open what a method writes of an instance."""
    written = late_writes_of(machine, definition.module).properties
    text = definition.module.text_of(definition.node)
    for attribute, value in held.attributes.items():
        if attribute in written and f"this.{attribute}" in text:
            _open(value, function)


def _is_named_again(text: bytes, function: Function) -> bool:
    return len(re.findall(rf"\b{re.escape(function.name)}\b".encode(), text)) > 1


def _open_instances(machine: Machine, function: Function) -> None:
    """Leave open the builders whose class has a method that nobody calls and that changes them."""
    definition = function.definition
    assert isinstance(definition, FunctionDefinition)
    heirs = [one for one in machine.built if one.cls is not None]
    if not heirs or definition.owner is None:
        return
    start, end = definition.node.start_byte, definition.node.end_byte
    if b"this" in definition.module.text.data[start:end]:
        for built in heirs:
            if built.cls is not None and any(one is definition.owner for one in lineage(built.cls)):
                _open(built, function)


def _holders(scope: Scope, known: dict[Scope, frozenset[str]]) -> frozenset[str]:
    """The names seen from a scope under which there is what could be changed."""
    if scope not in known:
        own = frozenset(
            name
            for name, value in scope.names.items()
            if isinstance(value, Built | Choice | Mapped | Sequence)
        )
        known[scope] = own | (_holders(scope.parent, known) if scope.parent else frozenset())
    return known[scope]


def _mentions(text: bytes, definition: FunctionDefinition, names: frozenset[str]) -> bool:
    """Whether a function does something with a property or element of one of some names."""
    words = "|".join(sorted(map(re.escape, names)))
    pattern = re.compile(rf"\b(?:{words})\s*[!?]?[.\[,]".encode())
    return pattern.search(text, definition.node.start_byte, definition.node.end_byte) is not None


def _may_run(text: bytes, function: Function) -> bool:
    """Whether a function could run: not where no other text of the module names it."""
    definition = function.definition
    assert isinstance(definition, FunctionDefinition)
    if not definition.node.type.endswith("function_declaration"):
        return True
    return len(re.findall(rf"\b{re.escape(function.name)}\b".encode(), text)) > 1 or (
        text[: definition.node.start_byte].rstrip().endswith((b"export", b"default"))
    )


def _open(value: Value, function: Function) -> None:
    how = f"`{function.name}` may change it"
    if isinstance(value, Choice):
        for _, single in value.alternatives:
            _open(single, function)
    elif isinstance(value, Built):
        if not is_declared(value) and not is_finished(value) and value.model.fluent:
            value.escapes.append((how, function.origin))
    elif isinstance(value, Mapped | Sequence) and value.rest is None:
        value.rest = Unknown(how, value.origin, f"#{value.serial}")
