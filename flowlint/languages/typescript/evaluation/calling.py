"""Calls: functions of the project are followed into, what dialects ask for is recorded."""

from __future__ import annotations

from flowlint.languages.typescript.evaluation import arrays, classes, library, maps, texts
from flowlint.languages.typescript.evaluation.changing import LOOKING
from flowlint.languages.typescript.evaluation.closures import is_claimed
from flowlint.languages.typescript.evaluation.containers import (
    DECLARED,
    content,
    definition_of,
    is_declared,
    property_of,
)
from flowlint.languages.typescript.evaluation.escaping import disturb, escape, escape_value
from flowlint.languages.typescript.evaluation.followed import package_of
from flowlint.languages.typescript.evaluation.functions import bound, call_function
from flowlint.languages.typescript.evaluation.machine import (
    Machine,
    shortened,
    value_key,
)
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, Scope
from flowlint.values.following import TypeModel
from flowlint.values.model import (
    Argument,
    Arguments,
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
    Operation,
    Origin,
    Partial,
    Product,
    Sequence,
    Unknown,
    Use,
    Value,
)


def call(machine: Machine, callee: Value, arguments: Arguments, scope: Scope) -> Value:
    """The result of calling any value."""
    origin = arguments.origin
    if isinstance(callee, Choice):
        return machine.for_each(callee, lambda v: call(machine, v, arguments, scope), origin)
    if isinstance(callee, Function):
        return call_function(machine, callee, arguments)
    if isinstance(callee, Method):
        return call_method(machine, callee.receiver, callee.name, arguments, scope, callee.origin)
    if isinstance(callee, External):
        return call_external(machine, callee, arguments, scope)
    if isinstance(callee, Partial):
        given = tuple(Argument(value) for value in callee.arguments)
        merged = Arguments((*given, *arguments.items), origin)
        return call(machine, callee.target, merged, scope)
    escape(machine, arguments, "passed to code that cannot be seen")
    reason = callee.reason if isinstance(callee, Unknown) else "the result of a call"
    return Unknown(reason, origin, _call_key(value_key(callee), arguments) or machine.once())


def _call_key(callee: str | None, arguments: Arguments) -> str | None:
    """The same call with the same constants is taken to give the same value."""
    keys = [value_key(item.value) for item in arguments.items]
    if callee is None or None in keys:
        return None
    return shortened(f"{callee}({', '.join(str(key) for key in keys)})")


def call_external(machine: Machine, callee: External, arguments: Arguments, scope: Scope) -> Value:
    """The result of calling something outside of the project."""
    model = machine.models.type_of.get(callee.qualified)
    if model is not None:
        return build(machine, model, arguments)
    result = library.call_known(machine, callee.qualified, arguments, scope)
    if result is not None:
        return result
    if package_of(callee.qualified) not in machine.followed.systems:
        escape(machine, arguments, f"passed to `{callee.qualified}`", callee.qualified)
    return Call(callee.qualified, arguments, arguments.origin)


def build(machine: Machine, model: TypeModel, arguments: Arguments) -> Built:
    """A followed object, from here on recorded."""
    frames = machine.frames
    symbol = frames[-1].definition.qualified if frames else None
    arguments = bare(machine, arguments)
    built = Built(model, arguments, arguments.origin, machine.present, symbol)
    if len(frames) < 2:
        built.assumed = machine.assuming
    machine.built.append(built)
    return built


def bare(machine: Machine, arguments: Arguments) -> Arguments:
    """The arguments; what was followed only for its declared type now belongs to the call."""
    items: list[Argument] = []
    for item in arguments.items:
        value = item.value
        if isinstance(value, Built) and is_declared(value):
            machine.built = [built for built in machine.built if built is not value]
            items.append(Argument(content(value), item.name, item.spread, item.place))
        else:
            items.append(item)
    return Arguments(tuple(items), arguments.origin)


def declare(machine: Machine, model: TypeModel, value: Value) -> Built:
    """A value that is followed as it is declared to be of some type."""
    argument = Argument(value, place=value.origin)
    built = build(machine, model, Arguments((argument,), value.origin))
    built.attributes[DECLARED] = value
    return built


def construct(machine: Machine, callee: Value, arguments: Arguments, scope: Scope) -> Value:
    """What `new` makes of a value."""
    origin = arguments.origin
    if isinstance(callee, Class):
        return classes.construct(machine, callee, arguments, scope)
    if isinstance(callee, External):
        made = library.construct_known(machine, callee.qualified, arguments)
        return made or call_external(machine, callee, arguments, scope)
    escape(machine, arguments, "passed to code that cannot be seen")
    reason = callee.reason if isinstance(callee, Unknown) else "what `new` makes"
    return Unknown(reason, origin, machine.once())


