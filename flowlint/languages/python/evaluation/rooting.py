"""Follows a module, then those of its functions that build flows and were not called."""

from __future__ import annotations

import ast

from flowlint.graph.model import ALWAYS
from flowlint.languages.python.evaluation.assuming import run_with_unknowns
from flowlint.languages.python.evaluation.attributes import attribute, bind
from flowlint.languages.python.evaluation.closures import (
    open_closures,
)
from flowlint.languages.python.evaluation.constructing import (
    construct,
    constructor,
    model_of,
)
from flowlint.languages.python.evaluation.definitions import class_member, function_value
from flowlint.languages.python.evaluation.escaping import escape_open
from flowlint.languages.python.evaluation.fields import kind_of
from flowlint.languages.python.evaluation.inheriting import is_abstract
from flowlint.languages.python.evaluation.machine import MAX_STEPS, Claim, Machine, TooMuchWorkError
from flowlint.languages.python.evaluation.openness import open_globals, open_instance
from flowlint.languages.python.evaluation.parametrized import parametrized
from flowlint.languages.python.evaluation.roots import Root, find_roots, list_functions
from flowlint.languages.python.evaluation.scopes import (
    FunctionDefinition,
    FunctionNode,
    ModuleScope,
)
from flowlint.languages.python.nodes import walk
from flowlint.values.following import Models
from flowlint.values.model import (
    Arguments,
    Built,
    Choice,
    Class,
    Function,
    Instance,
    Unknown,
    Value,
)


