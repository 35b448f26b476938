"""What happens when a class is defined: hooks of its bases, its metaclass, its decorators."""

from __future__ import annotations

import ast

from flowlint.languages.python.evaluation.attributes import bind
from flowlint.languages.python.evaluation.definitions import (
    class_body,
    class_member,
    lineage,
    metaclass_of,
)
from flowlint.languages.python.evaluation.escaping import escape_value
from flowlint.languages.python.evaluation.fields import DATACLASS_DECORATORS
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import (
    ClassDefinition,
    FunctionDefinition,
    Scope,
)
from flowlint.languages.python.nodes import walk
from flowlint.values.model import (
    Argument,
    Arguments,
    Call,
    Class,
    Const,
    External,
    Function,
    Item,
    Mapped,
    Sequence,
    Unknown,
    Value,
)

HARMLESS = DATACLASS_DECORATORS | {
    "dataclass_transform",
    "deprecated",
    "final",
    "runtime_checkable",
    "total_ordering",
    "unique",
}
"""Decorators that leave what the body of a class says, by the last part of their names."""


def finish_class(machine: Machine, node: ast.ClassDef, made: Class, scope: Scope) -> Value:
    """What the name of a class stands for once its bases and decorators had their say."""
    _by_metaclass(machine, node, made, scope)
    _by_bases(machine, node, made, scope)
    if "__set_name__" in scope.module.parsed.text:
        class_body(machine, made)
    value: Value = made
    for decorator in reversed(node.decorator_list):
        value = _decorated(machine, decorator, value, scope)
    return value


def _by_bases(machine: Machine, node: ast.ClassDef, made: Class, scope: Scope) -> None:
    """Call the `__init_subclass__` of the nearest ancestor."""
    for ancestor in lineage(made)[1:]:
        body = class_body(machine, ancestor)
        hook = body.names.get("__init_subclass__") if body is not None else None
        if isinstance(hook, Function):
            given = tuple(
                Argument(machine.evaluate(keyword.value, scope), keyword.arg)
                for keyword in node.keywords
                if keyword.arg is not None and keyword.arg != "metaclass"
            )
            arguments = Arguments(given, machine.origin(node, scope))
            machine.call(bind(hook, made), arguments, scope)
            return


def _by_metaclass(machine: Machine, node: ast.ClassDef, made: Class, scope: Scope) -> None:
    """Follow what a metaclass does to a class that it makes."""
    definition = made.definition
    assert isinstance(definition, ClassDefinition)
    for keyword in node.keywords:
        if keyword.arg == "metaclass":
            stated = machine.evaluate(keyword.value, scope)
            if isinstance(stated, Class):
                definition.metaclass = stated
            elif not (isinstance(stated, External) and stated.qualified == "abc.ABCMeta"):
                definition.altered = True
    metaclass = metaclass_of(made)
    if metaclass is None:
        return
    origin = machine.origin(node, scope)
    names: Value = Mapped([], origin, Unknown("the body of a class", origin))
    bases: Value = Sequence("tuple", [Item(base) for base in made.bases], origin)
    given = tuple(Argument(value) for value in (Const(made.name, origin), bases, names))
    for method in ("__new__", "__init__"):
        found = class_member(machine, metaclass, method)
        if found is None or not isinstance(found[0], Function):
            continue
        definition.altered |= _uses_names(found[0])
        machine.making_classes.append(made)
        try:
            if method == "__init__":
                machine.call(bind(found[0], made), Arguments(given, origin), scope)
            else:
                first = Argument(metaclass)
                machine.call(found[0], Arguments((first, *given), origin), scope)
        finally:
            machine.making_classes.pop()


def _uses_names(method: Function) -> bool:
    """Whether a metaclass does more with the body of a class than hand it on."""
    definition = method.definition
    if not isinstance(definition, FunctionDefinition):
        return True
    parameters = [arg.arg for arg in definition.node.args.args]
    body = parameters[3] if len(parameters) > 3 else None
    handed_on = {
        id(arg) for call in walk(definition.node) if isinstance(call, ast.Call) for arg in call.args
    }
    return any(
        isinstance(inner, ast.Name) and inner.id == body and id(inner) not in handed_on
        for inner in walk(definition.node)
    )


def _decorated(machine: Machine, node: ast.expr, value: Value, scope: Scope) -> Value:
    """What a decorator makes of a class."""
    bare = node.func if isinstance(node, ast.Call) else node
    name = bare.attr if isinstance(bare, ast.Attribute) else getattr(bare, "id", "")
    if name in HARMLESS:
        return value
    decorator = machine.evaluate(node, scope)
    origin = machine.origin(node, scope)
    if isinstance(decorator, External | Call | Unknown):
        if isinstance(value, Class) and isinstance(value.definition, ClassDefinition):
            value.definition.altered = True
            body = class_body(machine, value)
            for held in body.names.values() if body is not None else ():
                if not isinstance(held, Function):
                    escape_value(held, "changed by a decorator", origin, machine)
        return value
    result = machine.call(decorator, Arguments((Argument(value),), origin), scope)
    return value if isinstance(result, Unknown) else result
