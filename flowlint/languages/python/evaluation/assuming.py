"""Runs functions whose arguments nobody gave."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType

from flowlint.graph.model import ALWAYS
from flowlint.languages.python.evaluation import imports
from flowlint.languages.python.evaluation.calling import run
from flowlint.languages.python.evaluation.constructing import (
    build,
)
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import (
    FunctionDefinition,
    Scope,
)
from flowlint.values.model import (
    Arguments,
    Class,
    External,
    Function,
    Instance,
    Origin,
    Unknown,
    Value,
)


def run_with_unknowns(
    machine: Machine,
    function: Function,
    *,
    defaults: bool,
    given: Mapping[str, Value] = MappingProxyType({}),
) -> Value:
    """Evaluate a function whose arguments nobody gave: each is unknown, or its default."""
    definition = function.definition
    assert isinstance(definition, FunctionDefinition)
    node = definition.node
    machine.enter(function)
    inner = Scope("function", definition.qualified, definition.scope)
    inner.owner = definition.owner
    inner.receiver = function.receiver
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    for index, arg in enumerate([*positional, *args.kwonlyargs]):
        origin = machine.origin(arg, definition.scope)
        if index == 0 and function.receiver is not None:
            inner.names[arg.arg] = function.receiver
            continue
        if arg.arg in given:
            inner.names[arg.arg] = given[arg.arg]
            continue
        default = definition.defaults.get(arg.arg)
        if defaults and default is not None:
            inner.names[arg.arg] = default
            continue
        inner.names[arg.arg] = _parameter(machine, arg, definition, origin)
    for rest in (args.vararg, args.kwarg):
        if rest is not None:
            origin = machine.origin(rest, definition.scope)
            inner.names[rest.arg] = Unknown("more arguments", origin, rest.arg)
    return run(machine, definition, inner, machine.origin(node, definition.scope))


def _parameter(
    machine: Machine, arg: ast.arg, definition: FunctionDefinition, origin: Origin
) -> Value:
    """An argument that nobody gave: a followed object where its annotation says so."""
    key = f"{definition.qualified}:{arg.arg}"
    reason = f"the argument `{arg.arg}`"
    name = _declared_name(arg.annotation)
    if name is None:
        return Unknown(reason, origin, key)
    if name in machine.followed_names:
        declared = _declared(machine, definition, name)
        model = None
        if isinstance(declared, External):
            model = machine.models.type_of.get(declared.qualified)
        if model is not None and model.roots_flow:
            built = build(machine, model, None, Arguments((), origin))
            built.parameter = True
            built.name = arg.arg
            return built
    instance: list[Value] = []

    def stand_in() -> Value | None:
        if not instance:
            cls = _declared(machine, definition, name)
            if not isinstance(cls, Class):
                return None
            instance.append(Instance(cls, origin, stand_in="any"))
        return instance[0]

    return Unknown(reason, origin, key, stand_in)


def _declared_name(annotation: ast.expr | None) -> str | None:
    """The bare name of an annotated type."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.split("[", 1)[0].strip().rsplit(".", 1)[-1]
    bare = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return getattr(bare, "id", getattr(bare, "attr", None))


def _declared(machine: Machine, definition: FunctionDefinition, name: str) -> Value | None:
    """What a type's name stands for, also where only type checkers import it."""
    found = definition.scope.lookup(name, ALWAYS)
    return found or imports.typing_only(machine, definition.scope.module, name)