class Roots:
    """Evaluates a module, then those of its functions that build flows and were not called."""

    def __init__(self, machine: Machine, module: ModuleScope) -> None:
        self.machine = machine
        self.module = module
        self.instances: dict[str, Value] = {}

    def evaluate_all(self) -> None:
        """Run the module, then what it only defines."""
        machine, module = self.machine, self.module
        module.started = True
        self._guarded(lambda: machine.execute(module.parsed.tree.body, module))
        open_globals(machine, module)
        functions = list_functions(module.parsed)
        direct, callers = find_roots(functions, module.parsed, machine.models)
        self._all(direct)
        self._nested(direct)
        if any(_is_unsettled(built) for built in machine.built):
            self._all(callers)
        open_closures(machine, module, functions)

    def _all(self, roots: list[Root]) -> None:
        machine = self.machine
        for root in roots:
            called = root.node in machine.entered
            first = len(machine.built)
            self._heirs(root)
            seen = len(machine.built) > first
            if called or (seen and self._is_abstract(root)):
                continue
            self._root(root)

    def _heirs(self, root: Root) -> None:
        """Subclasses that nobody was seen to make inherit the methods that build flows."""
        machine = self.machine
        owner = self._owner(root)
        for heir in machine.subclasses.get(owner.serial, ()) if owner is not None else ():
            member = class_member(machine, heir, root.name)
            in_file = getattr(heir.definition, "module", None) is self.module.parsed
            if not in_file or heir.serial in machine.constructed:
                continue
            if (root.node, heir.serial) in machine.entered_for:
                continue
            if member is not None and _is_for(member[0], root):
                self._root(root, heir)

    def _is_abstract(self, root: Root) -> bool:
        owner = self._owner(root)
        return owner is not None and is_abstract(self.machine, owner)

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

    def _root(self, root: Root, heir: Class | None = None) -> None:
        machine = self.machine
        first = len(machine.built)
        machine.assuming = root.name
        if heir is not None and _needs_nothing(root.node) and self._makes_itself(heir):
            machine.assuming = None
        self._evaluate(root, heir, defaults=False)
        made = machine.built[first:]
        if root.node.args.defaults or any(root.node.args.kw_defaults):
            if any(_is_open(built) for built in made):
                again = len(machine.built)
                self._evaluate(root, heir, defaults=True)
                if len(machine.built) > again:
                    for built in machine.built[again:]:
                        how = f"`{root.name}` is taken with its default arguments"
                        if _is_open_anywhere(made, built):
                            built.escapes.append((how, built.origin))
                    del machine.built[first:again]
        machine.assuming = None

    def _evaluate(self, root: Root, heir: Class | None, *, defaults: bool) -> None:
        def act() -> None:
            function = self._function(root, heir)
            if function is None or not isinstance(function.definition, FunctionDefinition):
                return
            for given in parametrized(self.machine, root.node, self.module):
                self._claim(root.node, root.name)
                result = run_with_unknowns(self.machine, function, defaults=defaults, given=given)
                _mark_returned(result)

        self._guarded(act)
        self.machine.claim = None

    def _claim(self, node: FunctionNode, name: str) -> None:
        """From here on a function is followed that nobody was seen to call."""
        built = self.machine.built
        last = built[-1].serial if built else 0
        self.machine.claim = Claim(node, name, self.module, last)

    def _owner(self, root: Root) -> Class | None:
        """The class in whose body a root stands."""
        if not root.classes:
            return None
        owner = self.module.lookup(root.classes[0].name, ALWAYS)
        for inner in root.classes[1:]:
            if isinstance(owner, Class):
                owner = attribute(self.machine, owner, inner.name, owner.origin)
        return owner if isinstance(owner, Class) else None

    def _makes_itself(self, made: Class) -> bool:
        """Whether a class can be instantiated without any argument, all of it in sight."""
        init = constructor(self.machine, made)
        if init is None or not isinstance(init.definition, FunctionDefinition):
            return kind_of(made) == "none"
        return kind_of(made) != "unsure" and _needs_nothing(init.definition.node)

    def _function(self, root: Root, heir: Class | None) -> Function | None:
        """The function of a root, bound to an instance of its class where it has one."""
        if not root.classes:
            found = self.module.lookup(root.name, ALWAYS)
            if _is_for(found, root):
                assert isinstance(found, Function)
                return found
            return function_value(self.machine, root.node, self.module)
        owner = heir or self._owner(root)
        if owner is None:
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
            if self.machine.assuming is None:
                return self._own_instance(owner)
            known = Instance(owner, owner.origin, stand_in="self")
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
                    run_with_unknowns(self.machine, bind(init[0], receiver), defaults=False)
            made_instance = self.instances[owner.qualified]
            if isinstance(made_instance, Instance):
                open_instance(made_instance)
        return self.instances[owner.qualified]

    def _own_instance(self, owner: Class) -> Value:
        """An instance of a class that is made without arguments."""
        machine = self.machine
        made = construct(machine, owner, Arguments((), owner.origin), self.module)
        machine.constructed.discard(owner.serial)
        self.instances[owner.qualified] = made
        if isinstance(made, Instance):
            open_instance(made)
            if machine.subclasses.get(owner.serial):
                made.stand_in = "self"
        return made

    def _nested(self, roots: list[Root]) -> None:
        """Functions inside of functions that build flows on their own and were never called."""
        machine = self.machine
        for root in roots:
            for node in walk(root.node):
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    continue
                scope = machine.inner_scopes.get(node)
                if node in machine.entered or scope is None:
                    continue
                if not _mentions_type(node, machine.models):
                    continue
                function = function_value(machine, node, scope)
                machine.assuming = node.name

                self._claim(node, node.name)

                def act(function: Function = function) -> None:
                    _mark_returned(run_with_unknowns(machine, function, defaults=False))

                self._guarded(act)
                machine.assuming = None
                machine.claim = None


def _mentions_type(node: ast.AST, models: Models) -> bool:
    names = {qualified.rsplit(".", 1)[-1] for qualified in models.type_of}
    return any(isinstance(inner, ast.Name) and inner.id in names for inner in walk(node))


def _needs_nothing(node: FunctionNode) -> bool:
    """Whether a method can be called without any argument."""
    args = node.args
    given = len(args.posonlyargs) + len(args.args) - len(args.defaults)
    return given <= 1 and None not in args.kw_defaults


def _is_for(value: Value | None, root: Root) -> bool:
    return (
        isinstance(value, Function)
        and isinstance(value.definition, FunctionDefinition)
        and value.definition.node is root.node
    )


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
