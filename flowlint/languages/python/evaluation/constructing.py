"""Instances: of the types that dialects follow, of classes with and without a constructor."""

from __future__ import annotations

import ast

from flowlint.languages.python.evaluation.attributes import bind, enum_members
from flowlint.languages.python.evaluation.definitions import (
    class_body,
    class_member,
    external_bases,
    lineage,
    metaclass_of,
)
from flowlint.languages.python.evaluation.fields import PLAIN_BASES, bind_fields, kind_of
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import ClassDefinition, ModuleScope, Scope
from flowlint.values.following import ClassShape, TypeModel
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Class,
    Const,
    Entry,
    Function,
    Instance,
    Mapped,
    Unknown,
    Value,
)


def construct(machine: Machine, made: Class, arguments: Arguments, scope: Scope) -> Value:
    """The result of calling a class of the project."""
    machine.constructed.add(made.serial)
    members = enum_members(machine, made)
    if members is not None:
        return _enum_lookup(members, arguments)
    model = model_of(machine, made)
    if model is not None:
        return _construct_built(machine, model, made, arguments, scope)
    if any(base.endswith(".TypedDict") for base in external_bases(made)):
        return _typed_dict(arguments)
    metaclass = metaclass_of(made)
    if metaclass is not None and class_member(machine, metaclass, "__call__"):
        machine.escape(arguments, f"passed to the metaclass of `{made.name}`")
        return Unknown(f"what the metaclass of `{made.name}` makes", arguments.origin)
    maker = class_member(machine, made, "__new__")
    if maker is not None and isinstance(maker[0], Function):
        given = Arguments((Argument(made), *arguments.items), arguments.origin)
        result = machine.call(maker[0], given, scope)

        def initialized(single: Value) -> Value:
            if isinstance(single, Instance) and made in lineage(single.cls):
                _initialize(machine, single, arguments, scope)
            return single

        return machine.for_each(result, initialized, arguments.origin)
    instance = Instance(made, arguments.origin, machine.present)
    _initialize(machine, instance, arguments, scope)
    return instance


def _initialize(machine: Machine, instance: Instance, arguments: Arguments, scope: Scope) -> None:
    made = instance.cls
    found = constructor(machine, made)
    if found is not None:
        machine.call(bind(found, instance), arguments, scope)
    else:
        bind_fields(machine, instance, arguments)
        after = class_member(machine, made, "__post_init__")
        if after is not None and isinstance(after[0], Function):
            machine.call(bind(after[0], instance), Arguments((), arguments.origin), scope)


def raw_instance(machine: Machine, made: Class, arguments: Arguments) -> Value:
    """What `object.__new__(cls)` makes; classes with bases out of sight may make anything."""
    if any(base not in PLAIN_BASES for base in external_bases(made)):
        return Unknown(f"an object of `{made.name}`", arguments.origin)
    return Instance(made, arguments.origin, machine.present)


def constructor(machine: Machine, made: Class) -> Function | None:
    """The `__init__` written for a class, None where one is made for it or out of sight."""
    for current in lineage(made):
        body = class_body(machine, current)
        found = body.names.get("__init__") if body is not None else None
        if isinstance(found, Function):
            return found
        if kind_of(current) == "declared" and not external_bases(current):
            return None
    return None


def build(machine: Machine, model: TypeModel, cls: Class | None, arguments: Arguments) -> Built:
    """A followed instance, from here on recorded."""
    frames = machine.frames
    symbol = frames[-1].definition.qualified if frames else None
    under = machine.present | machine.making
    built = Built(model, arguments, arguments.origin, under, symbol, cls=cls)
    if len(frames) < 2:
        built.assumed = machine.assuming
    machine.built.append(built)
    if machine.distrust is not None:
        built.escapes.append((machine.distrust, arguments.origin))
    if machine.patched:
        built.escapes.append((machine.patched, built.origin))
    return built


def _construct_built(
    machine: Machine, model: TypeModel, made: Class, arguments: Arguments, scope: Scope
) -> Built:
    is_named = model.shape is not None and made.name == model.shape.name
    own = is_named and (not made.bases or made.qualified in model.qualified)
    built = build(machine, model, None if own else made, arguments)
    found = class_member(machine, made, "__init__")
    if not own and found is not None and isinstance(found[0], Function):
        if found[1] is made or model_of(machine, found[1]) is None or found[1].bases:
            machine.call(bind(found[0], built), arguments, scope)
    return built


def model_of(machine: Machine, made: Class) -> TypeModel | None:
    """The followed type that a class of the project is, or descends from."""
    names = machine.models.type_of
    for current in lineage(made):
        known = names.get(current.qualified)
        if known is not None and known.shape is None:
            return known
        for model in machine.models.types:
            if model.shape is not None and _has_shape(current, model.shape):
                return model
    for base in external_bases(made):
        if base in names:
            return names[base]
    return None


def _has_shape(made: Class, shape: ClassShape) -> bool:
    if made.name != shape.name or not isinstance(made.definition, ClassDefinition):
        return False
    module = made.definition.scope
    if not isinstance(module, ModuleScope):
        return False
    if not shape.parameters <= _parameters(made.definition.node):
        return False
    if not shape.methods <= _methods(made.definition.node):
        return False
    classes = {s.name: s for s in module.parsed.tree.body if isinstance(s, ast.ClassDef)}
    return all(
        name in classes and wanted <= _parameters(classes[name])
        for name, wanted in shape.siblings.items()
    )


def _parameters(node: ast.ClassDef) -> set[str]:
    """The parameters of a class's constructor, or the fields that make up for one."""
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            args = statement.args
            return {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    return {
        statement.target.id
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }


def _methods(node: ast.ClassDef) -> set[str]:
    """The methods that the body of a class defines."""
    return {
        statement.name
        for statement in node.body
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _enum_lookup(members: list[Value], arguments: Arguments) -> Value:
    wanted = arguments.get("value", 0)
    if isinstance(wanted, Const):
        for member in members:
            if isinstance(member, Const) and member.value == wanted.value:
                return member
    return Unknown("a member of an enumeration", arguments.origin)


def _typed_dict(arguments: Arguments) -> Value:
    entries = [
        Entry(Const(item.name, arguments.origin), item.value)
        for item in arguments.items
        if item.name is not None
    ]
    rest = Unknown("more arguments", arguments.origin) if arguments.spread else None
    return Mapped(entries, arguments.origin, rest)
