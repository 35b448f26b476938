"""Definitions: functions with their decorators, classes, context managers."""

from __future__ import annotations

import ast
from dataclasses import replace

from flowlint.languages.python.evaluation.annotations import Declared, declared_fields, first_types
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.readers import Reader
from flowlint.languages.python.evaluation.scopes import (
    ClassDefinition,
    FunctionDefinition,
    FunctionNode,
    NameOrigin,
    Scope,
)
from flowlint.languages.python.nodes import walk
from flowlint.values.model import (
    Argument,
    Arguments,
    Class,
    Const,
    External,
    Field,
    Function,
    Instance,
    Method,
    Unknown,
    Value,
)

TRANSPARENT = frozenset(
    {
        "abc.abstractmethod",
        "contextlib.asynccontextmanager",
        "contextlib.contextmanager",
        "functools.cache",
        "functools.lru_cache",
        "langsmith.traceable",
        "builtins.classmethod",
        "builtins.property",
        "builtins.staticmethod",
        "functools.cached_property",
        "functools.wraps",
        "typing.final",
        "typing.no_type_check",
        "typing.overload",
        "typing.override",
        "typing_extensions.override",
        "pytest.fixture",
    }
)
"""Decorators after which the name still stands for the function, under the same name."""

FLAVOURS = {
    "builtins.staticmethod": "static",
    "builtins.classmethod": "class",
    "builtins.property": "property",
    "functools.cached_property": "cached",
}

CACHES = frozenset({"functools.cache", "functools.lru_cache"})
"""Decorators after which equal arguments give the very same result."""

DISPATCHERS = frozenset({"functools.singledispatch", "functools.singledispatchmethod"})
"""Decorators after which another function may be called, by the type of what it is given."""

CONTEXT_MAKERS = frozenset({"contextlib.contextmanager", "contextlib.asynccontextmanager"})

MAX_ANCESTORS = 100

ENUM_BASES = frozenset({"enum.Enum", "enum.StrEnum", "enum.IntEnum", "enum.Flag", "enum.IntFlag"})


def define_function(
    machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope
) -> Value:
    """The value that a `def` binds, after its decorators."""
    value: Value = function_value(machine, node, scope)
    if scope.kind == "function":
        machine.inner_scopes[node] = scope
    for decorator in reversed(node.decorator_list):
        value = _decorate(machine, decorator, value, scope)
    return value


def function_value(machine: Machine, node: FunctionNode, scope: Scope) -> Function:
    """The function that a definition or lambda makes, before any decorator."""
    name = node.name if not isinstance(node, ast.Lambda) else "<lambda>"
    inside = scope.qualified
    qualified = name if scope.kind == "module" else f"{inside}.{name}" if inside else name
    definition = FunctionDefinition(
        node,
        scope,
        scope.module.parsed,
        qualified,
        _defaults(machine, node.args, scope),
        first_types(machine, node.args, scope),
        scope.owner if scope.kind == "class" else None,
    )
    return Function(
        name,
        qualified,
        NameOrigin(scope.module.parsed, node),
        Reader(machine, definition),
        isinstance(node, ast.AsyncFunctionDef),
        "lambda" if isinstance(node, ast.Lambda) else "function",
        definition=definition,
    )


def _defaults(machine: Machine, args: ast.arguments, scope: Scope) -> dict[str, Value]:
    positional = [*args.posonlyargs, *args.args]
    defaults: dict[str, Value] = {}
    if args.defaults:
        for arg, default in zip(positional[-len(args.defaults) :], args.defaults, strict=True):
            defaults[arg.arg] = machine.evaluate(default, scope)
    for arg, keyword in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if keyword is not None:
            defaults[arg.arg] = machine.evaluate(keyword, scope)
    return defaults


def _decorate(machine: Machine, node: ast.expr, value: Value, scope: Scope) -> Value:
    if isinstance(node, ast.Attribute) and node.attr in ("setter", "deleter"):
        return _with_setter(machine, node, value, scope)
    if not isinstance(value, Function):
        return _apply(machine, node, value, scope)
    assert isinstance(value.definition, FunctionDefinition)
    bare = node.func if isinstance(node, ast.Call) else node
    if isinstance(bare, ast.Attribute) and bare.attr == "register":
        _register(machine, bare, value, scope)
    decorator = machine.evaluate(bare, scope)
    if isinstance(decorator, External):
        name = decorator.qualified
        if name == "functools.wraps" and isinstance(node, ast.Call) and node.args:
            return _wrapping(value, machine.evaluate(node.args[0], scope))
        value.definition.flavour = FLAVOURS.get(name, value.definition.flavour)
        value.definition.remembers |= name in CACHES
        if name in CONTEXT_MAKERS:
            value.definition.is_context = True
        if name not in TRANSPARENT:
            value.decorators = (*value.decorators, name)
        return value
    if isinstance(decorator, Function | Method):
        return _apply(machine, node, value, scope)
    value.decorators = (*value.decorators, ast.unparse(bare))
    return value