def call_method(
    machine: Machine,
    receiver: Value,
    name: str,
    arguments: Arguments,
    scope: Scope,
    place: Origin,
) -> Value:
    """The result of `receiver.name(…)`."""
    origin = arguments.origin
    if isinstance(receiver, Built) and not is_declared(receiver):
        if receiver.cls is not None and name not in receiver.attributes:
            own = classes.class_member(machine, receiver.cls, name, receiver, origin)
            if own is not None:
                return call(machine, own, arguments, scope)
        given = definition_of(receiver) if name not in receiver.attributes else None
        if given is None or name in receiver.model.readers:
            return call_built(machine, receiver, name, arguments, scope)
        receiver = given
    receiver = content(receiver)
    result: Value | None = None
    if isinstance(receiver, Sequence):
        result = arrays.call_array(machine, receiver, name, arguments, scope)
    elif isinstance(receiver, Const):
        result = texts.call_text(machine, receiver, name, arguments, scope)
    elif isinstance(receiver, Mapped):
        found = property_of(machine, receiver, name)
        if isinstance(found, Function):
            return call_function(machine, _with_this(found, receiver), arguments)
        if found is not None and not _is_absent(found):
            return call(machine, found, arguments, scope)
        result = maps.call_map(machine, receiver, name, arguments, scope)
    elif isinstance(receiver, Function) and name in ("call", "apply", "bind"):
        return _call_function_method(machine, receiver, name, arguments, scope)
    if result is not None:
        return result
    if isinstance(receiver, Sequence | Mapped | Const):
        escape(machine, arguments, f"passed to `{name}`, which is not followed", name)
        if not isinstance(receiver, Const) and name not in LOOKING:
            disturb(machine, receiver, f"changed by `{name}`, which is not followed", origin)
        return Unknown(f"the result of `{name}`", origin)
    if isinstance(receiver, External):
        member = machine.member(receiver, name, place)
        return call(machine, member, arguments, scope)
    if isinstance(receiver, Product):
        return _call_product(machine, receiver, name, arguments)
    if isinstance(receiver, Call):
        if package_of(receiver.target) not in machine.followed.systems:
            escape(machine, arguments, f"passed to `{name}`, which cannot be seen", name)
        return _member_call(receiver, name, arguments)
    member = machine.member(receiver, name, place)
    if isinstance(receiver, Instance) and isinstance(member, Unknown):
        escape_value(machine, receiver, f"`{name}` of it cannot be seen", origin, name)
    if isinstance(receiver, Unknown) and isinstance(member, Unknown):
        escape(machine, arguments, f"passed to `{name}`, which cannot be seen", name)
        key = _call_key(value_key(member), arguments)
        return Unknown(receiver.reason, origin, key or machine.once())
    return call(machine, member, arguments, scope)


def _member_call(receiver: Call, name: str, arguments: Arguments) -> Value:
    """A method of what a call into code outside the project gave: its name is extended."""
    told = Argument(receiver, "this")
    given = Arguments((*arguments.items, told), arguments.origin)
    return Call(f"{receiver.target}().{name}", given, arguments.origin)


def _is_absent(value: Value) -> bool:
    return isinstance(value, External) and value.qualified == "undefined"


def _with_this(function: Function, receiver: Value) -> Function:
    """A function that is called as a property of an object; arrows take no notice."""
    if function.receiver is None or _is_of_object(function):
        return bound(function, receiver)
    return function


def _is_of_object(function: Function) -> bool:
    """Whether a function was written as a method of an object: what it is called on counts."""
    definition = function.definition
    is_method = (
        isinstance(definition, FunctionDefinition) and definition.node.type == "method_definition"
    )
    return is_method and isinstance(function.receiver, Mapped)


def _call_function_method(
    machine: Machine, function: Function, name: str, arguments: Arguments, scope: Scope
) -> Value:
    """`f.call(this, …)`, `f.apply(this, […])` and `f.bind(this, …)`."""
    items = list(arguments.positional())
    target = bound(function, items[0].value) if items else function
    rest = tuple(items[1:])
    if name == "bind":
        given = tuple(item.value for item in rest)
        return Partial(target, given, {}, arguments.origin) if given else target
    if name == "apply" and rest:
        listed = rest[0].value
        if isinstance(listed, Sequence) and listed.rest is None:
            rest = tuple(Argument(item.value, place=item.place) for item in listed.items)
        else:
            rest = (Argument(listed, spread="*"),)
    return call(machine, target, Arguments(rest, arguments.origin), scope)


def call_built(
    machine: Machine, built: Built, name: str, arguments: Arguments, scope: Scope
) -> Value:
    """A method of a followed object is an operation on it."""
    model, origin = built.model, arguments.origin
    if name in model.fluent or name in model.products:
        operation = Operation(name, arguments, origin, machine.present)
        if name in model.fluent and not is_claimed(machine, built, origin):
            return built
        built.operations.append(operation)
        if machine.catching and built in machine.built[: machine.catching[-1]]:
            operation.caught = True
            built.escapes.append(("what it refuses is caught", origin))
        return built if name in model.fluent else Product(built, operation, origin)
    if name in built.attributes:
        return call(machine, built.attributes[name], arguments, scope)
    if name not in model.readers:
        built.escapes.append((f"`{name}` is called on it", origin))
    return Unknown(f"the result of `{name}`", origin, machine.once())


def _call_product(machine: Machine, product: Product, name: str, arguments: Arguments) -> Value:
    """A method of what an operation made."""
    product.operation.uses.append((name, arguments.origin))
    caught = bool(machine.catching)
    use = Use(name, arguments, machine.present, caught, machine.assuming)
    product.operation.calls.append(use)
    if name in product.source.model.copies:
        return product
    escape(machine, arguments, f"passed to `{name}`, which cannot be seen", name)
    return Unknown(f"the result of `{name}`", arguments.origin, machine.once())
