"""Python files and notebooks in, followed objects out."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flowlint.graph.model import ALWAYS
from flowlint.languages.python.evaluation import definitions, expressions, imports, statements
from flowlint.languages.python.evaluation.attributes import attribute, bind
from flowlint.languages.python.evaluation.calling import call, run
from flowlint.languages.python.evaluation.constructing import build, construct, model_of
from flowlint.languages.python.evaluation.definitions import class_member
from flowlint.languages.python.evaluation.escaping import escape_open
from flowlint.languages.python.evaluation.machine import (
    MAX_STEPS,
    Machine,
    Parts,
    TooMuchWorkError,
)
from flowlint.languages.python.evaluation.openness import (
    open_globals,
    open_instance,
)
from flowlint.languages.python.evaluation.parametrized import parametrized
from flowlint.languages.python.evaluation.program import Program
from flowlint.languages.python.evaluation.roots import Root, find_roots
from flowlint.languages.python.evaluation.scopes import (
    FunctionDefinition,
    ModuleScope,
    Scope,
)
from flowlint.languages.python.reading import ParsedModule, SyntaxFault
from flowlint.source import Files, Span
from flowlint.values.model import (
    Arguments,
    Built,
    Choice,
    Class,
    External,
    Function,
    Instance,
    Models,
    Origin,
    Unknown,
    Value,
)

RECURSION_LIMIT = 20_000

PARTS = Parts(expressions.HANDLERS, statements.execute, call, attribute)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What evaluating one file brought to light."""

    built: tuple[Built, ...]
    faults: tuple[SyntaxFault, ...] = ()
    lost: tuple[Span, ...] = ()


def evaluate_file(path: str, files: Files, root: str, models: Models) -> Evaluation:
    """Follow all that a file builds. Raises OSError when the file cannot be read."""
    files.read(path)
    program = Program(files, root, relative=not os.path.isabs(path))
    machine = Machine(program, models, PARTS)
    _watch_modules(machine)
    module = program.load(path)
    if module is None:
        return Evaluation(())
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    _Roots(machine, module).evaluate_all()
    machine.steps = MAX_STEPS
    machine.reset()
    parsed = module.parsed
    _open_around(machine.built, parsed)
    return Evaluation(tuple(machine.built), parsed.faults, parsed.lost)


def _open_around(built: list[Built], parsed: ParsedModule) -> None:
    """What could not be read may have built on: flows of the same definition stay open."""
    homes = [
        (statement.lineno, statement.end_lineno or statement.lineno)
        for statement in parsed.tree.body
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]

    def home(span: Span) -> tuple[int, int] | None:
        return next((h for h in homes if h[0] <= span.line <= h[1]), None)

    for lost in parsed.lost:
        around = home(lost)
        for one in built:
            places = [one.origin, *(operation.origin for operation in one.operations)]
            if any(s.path == lost.path and home(s) == around for s in _spans(places)):
                one.escapes.append(("a statement here cannot be read", one.origin))


def _spans(origins: list[Origin]) -> list[Span]:
    return [origin.span() for origin in origins]


def _watch_modules(machine: Machine) -> None:
    """Let every module that is loaded evaluate its names on demand."""
    load = machine.program.load

    def late(module: ModuleScope, name: str) -> Value | None:
        return imports.bind_late(machine, module, name)

    def load_watched(path: str, qualified: str | None = None) -> ModuleScope | None:
        module = load(path, qualified)
        if module is not None and module.late is None:
            module.late = late
        return module

    machine.program.load = load_watched  # type: ignore[method-assign]


