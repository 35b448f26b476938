"""Instances: of the types that dialects follow, of classes with and without a constructor."""

from __future__ import annotations

import ast

from flowlint.languages.python.evaluation.attributes import bind, enum_members
from flowlint.languages.python.evaluation.definitions import (
    class_body,
    class_member,
    external_bases,
    lineage,
)
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import ClassDefinition, ModuleScope, Scope
from flowlint.values.model import (
    Arguments,
    Built,
    Class,
    ClassShape,
    Const,
    Entry,
    Function,
    Instance,
    Mapped,
    TypeModel,
    Unknown,
    Value,
)


def construct(machine: Machine, made: Class, arguments: Arguments, scope: Scope) -> Value:
    """The result of calling a class of the project."""
    members = enum_members(machine, made)
    if members is not None:
        return _enum_lookup(members, arguments)
    model = model_of(machine, made)
    if model is not None:
        return _construct_built(machine, model, made, arguments, scope)
    if any(base.endswith(".TypedDict") for base in external_bases(made)):
        return _typed_dict(arguments)
    instance = Instance(made, arguments.origin, machine.present)
    found = class_member(machine, made, "__init__")
    if found is not None and isinstance(found[0], Function):
        machine.call(bind(found[0], instance), arguments, scope)
    else:
        _bind_fields(machine, instance, arguments)
        after = class_member(machine, made, "__post_init__")
        if after is not None and isinstance(after[0], Function):
            machine.call(bind(after[0], instance), Arguments((), arguments.origin), scope)
    return instance


def build(machine: Machine, model: TypeModel, cls: Class | None, arguments: Arguments) -> Built:
    """A followed instance, from here on recorded."""
    frames = machine.frames
    symbol = frames[-1].definition.qualified if frames else None
    under = machine.present | machine.making
    built = Built(model, arguments, arguments.origin, under, symbol, cls=cls)
    if len(frames) < 2:
        built.assumed = machine.assuming
    machine.built.append(built)
    return built


def _construct_built(
    machine: Machine, model: TypeModel, made: Class, arguments: Arguments, scope: Scope
) -> Built:
    own = model.shape is not None and made.name == model.shape.name and not made.bases
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


def _bind_fields(machine: Machine, instance: Instance, arguments: Arguments) -> None:
    """Fields of dataclasses, named tuples and models take the arguments in their order."""
    position = 0
    for current in reversed(lineage(instance.cls)):
        definition = current.definition
        if not isinstance(definition, ClassDefinition):
            continue
        body = class_body(machine, current)
        for statement in definition.node.body:
            if not isinstance(statement, ast.AnnAssign):
                continue
            if not isinstance(statement.target, ast.Name):
                continue
            name = statement.target.id
            if "ClassVar" in ast.unparse(statement.annotation):
                continue
            value = None
            if not _is_left_out(statement.value):
                value = arguments.get(name, position)
                position += 1
            if value is None and statement.value is not None and body is not None:
                value = _field_default(machine, statement.value, body)
            if value is None and (arguments.spread or statement.value is not None):
                key = f"#{instance.serial}.{name}"
                value = Unknown(f"the field `{name}`", arguments.origin, key)
            if value is not None:
                instance.attributes[name] = value
    for item in arguments.items:
        if item.name is not None:
            instance.attributes.setdefault(item.name, item.value)


def _field_default(machine: Machine, node: ast.expr, body: Scope) -> Value | None:
    """The default of a field, also where `field(…)` or `Field(…)` states it."""
    if not (isinstance(node, ast.Call) and _callee_name(node) in ("field", "Field")):
        return machine.evaluate(node, body)
    for keyword in node.keywords:
        if keyword.arg == "default":
            return machine.evaluate(keyword.value, body)
        if keyword.arg == "default_factory":
            factory = machine.evaluate(keyword.value, body)
            return machine.call(factory, Arguments((), machine.origin(node, body)), body)
    if node.args and _callee_name(node) == "Field":
        return machine.evaluate(node.args[0], body)
    return None


def _is_left_out(node: ast.expr | None) -> bool:
    """Whether a field takes no argument: `field(init=False)`."""
    return isinstance(node, ast.Call) and any(
        keyword.arg == "init"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is False
        for keyword in node.keywords
    )


def _callee_name(node: ast.Call) -> str:
    func = node.func
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
