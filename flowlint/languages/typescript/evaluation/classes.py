"""Classes and enumerations of the project, and their instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation import functions
from flowlint.languages.typescript.evaluation.literals import key_of
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.operators import js_text, number_value
from flowlint.languages.typescript.evaluation.readers import TypeScriptClassReader
from flowlint.languages.typescript.evaluation.scopes import (
    ClassDefinition,
    FunctionDefinition,
    Scope,
)
from flowlint.languages.typescript.reading.literals import whole
from flowlint.languages.typescript.reading.module import children
from flowlint.values.following import TypeModel
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Class,
    Const,
    Entry,
    External,
    Function,
    Instance,
    Mapped,
    Origin,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_ANCESTORS = 50
"""Classes that one may descend from."""

FIELDS = "public_field_definition"


def define_class(machine: Machine, node: Node, scope: Scope) -> Class:
    """The class that a declaration or an expression makes."""
    name_node = node.child_by_field_name("name")
    name = scope.module.parsed.text_of(name_node) if name_node is not None else "class"
    base = _base(machine, node, scope)
    scope = Scope("block", scope.qualified, scope, machine.present)
    definition = ClassDefinition(node, scope, scope.module.parsed)
    origin = machine.origin(name_node if name_node is not None else node, scope)
    made = Class(
        name,
        f"{scope.qualified}.{name}",
        origin,
        TypeScriptClassReader(machine, definition),
        (base,) if base is not None else (),
        definition,
    )
    machine.classes.append(made)
    if name_node is not None:
        scope.names[name] = made
    body = node.child_by_field_name("body")
    for part in children(body) if body is not None else []:
        _note_member(machine, part, made, definition, scope)
    return made


def _base(machine: Machine, node: Node, scope: Scope) -> Value | None:
    for heritage in children(node):
        if heritage.type != "class_heritage":
            continue
        for clause in children(heritage):
            value = clause.child_by_field_name("value") if clause.type == "extends_clause" else None
            if value is not None:
                return machine.evaluate(value, scope)
            if clause.type not in ("extends_clause", "implements_clause"):
                return machine.evaluate(clause, scope)
    return None


def _words(part: Node) -> set[str]:
    return {child.type for child in part.children if not child.is_named}


def _note_member(
    machine: Machine, part: Node, made: Class, definition: ClassDefinition, scope: Scope
) -> None:
    words = _words(part)
    if part.type == "method_definition":
        key = key_of(machine, part.child_by_field_name("name"), scope)
        name = js_text(key.value) if isinstance(key, Const) else "method"
        function = functions.function_value(machine, part, scope, name, key.origin, made)
        function.kind = "method"
        found = function.definition
        assert isinstance(found, FunctionDefinition)
        found.is_static = "static" in words
        if "static" in words and not words & {"get", "set"}:
            function.receiver = made
            definition.statics[name] = function
        elif "get" in words:
            definition.getters[name] = found
        elif "set" in words:
            definition.setters[name] = found
        else:
            definition.methods[name] = found
            function.receiver = Instance(made, made.origin, stand_in="any")
    elif part.type == FIELDS and "static" in words:
        key = key_of(machine, part.child_by_field_name("name"), scope)
        value = part.child_by_field_name("value")
        if isinstance(key, Const):
            inner = _body_scope(made, definition, made)
            name = js_text(key.value)
            definition.statics[name] = (
                functions.named(machine, value, None, inner, name)
                if value is not None
                else External("undefined", key.origin)
            )
    elif part.type == "class_static_block":
        body = part.child_by_field_name("body")
        if body is not None:
            machine.execute(children(body), _body_scope(made, definition, made))


def _body_scope(made: Class, definition: ClassDefinition, this: Value) -> Scope:
    """The scope in which fields are worked out."""
    inner = Scope("class", made.qualified, definition.scope)
    inner.this = this
    inner.owner = made
    return inner


def lineage(made: Class) -> list[Class]:
    """A class and those of the project that it descends from, the nearest first."""
    found: list[Class] = []
    current: Value | None = made
    while isinstance(current, Class) and len(found) < MAX_ANCESTORS:
        if any(current is one for one in found):
            break
        found.append(current)
        current = current.bases[0] if current.bases else None
    return found


def hidden_base(made: Class) -> Value | None:
    """What a class descends from that is out of sight."""
    last = lineage(made)[-1]
    return last.bases[0] if last.bases else None


def _followed_base(machine: Machine, made: Class) -> TypeModel | None:
    """The type that is followed that a class extends."""
    base = hidden_base(made)
    return machine.models.type_of.get(base.qualified) if isinstance(base, External) else None


def construct(machine: Machine, made: Class, arguments: Arguments, scope: Scope) -> Value:
    """An instance of a class of the project, or of a type that is followed that it extends."""
    from flowlint.languages.typescript.evaluation.calling import build

    machine.constructed.update(one.serial for one in lineage(made))
    model = _followed_base(machine, made)
    if model is not None:
        built = build(machine, model, arguments)
        built.cls = made
        initialise(machine, made, built, arguments)
        return built
    instance = Instance(made, arguments.origin, machine.present)
    initialise(machine, made, instance, arguments)
    return instance


def initialise(machine: Machine, made: Class, instance: Value, arguments: Arguments) -> None:
    """Run what makes an instance: its fields and its constructor."""
    definition = made.definition
    if not isinstance(definition, ClassDefinition):
        return
    constructor = definition.methods.get("constructor")
    base = made.bases[0] if made.bases else None
    if constructor is None:
        if isinstance(base, Class):
            initialise(machine, base, instance, arguments)
        elif base is not None:
            _initialise_hidden(machine, instance, arguments)
        _run_fields(machine, made, definition, instance)
        return
    if base is None:
        _run_fields(machine, made, definition, instance)
    function = _function(machine, constructor, "constructor", instance)
    functions.call_function(machine, function, arguments)


def _initialise_hidden(machine: Machine, instance: Value, arguments: Arguments) -> None:
    """Run the constructor of a base out of sight: what is followed is known by its arguments."""
    from flowlint.languages.typescript.evaluation.calling import bare

    if isinstance(instance, Built):
        instance.arguments = bare(machine, arguments)
        if machine.present - instance.presence:
            instance.escapes.append(("`super` is called under a condition", arguments.origin))
    elif isinstance(instance, Instance):
        instance.stand_in = "any"


def _run_fields(
    machine: Machine, made: Class, definition: ClassDefinition, instance: Value
) -> None:
    from flowlint.languages.typescript.evaluation.assigning import set_element

    body = definition.node.child_by_field_name("body")
    inner = _body_scope(made, definition, instance)
    inner.presence = machine.present
    for part in children(body) if body is not None else []:
        if part.type != FIELDS or "static" in _words(part) or "declare" in _words(part):
            continue
        key = key_of(machine, part.child_by_field_name("name"), definition.scope)
        value = part.child_by_field_name("value")
        if value is None:
            continue
        name = js_text(key.value) if isinstance(key, Const) else ""
        held = functions.named(machine, value, None, inner, name)
        set_element(machine, instance, key, held, key.origin)


def call_super(machine: Machine, name: str | None, arguments: Arguments, scope: Scope) -> Value:
    """`super(…)`, or with a name `super.name(…)`."""
    from flowlint.languages.typescript.evaluation.escaping import escape

    around = scope.receiver()
    owner = around.owner if around is not None else None
    this = around.this if around is not None else None
    base = owner.bases[0] if owner is not None and owner.bases else None
    origin = arguments.origin
    if name is None:
        if isinstance(base, Class) and this is not None:
            initialise(machine, base, this, arguments)
        elif this is not None:
            _initialise_hidden(machine, this, arguments)
        if owner is not None and this is not None:
            if isinstance(owner.definition, ClassDefinition):
                _run_fields(machine, owner, owner.definition, this)
        return this if this is not None else Unknown("`super`", origin)
    for current in lineage(base) if isinstance(base, Class) else []:
        definition = current.definition
        if isinstance(definition, ClassDefinition) and this is not None:
            found = definition.methods.get(name)
            if found is not None:
                function = _function(machine, found, name, this)
                return functions.call_function(machine, function, arguments)
            held = definition.statics.get(name)
            if isinstance(this, Class) and isinstance(held, Function):
                return functions.call_function(machine, held, arguments)
    if isinstance(this, Built):
        from flowlint.languages.typescript.evaluation.calling import call_built

        return call_built(machine, this, name, arguments, scope)
    escape(machine, arguments, "passed to code that cannot be seen")
    return Unknown(f"`super.{name}`, which cannot be seen", origin)


def _function(
    machine: Machine, definition: FunctionDefinition, name: str, receiver: Value
) -> Function:
    made = machine.inner.get(definition.key)
    assert made is not None
    return functions.bound(made, receiver)


def instance_member(machine: Machine, value: Instance, name: str, origin: Origin) -> Value:
    """A property of an instance: its own, or one that its class gives it."""
    if name in value.attributes:
        return value.attributes[name]
    found = class_member(machine, value.cls, name, value, origin)
    if found is not None:
        return found
    if name == "constructor":
        return value.cls
    if value.stand_in == "no" and hidden_base(value.cls) is None:
        return External("undefined", origin)
    return Unknown(f"`{name}` of an object that is not known", origin, f"#{value.serial}.{name}")


def class_member(
    machine: Machine, made: Class, name: str, receiver: Value, origin: Origin
) -> Value | None:
    """A method of instances, or what a getter of theirs gives."""
    for current in lineage(made):
        definition = current.definition
        if not isinstance(definition, ClassDefinition):
            return None
        if name in definition.getters:
            getter = _function(machine, definition.getters[name], name, receiver)
            return functions.call_function(machine, getter, functions.no_arguments(origin))
        if name in definition.methods:
            return _function(machine, definition.methods[name], name, receiver)
    return None


def call_setter(
    machine: Machine, made: Class, name: str, receiver: Value, value: Value, origin: Origin
) -> bool:
    """Write a property that a class has a setter for; whether it has one."""
    for current in lineage(made):
        definition = current.definition
        if not isinstance(definition, ClassDefinition):
            return False
        if name in definition.setters:
            setter = _function(machine, definition.setters[name], name, receiver)
            functions.call_function(machine, setter, Arguments((Argument(value),), origin))
            return True
    return False


def static_member(machine: Machine, made: Class, name: str, origin: Origin) -> Value:
    """A property of a class itself."""
    for current in lineage(made):
        definition = current.definition
        if not isinstance(definition, ClassDefinition):
            break
        if name in definition.statics:
            return definition.statics[name]
        if name in definition.getters and definition.getters[name].is_static:
            getter = _function(machine, definition.getters[name], name, made)
            return functions.call_function(machine, getter, functions.no_arguments(origin))
    if name == "name":
        return Const(made.name, origin)
    if hidden_base(made) is None and name != "prototype":
        return External("undefined", origin)
    return Unknown(f"`{name}` of a class that is not known", origin, f"#{made.serial}.{name}")


def define_enum(machine: Machine, node: Node, scope: Scope) -> Value:
    """An enumeration is an object with its members."""
    parsed = scope.module.parsed
    made = Mapped([], machine.origin(node, scope))
    body = node.child_by_field_name("body")
    inner = Scope("block", scope.qualified, scope)
    following: int | float | None = 0
    numbered: list[Entry] = []
    for part in children(body) if body is not None else []:
        place = machine.origin(part, scope)
        is_given = part.type == "enum_assignment"
        name_node = part.child_by_field_name("name") if is_given else part
        key = key_of(machine, name_node, scope)
        if not isinstance(key, Const):
            made.rest = Unknown("a member whose name is not known", place)
            continue
        value: Value
        given = part.child_by_field_name("value") if is_given else None
        if given is not None:
            value = machine.evaluate(given, inner)
            number = number_value(value)
            is_text = isinstance(value, Const) and isinstance(value.value, str)
            following = whole(number + 1) if number is not None and not is_text else None
        elif following is not None:
            value = Const(following, place)
            following += 1
        else:
            value = Unknown("a member of an enumeration", place, f"{parsed.path}:{place.start}")
        inner.names[js_text(key.value)] = value
        made.entries.append(Entry(key, value, place=place))
        if isinstance(value, Const) and isinstance(value.value, int | float):
            numbered.append(Entry(Const(js_text(value.value), place), key, place=place))
    # A member that is a number leads back to its name, and such keys go first.
    made.entries[:0] = numbered
    return made