class _Roots:
    """Evaluates a module, then those of its functions that build flows and were not called."""

    def __init__(self, machine: Machine, module: ModuleScope) -> None:
        self.machine = machine
        self.module = module
        self.instances: dict[str, Value] = {}

    def evaluate_all(self) -> None:
        machine, module = self.machine, self.module
        module.started = True
        self._guarded(lambda: machine.execute(module.parsed.tree.body, module))
        open_globals(module)
        direct, callers = find_roots(module.parsed, machine.models)
        self._all(direct)
        self._nested(direct)
        if any(_is_unsettled(built) for built in machine.built):
            self._all(callers)

    def _all(self, roots: list[Root]) -> None:
        for root in roots:
            if root.node not in self.machine.entered:
                self._root(root)

    def _guarded(self, act: object) -> object:
        """Do some evaluation; when it grows too large, what is being built stays open."""
        machine = self.machine
        first = len(machine.built)
        machine.steps = MAX_STEPS + len(self.module.parsed.text) // 3
        machine.reset()
        machine.frames.clear()
        try:
            return act() if callable(act) else None
        except (TooMuchWorkError, RecursionError):
            for built in machine.built[first:]:
                escape_open(built, built.origin)
            return None

    def _root(self, root: Root) -> None:
        machine = self.machine
        first = len(machine.built)
        machine.assuming = root.name
        self._evaluate(root, defaults=False)
        made = machine.built[first:]
        if root.node.args.defaults or any(root.node.args.kw_defaults):
            if any(_is_open(built) for built in made):
                again = len(machine.built)
                self._evaluate(root, defaults=True)
                if len(machine.built) > again:
                    for built in machine.built[again:]:
                        how = f"`{root.name}` is taken with its default arguments"
                        if _is_open_anywhere(made, built):
                            built.escapes.append((how, built.origin))
                    del machine.built[first:again]
        machine.assuming = None

    def _evaluate(self, root: Root, *, defaults: bool) -> None:
        def act() -> None:
            function = self._function(root)
            if function is None or not isinstance(function.definition, FunctionDefinition):
                return
            for given in parametrized(self.machine, root.node, self.module):
                result = _run_with_unknowns(self.machine, function, defaults=defaults, given=given)
                _mark_returned(result)

        self._guarded(act)

    def _function(self, root: Root) -> Function | None:
        """The function of a root, bound to an instance of its class where it has one."""
        if not root.classes:
            found = self.module.lookup(root.name, ALWAYS)
            if _is_for(found, root):
                assert isinstance(found, Function)
                return found
            return definitions.function_value(self.machine, root.node, self.module)
        owner = self.module.lookup(root.classes[0].name, ALWAYS)
        for inner in root.classes[1:]:
            if isinstance(owner, Class):
                owner = attribute(self.machine, owner, inner.name, owner.origin)
        if not isinstance(owner, Class):
            return None
        member = class_member(self.machine, owner, root.name)
        if member is None or not _is_for(member[0], root):
            return None
        method = member[0]
        assert isinstance(method, Function)
        if isinstance(method.definition, FunctionDefinition):
            if method.definition.flavour == "static":
                return method
            if method.definition.flavour == "class":
                return bind(method, owner)
        receiver = self._instance(owner)
        if root.name == "__init__" and root.node in self.machine.entered:
            return None
        return bind(method, receiver)

    def _instance(self, owner: Class) -> Value:
        """One instance of a class, made with unknown arguments, for all of its methods."""
        if owner.qualified not in self.instances:
            known = Instance(owner, owner.origin)
            self.instances[owner.qualified] = known
            unknown = Unknown("an argument", owner.origin)
            init = class_member(self.machine, owner, "__init__")
            if init is not None and isinstance(init[0], Function):
                model = model_of(self.machine, owner)
                receiver: Value = known
                if model is not None:
                    made = construct(
                        self.machine, owner, Arguments((), unknown.origin), self.module
                    )
                    receiver = made
                    self.instances[owner.qualified] = made
                else:
                    _run_with_unknowns(self.machine, bind(init[0], receiver), defaults=False)
            made_instance = self.instances[owner.qualified]
            if isinstance(made_instance, Instance):
                open_instance(made_instance)
        return self.instances[owner.qualified]

    def _nested(self, roots: list[Root]) -> None:
        """Functions inside of functions that build flows on their own and were never called."""
        machine = self.machine
        for root in roots:
            for node in ast.walk(root.node):
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    continue
                scope = machine.inner_scopes.get(node)
                if node in machine.entered or scope is None:
                    continue
                if not _mentions_type(node, machine.models):
                    continue
                function = definitions.function_value(machine, node, scope)
                machine.assuming = node.name

                def act(function: Function = function) -> None:
                    _mark_returned(_run_with_unknowns(machine, function, defaults=False))

                self._guarded(act)
                machine.assuming = None


def _mentions_type(node: ast.AST, models: Models) -> bool:
    names = {qualified.rsplit(".", 1)[-1] for qualified in models.type_of}
    return any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(node))


def _is_for(value: Value | None, root: Root) -> bool:
    return (
        isinstance(value, Function)
        and isinstance(value.definition, FunctionDefinition)
        and value.definition.node is root.node
    )


def _run_with_unknowns(
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
    machine.entered.add(node)
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
            instance.append(Instance(cls, origin))
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


def _mark_returned(value: Value) -> None:
    if isinstance(value, Built):
        value.returned = True
    elif isinstance(value, Choice):
        for _, single in value.alternatives:
            _mark_returned(single)


def _is_unsettled(built: Built) -> bool:
    """Whether a caller of the function that made it could tell more about it."""
    handed_on = built.returned and bool(built.model.products) and not _is_compiled(built)
    return built.parameter or handed_on or (built.assumed is not None and _is_open(built))


def _is_compiled(built: Built) -> bool:
    return any(o.method in built.model.products for o in built.operations)


def _is_open(built: Built) -> bool:
    """Whether something about what was built was not certain."""
    if built.escapes:
        return True
    return any(
        operation.presence - built.presence
        or any(_is_unsure(item.value) for item in operation.arguments.items)
        for operation in built.operations
    )


def _is_unsure(value: Value) -> bool:
    return isinstance(value, Unknown | Choice)


def _is_open_anywhere(made: list[Built], like: Built) -> bool:
    span = like.origin.span()
    same_site = [built for built in made if built.origin.span() == span]
    return not same_site or any(_is_open(built) for built in same_site)
