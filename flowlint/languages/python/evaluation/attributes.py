"""Attributes of values: members of classes, modules and instances."""

from __future__ import annotations

from flowlint.languages.python.evaluation import dunders, imports
from flowlint.languages.python.evaluation.definitions import (
    class_body,
    class_member,
    external_bases,
    lineage,
)
from flowlint.languages.python.evaluation.inheriting import may_differ
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.missing import missing_attribute
from flowlint.languages.python.evaluation.scopes import (
    ClassDefinition,
    FunctionDefinition,
    ModuleScope,
)
from flowlint.values.conditions import restrict
from flowlint.values.model import (
    Arguments,
    Built,
    Call,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapped,
    Method,
    Module,
    Origin,
    Sequence,
    Unknown,
    Value,
)


def attribute(machine: Machine, value: Value, name: str, origin: Origin) -> Value:
    """The value of `value.name`. Unknown where it cannot be told."""
    if isinstance(value, External):
        return _external(machine, value, name, origin)
    if isinstance(value, Module) and isinstance(value.definition, ModuleScope):
        return imports.member(machine, value.definition, name, origin)
    if isinstance(value, Class):
        return _of_class(machine, value, name, origin)
    if isinstance(value, Instance):
        return _of_instance(machine, value, name, origin)
    if isinstance(value, Built):
        found = value.attributes.get(name)
        if found is not None:
            return restrict(found, machine.known)
        if value.cls is not None:
            member = _bound_member(machine, value, value.cls, name)
            if member is not None:
                return member
        model = value.model
        if name in model.kept and (given := _kept(value, name)) is not None:
            return given
        if name in model.fluent or name in model.products or name in model.containers:
            return Method(value, name, origin)
        return Unknown("an attribute of a flow", origin)
    if isinstance(value, Sequence | Mapped):
        return Method(value, name, origin)
    if isinstance(value, Const) and value.enum and value.member:
        if name in ("value", "_value_"):
            return Const(value.value, origin, text=value.origin)
        if name in ("name", "_name_"):
            return Const(value.member, origin)
    if isinstance(value, Function) and name in value.attributes:
        return restrict(value.attributes[name], machine.known)
    if isinstance(value, Function) and name in ("__name__", "__qualname__"):
        return Const(value.name if name == "__name__" else value.qualified, origin)
    if isinstance(value, Unknown):
        declared = value.declared() if value.declared is not None else None
        if declared is not None:
            return attribute(machine, declared, name, origin)
        key = f"{value.key}.{name}" if value.key is not None else None
        return Unknown(value.reason, origin, key)
    if isinstance(value, Call):
        return Unknown(f"an attribute of a `{value.target}`", origin, f"#{value.serial}.{name}")
    return Unknown("an attribute out of sight", origin)


def _kept(value: Built, name: str) -> Value | None:
    """The argument that an object keeps under its name, None where its own code may do else."""
    if value.cls is not None and value.cls.reader.method("__init__") is not None:
        return None
    return value.arguments.get(name)


def _external(machine: Machine, value: External, name: str, origin: Origin) -> Value:
    qualified = f"{value.qualified}.{name}"
    constants = machine.models.constants
    if qualified in constants:
        return Const(constants[qualified], origin)
    return External(qualified, origin)


def _of_class(machine: Machine, made: Class, name: str, origin: Origin) -> Value:
    if name in ("__name__", "__qualname__"):
        return Const(made.name, origin)
    found = class_member(machine, made, name)
    if found is not None:
        member, owner = found
        definition = owner.definition
        if isinstance(definition, ClassDefinition) and definition.enum:
            return _enum_member(owner, definition.enum, name, member)
        if isinstance(member, Function) and isinstance(member.definition, FunctionDefinition):
            if member.definition.flavour == "class":
                return bind(member, made)
        return _unless_altered(owner, name, restrict(member, machine.known))
    if name == "__members__":
        return Unknown("the members of an enumeration", origin)
    key = f"{made.qualified}.{name}"
    reason = f"`{made.name}` has no `{name}` that can be seen"
    unknown = Unknown(reason, origin, key)
    unknown.missing = lambda: missing_attribute(machine, made, name)
    return unknown


def _unless_altered(owner: Class, name: str, member: Value) -> Value:
    """What a class holds under a name, unknown where code out of sight may have changed it."""
    altered = isinstance(owner.definition, ClassDefinition) and owner.definition.altered
    if not altered or isinstance(member, Function | Class | Built):
        return member
    reason = f"`{owner.name}` is changed by code that cannot be seen"
    return Unknown(reason, member.origin, f"#{owner.serial}.{name}")


def blur(value: Instance) -> None:
    """Let an object hold anything under the names it has."""
    for name, held in value.attributes.items():
        if not isinstance(held, Built | Function | Unknown):
            key = f"#{value.serial}.{name}"
            reason = f"`{name}` may be changed by way of `__dict__`"
            value.attributes[name] = Unknown(reason, held.origin, key)