def _register(machine: Machine, node: ast.Attribute, value: Function, scope: Scope) -> None:
    """Note a function that another one may call instead of itself."""
    known = machine.evaluate(node.value, scope)
    if isinstance(known, Function) and isinstance(known.definition, FunctionDefinition):
        if not DISPATCHERS.isdisjoint(known.decorators):
            known.definition.registered.append(value)


def _with_setter(machine: Machine, node: ast.Attribute, value: Value, scope: Scope) -> Value:
    """The property that a `@x.setter` adds to."""
    known = machine.evaluate(node.value, scope)
    if not isinstance(known, Function) or not isinstance(known.definition, FunctionDefinition):
        return value
    if node.attr != "setter" or not isinstance(value, Function):
        return known
    return replace(known, definition=replace(known.definition, setter=value))


def _apply(machine: Machine, node: ast.expr, value: Value, scope: Scope) -> Value:
    """Call a decorator of the project. What it returns is what the name stands for."""
    decorator = machine.evaluate(node, scope)
    origin = machine.origin(node, scope)
    arguments = Arguments((Argument(value),), origin)
    result = machine.call(decorator, arguments, scope)
    if isinstance(result, Unknown) and isinstance(value, Function):
        value.decorators = (*value.decorators, ast.unparse(node))
        return value
    return result


def _wrapping(wrapper: Function, wrapped: Value) -> Function:
    """A wrapper that took over name and annotations of what it wraps."""
    if not isinstance(wrapped, Function):
        wrapper.wrapped = wrapped
        return wrapper
    return Function(
        wrapped.name,
        wrapped.qualified,
        wrapped.origin,
        wrapped.reader,
        wrapper.is_async,
        wrapped.kind,
        definition=wrapper.definition,
        wrapped=wrapped,
    )


