"""Fields of classes whose constructor is made for them: dataclasses, named tuples, models."""

from __future__ import annotations

import ast
from typing import Literal

from flowlint.languages.python.evaluation.definitions import class_body, external_bases, lineage
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import ClassDefinition, Scope
from flowlint.values.model import Arguments, Class, External, Generic, Instance, Unknown, Value

Kind = Literal["none", "declared", "checked", "unsure"]

DATACLASS_DECORATORS = frozenset(
    {"attrib", "attributes", "attrs", "dataclass", "define", "frozen", "mutable", "s"}
)
NAMED_TUPLES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})
MODEL_BASES = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic.v1.BaseModel"})
PLAIN_BASES = frozenset(
    {"abc.ABC", "builtins.object", "typing.Generic", "typing.Protocol"}
    | {"typing_extensions.Generic", "typing_extensions.Protocol", "builtins.Exception"}
)
"""Bases that leave annotations in a class body without a meaning."""

CHANGERS = frozenset(
    {"field_validator", "model_validator", "root_validator", "validator", "model_post_init"}
)
"""What changes the fields of a model after it is made, by the last part of the name."""

REWRITING = frozenset({"alias", "validation_alias", "converter", "default_factory_takes_self"})
"""Options of a field with which its value is not what the argument of its name says."""


def kind_of(made: Class) -> Kind:
    """What annotations in the body of a class are.

    `none`: attributes of the class; `declared`: fields; `checked`: fields whose values its own
    validators may change; `unsure`: fields, perhaps, of a base that is not seen.
    """
    definition = made.definition
    if not isinstance(definition, ClassDefinition):
        return "unsure"
    if any(name.rsplit(".", 1)[-1] in DATACLASS_DECORATORS for name in definition.decorators):
        return "declared"
    if any(_qualified(base) in NAMED_TUPLES for base in made.bases):
        return "declared"
    line = lineage(made)
    outside = [
        base
        for base in external_bases(made)
        if base not in PLAIN_BASES and base not in NAMED_TUPLES
    ]
    if any(isinstance(base, Unknown) for current in line for base in current.bases):
        return "unsure"
    if not outside:
        return "none"
    if not MODEL_BASES.issuperset(outside):
        return "unsure"
    return "checked" if any(_has_validators(current) for current in line) else "declared"


def _qualified(base: Value) -> str | None:
    inner = base.base if isinstance(base, Generic) else base
    return inner.qualified if isinstance(inner, External) else None


def _has_validators(made: Class) -> bool:
    definition = made.definition
    if not isinstance(definition, ClassDefinition):
        return True
    for statement in definition.node.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            if statement.name in CHANGERS:
                return True
            for decorator in statement.decorator_list:
                if _callee_name(decorator) in CHANGERS:
                    return True
    return False


def bind_fields(machine: Machine, instance: Instance, arguments: Arguments) -> None:
    """Fields take the arguments in their order, or their defaults.

    An instance of a class outside of sight may hold anything under the names it was given.
    """
    position = 0
    kind = kind_of(instance.cls)
    for current in reversed(lineage(instance.cls)):
        own = kind_of(current)
        definition = current.definition
        if own == "none" or not isinstance(definition, ClassDefinition):
            continue
        body = class_body(machine, current)
        by_attrs = any("attr" in name or "define" in name for name in definition.decorators)
        for statement in definition.node.body:
            if not _is_field(statement):
                continue
            assert isinstance(statement, ast.AnnAssign)
            assert isinstance(statement.target, ast.Name)
            name = statement.target.id
            value = None
            if not _is_left_out(statement.value):
                argument = name.lstrip("_") if by_attrs else name
                value = arguments.get(argument, position)
                position += 1
            given = value is not None or not arguments.spread
            if value is None and given and statement.value is not None and body is not None:
                value = _default(machine, statement.value, body)
            sure = own == "declared" and kind in ("declared", "none")
            if not sure or _is_rewritten(statement.value):
                value = None
            if value is None:
                key = f"#{instance.serial}.{name}"
                value = Unknown(f"the field `{name}`", arguments.origin, key)
            instance.attributes[name] = value
    if kind == "unsure":
        for item in arguments.items:
            if item.name is not None and item.name not in instance.attributes:
                key = f"#{instance.serial}.{item.name}"
                unknown = Unknown(f"what is made of `{item.name}`", arguments.origin, key)
                instance.attributes[item.name] = unknown


def _is_field(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
        return False
    return "ClassVar" not in ast.unparse(statement.annotation)


def _default(machine: Machine, node: ast.expr, body: Scope) -> Value | None:
    """The default of a field, also where `field(…)` or `Field(…)` states it."""
    if not isinstance(node, ast.Call):
        return machine.evaluate(node, body)
    name = _callee_name(node)
    if name == "Factory" and node.args:
        return _made(machine, node.args[0], node, body)
    if name not in ("field", "Field", "ib", "attrib"):
        return machine.evaluate(node, body)
    for keyword in node.keywords:
        if keyword.arg == "default":
            return _default(machine, keyword.value, body)
        if keyword.arg in ("default_factory", "factory"):
            return _made(machine, keyword.value, node, body)
    return machine.evaluate(node.args[0], body) if node.args else None


def _made(machine: Machine, factory: ast.expr, node: ast.Call, body: Scope) -> Value:
    """What a factory of defaults makes."""
    made = machine.evaluate(factory, body)
    return machine.call(made, Arguments((), machine.origin(node, body)), body)


def _is_left_out(node: ast.expr | None) -> bool:
    """Whether a field takes no argument: `field(init=False)`."""
    return isinstance(node, ast.Call) and any(
        keyword.arg == "init"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is False
        for keyword in node.keywords
    )


def _is_rewritten(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and any(k.arg in REWRITING for k in node.keywords)


def _callee_name(node: ast.expr) -> str:
    func = node.func if isinstance(node, ast.Call) else node
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
