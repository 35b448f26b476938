"""Properties of values."""

from __future__ import annotations

from flowlint.languages.typescript.evaluation.classes import (
    class_member,
    instance_member,
    static_member,
)
from flowlint.languages.typescript.evaluation.containers import (
    content,
    definition_of,
    is_nothing,
    property_of,
)
from flowlint.languages.typescript.evaluation.functions import bound
from flowlint.languages.typescript.evaluation.imports import exported
from flowlint.languages.typescript.evaluation.machine import Machine, value_key
from flowlint.languages.typescript.evaluation.scopes import ModuleScope
from flowlint.values.model import (
    Built,
    Call,
    Choice,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapped,
    Method,
    Module,
    Origin,
    Product,
    Sequence,
    Unknown,
    Value,
)


def member(machine: Machine, value: Value, name: str, origin: Origin) -> Value:
    """The value of `value.name`."""
    if isinstance(value, Choice):
        return machine.for_each(value, lambda v: member(machine, v, name, origin), origin)
    value = content(value)
    if isinstance(value, Mapped):
        return _of_object(machine, value, name, origin)
    if is_nothing(value):
        return Unknown(f"`{name}` of nothing", origin)
    if isinstance(value, External):
        return external(machine, f"{value.qualified}.{name}", origin)
    if isinstance(value, Module) and isinstance(value.definition, ModuleScope):
        return exported(machine, value.definition, name, origin)
    if isinstance(value, Instance):
        return instance_member(machine, value, name, origin)
    if isinstance(value, Class):
        return static_member(machine, value, name, origin)
    if isinstance(value, Sequence | Const):
        return _of_array_or_text(value, name, origin)
    if isinstance(value, Built):
        if name in value.attributes:
            return value.attributes[name]
        own = class_member(machine, value.cls, name, value, origin) if value.cls else None
        if own is not None:
            return own
        given = definition_of(value)
        held = property_of(machine, given, name) if given is not None else None
        if held is not None and not is_nothing(held):
            return held
        if name in value.model.containers:
            return Method(value, name, origin)
        key = f"#{value.serial}.{name}"
        return Unknown(f"`{name}` of what is built", origin, key)
    if isinstance(value, Function):
        if name in value.attributes:
            return value.attributes[name]
        return Const(value.name, origin) if name == "name" else Method(value, name, origin)
    if isinstance(value, Product):
        value.operation.uses.append((name, origin))
    if isinstance(value, Call | Product):
        reason, key = f"`{name}` of the result of a call", f"#{value.serial}.{name}"
        return Unknown(reason, origin, key, member_of=(value, name))
    stand_in = value.declared() if isinstance(value, Unknown) and value.declared else None
    if stand_in is not None:
        return member(machine, stand_in, name, origin)
    known = value_key(value)
    reason = value.reason if isinstance(value, Unknown) else "a value that is not known"
    return Unknown(reason, origin, f"{known}.{name}" if known is not None else None)


def external(machine: Machine, qualified: str, origin: Origin) -> Value:
    """What a name outside the project stands for: a constant of a system, or just that name."""
    if qualified in machine.models.constants:
        return Const(machine.models.constants[qualified], origin)
    return External(qualified, origin)


def _of_object(machine: Machine, owner: Mapped, name: str, origin: Origin) -> Value:
    found = property_of(machine, owner, name)
    if found is None:
        reason = owner.rest.reason if owner.rest is not None else "a key is not known"
        return Unknown(reason, origin, f"#{owner.serial}.{name}")
    if isinstance(found, Function) and found.kind == "function" and found.receiver is None:
        return found
    if isinstance(found, Function) and found.kind == "method" and found.receiver is not owner:
        return bound(found, owner)
    return found


def _of_array_or_text(value: Sequence | Const, name: str, origin: Origin) -> Value:
    if name in ("length", "size") and not (isinstance(value, Const) and name == "size"):
        if isinstance(value, Const):
            if isinstance(value.value, str):
                return Const(len(value.value.encode("utf-16-le")) // 2, origin)
        elif value.rest is None and not any(item.presence for item in value.items):
            return Const(len(value.items), origin)
        return Unknown("how many there are", origin, f"#{getattr(value, 'serial', '')}.length")
    return Method(value, name, origin)