def define_class(machine: Machine, node: ast.ClassDef, scope: Scope) -> Class:
    """The class that a definition makes. Its body is evaluated when it is needed."""
    bases = tuple(machine.evaluate(base, scope) for base in node.bases)
    inside = scope.qualified if scope.kind != "module" else ""
    qualified = f"{inside}.{node.name}" if inside else node.name
    module = scope.module
    definition = ClassDefinition(
        node,
        scope,
        module.parsed,
        tuple(ast.unparse(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list),
    )
    reader = _ClassFields(machine)
    made = Class(
        node.name,
        f"{module.qualified}.{qualified}",
        NameOrigin(module.parsed, node),
        reader,
        bases,
        definition,
    )
    reader.made = made
    for ancestor in lineage(made)[1:]:
        machine.subclasses.setdefault(ancestor.serial, []).append(made)
    definition.enum = _enum_kind(machine, made)
    if _builds(machine, node):
        class_body(machine, made)
    return made


def _builds(machine: Machine, node: ast.ClassDef) -> bool:
    """Whether the body itself makes something that is followed, not only its methods."""
    methods = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return any(
        isinstance(inner, ast.Name) and inner.id in machine.followed_names
        for statement in node.body
        if not isinstance(statement, methods)
        for inner in walk(statement)
    )


class _ClassFields:
    """Reads the fields of a class (see `flowlint.values.readers.ClassReader`)."""

    __slots__ = ("known", "machine", "made")

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.made: Class | None = None
        self.known: Declared | None = None

    def fields(self) -> tuple[Field, ...]:
        """The fields that the body of the class itself declares, types as texts resolved."""
        return self._declared().fields

    def hidden_fields(self) -> str | None:
        """Why the class itself may declare other fields than those, None when it does not."""
        return self._declared().hidden

    def _declared(self) -> Declared:
        definition = self.made.definition if self.made is not None else None
        if not isinstance(definition, ClassDefinition) or self.made is None:
            return Declared((), "its definition is out of sight")
        if self.known is None:
            scope = class_body(self.machine, self.made) or definition.scope
            self.known = declared_fields(self.machine, definition, scope)
        return self.known

    def annotations(self) -> dict[str, Value]:
        """The declared types of the fields, those of ancestors in the project first."""
        found: dict[str, Value] = {}
        for current in reversed(lineage(self.made) if self.made is not None else []):
            found |= {declared.name: declared.annotation for declared in current.reader.fields()}
        return found

    def method(self, name: str) -> Function | None:
        """The method that instances have under a name."""
        found = class_member(self.machine, self.made, name) if self.made is not None else None
        return found[0] if found is not None and isinstance(found[0], Function) else None

    def scope(self) -> Scope | None:
        """The names in the class body."""
        return class_body(self.machine, self.made) if self.made is not None else None


def _enum_kind(machine: Machine, made: Class) -> str | None:
    """The kind of an enumeration; `str` where it is one of texts, `printed` if it prints them."""
    names = external_bases(made)
    for name in names:
        if name in ENUM_BASES:
            kind = name.rsplit(".", 1)[1]
            if kind != "Enum" or "builtins.str" not in names:
                return kind
            return "printed" if _prints_itself(made) else "str"
    return None


def _prints_itself(made: Class) -> bool:
    """Whether a class of the project says how its instances are printed."""
    return any(
        isinstance(statement, ast.FunctionDef) and statement.name in ("__str__", "__format__")
        for current in lineage(made)
        if isinstance(current.definition, ClassDefinition)
        for statement in current.definition.node.body
    )


def lineage(made: Class) -> list[Class]:
    """A class and its ancestors within the project, in the order a method is looked up.

    This is Python's C3 order; where that does not exist, depth first.
    """
    return _linearized(made, 0) or _depth_first(made)


def _linearized(made: Class, depth: int) -> list[Class]:
    bases = [base for base in made.bases if isinstance(base, Class)]
    if not bases or depth > MAX_ANCESTORS:
        return [made]
    if len(bases) == 1:
        return [made, *_linearized(bases[0], depth + 1)]
    sequences = [*(_linearized(base, depth + 1) for base in bases), bases]
    order = [made]
    while any(sequences):
        heads = [sequence[0] for sequence in sequences if sequence]
        free = [h for h in heads if not any(h in sequence[1:] for sequence in sequences)]
        if not free:
            return []
        order.append(free[0])
        sequences = [[c for c in sequence if c is not free[0]] for sequence in sequences]
    return order


def _depth_first(made: Class) -> list[Class]:
    found: list[Class] = []
    stack = [made]
    while stack and len(found) < MAX_ANCESTORS:
        current = stack.pop(0)
        if current not in found:
            found.append(current)
            stack = [b for b in current.bases if isinstance(b, Class)] + stack
    return found


def external_bases(made: Class) -> list[str]:
    """The qualified names of all ancestors outside the project."""
    names: list[str] = []
    for current in lineage(made):
        for base in current.bases:
            single = base
            while not isinstance(single, External) and hasattr(single, "base"):
                single = single.base
            if isinstance(single, External):
                names.append(single.qualified)
    return names


def metaclass_of(made: Class) -> Class | None:
    """The metaclass of the project that a class has, its own or an inherited one."""
    for current in lineage(made):
        definition = current.definition
        if isinstance(definition, ClassDefinition) and definition.metaclass is not None:
            return definition.metaclass
    return None


def class_body(machine: Machine, made: Class) -> Scope | None:
    """The names of a class, evaluated on first use."""
    definition = made.definition
    if not isinstance(definition, ClassDefinition):
        return None
    if definition.body is None:
        outer = definition.scope
        inside = outer.qualified if outer.kind != "module" else ""
        qualified = f"{inside}.{made.name}" if inside else made.name
        definition.body = Scope("class", qualified, outer)
        definition.body.owner = made
        mark = machine.mark()
        machine.reset()
        machine.execute(definition.node.body, definition.body)
        _name_members(machine, made, definition.body)
        machine.restore(mark)
    return definition.body


def _name_members(machine: Machine, made: Class, body: Scope) -> None:
    """Tell objects in the body of a class which names they have there."""
    for name, value in list(body.names.items()):
        if isinstance(value, Instance) and class_member(machine, value.cls, "__set_name__"):
            method = machine.attribute(value, "__set_name__", value.origin)
            given = (Argument(made), Argument(Const(name, value.origin)))
            machine.call(method, Arguments(given, value.origin), body)


def class_member(machine: Machine, made: Class, name: str) -> tuple[Value, Class] | None:
    """What a class or the nearest ancestor defines under a name."""
    for current in lineage(made):
        body = class_body(machine, current)
        if body is not None and name in body.names:
            return body.names[name], current
    return None