def _enum_member(owner: Class, kind: str, name: str, value: Value) -> Value:
    """A member of an enumeration. Functions in its body are methods, not members."""
    if isinstance(value, Function) or name.startswith("_"):
        return value
    if isinstance(value, Const):
        return Const(value.value, value.origin, f"{kind}:{owner.qualified}", name)
    if isinstance(value, External | Unknown) and kind == "StrEnum":
        return Const(name.lower(), value.origin, f"{kind}:{owner.qualified}", name)
    from_call = isinstance(value, Call) and value.target == "enum.auto"
    if from_call and kind == "StrEnum":
        return Const(name.lower(), value.origin, f"{kind}:{owner.qualified}", name)
    return Unknown("a member of an enumeration", value.origin, f"{owner.qualified}.{name}")


def enum_members(machine: Machine, made: Class) -> list[Value] | None:
    """The members of an enumeration in order, None when `made` is not one."""
    definition = made.definition
    if not isinstance(definition, ClassDefinition) or not definition.enum:
        return None
    body = class_body(machine, made)
    if body is None:
        return None
    members: list[Value] = []
    seen: set[object] = set()
    for name, value in body.names.items():
        if name.startswith("_") or isinstance(value, Function | Class):
            continue
        if isinstance(value, Const) and value.value in seen:
            continue
        seen |= {value.value} if isinstance(value, Const) else set()
        members.append(_enum_member(made, definition.enum, name, value))
    return members


def _of_instance(machine: Machine, value: Instance, name: str, origin: Origin) -> Value:
    if name == "__dict__":
        blur(value)
    if not name.startswith("__") and dunders.special(machine, value, "__getattribute__"):
        return Unknown("an attribute that is made up when it is read", origin)
    if name == "__class__":
        if value.stand_in == "no":
            return value.cls
        return Unknown("the class of an object", origin, f"#{value.serial}.__class__")
    found = value.attributes.get(name)
    if found is not None:
        return restrict(found, machine.known)
    reason = f"`{value.cls.name}` has no `{name}` that can be seen"
    if value.stand_in != "no" and may_differ(machine, value, name):
        whose = "a subclass of" if value.stand_in == "self" else "the given"
        reason = f"{whose} `{value.cls.name}` may have another `{name}`"
    else:
        member = _bound_member(machine, value, value.cls, name)
        if member is not None:
            return member
    if not name.startswith("__"):
        computed = dunders.invoke(machine, value, "__getattr__", (Const(name, origin),), origin)
        if computed is not None:
            return computed
    unknown = Unknown(reason, origin, f"#{value.serial}.{name}")
    unknown.missing = lambda: missing_attribute(machine, value, name)
    value.attributes[name] = unknown
    return unknown


def _bound_member(
    machine: Machine, receiver: Instance | Built, made: Class, name: str
) -> Value | None:
    found = class_member(machine, made, name)
    if found is None:
        return None
    member = restrict(found[0], machine.known)
    if isinstance(member, Instance):
        given = dunders.invoke(machine, member, "__get__", (receiver, made), member.origin)
        return member if given is None else given
    if not isinstance(member, Function):
        return _unless_altered(found[1], name, member)
    if not isinstance(member.definition, FunctionDefinition):
        return member
    if member.definition.flavour in ("property", "cached"):
        bound = bind(member, receiver)
        result = machine.call(bound, Arguments((), member.origin), member.definition.scope)
        if member.definition.flavour == "cached" and not machine.present - receiver.presence:
            receiver.attributes[name] = result
        return result
    if member.definition.flavour == "static":
        return member
    return bind(member, made if member.definition.flavour == "class" else receiver)


def bind(method: Function, receiver: Value) -> Function:
    """The method bound to what it will be called on."""
    return Function(
        method.name,
        method.qualified,
        method.origin,
        method.reader,
        method.is_async,
        "method",
        receiver,
        method.decorators,
        method.definition,
        method.attributes,
    )


def super_member(machine: Machine, receiver: Value, after: Class, name: str) -> Value | None:
    """The member that `super()` means: of the next class in line that has it."""
    made = receiver.cls if isinstance(receiver, Instance | Built) else after
    if isinstance(receiver, Class):
        made = receiver
    if made is None:
        return None
    line = lineage(made)
    rest = line[line.index(after) + 1 :] if after in line else []
    for current in rest:
        body = class_body(machine, current)
        if body is not None and name in body.names:
            member = body.names[name]
            return bind(member, receiver) if isinstance(member, Function) else member
    return None


def is_subclass(made: Class, other: Value) -> bool | None:
    """Whether a class descends from another, None when that is not known."""
    if isinstance(other, Class):
        if other in lineage(made):
            return True
        return False if not external_bases(made) else None
    if isinstance(other, External):
        return True if other.qualified in external_bases(made) else None
    if isinstance(other, Sequence):
        results = [is_subclass(made, item.value) for item in other.items]
        return True if True in results else None
    return None
