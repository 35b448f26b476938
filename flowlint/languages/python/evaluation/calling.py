"""Calls: functions of the project are followed into, what dialects ask for is recorded."""

from __future__ import annotations

import ast

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.python.evaluation import library, methods
from flowlint.languages.python.evaluation.abroad import follow
from flowlint.languages.python.evaluation.assigning import elements
from flowlint.languages.python.evaluation.closures import is_claimed
from flowlint.languages.python.evaluation.constructing import build, construct
from flowlint.languages.python.evaluation.definitions import DISPATCHERS
from flowlint.languages.python.evaluation.dispatching import dispatched, memory_key
from flowlint.languages.python.evaluation.escaping import (
    escape,
    escape_open,
    escape_reach,
    escape_value,
)
from flowlint.languages.python.evaluation.holdings import call_held
from flowlint.languages.python.evaluation.machine import (
    MAX_DEPTH,
    MAX_RECURSIONS,
    Frame,
    Machine,
    TooMuchWorkError,
    negated,
    value_key,
)
from flowlint.languages.python.evaluation.parameters import bind_parameters
from flowlint.languages.python.evaluation.scopes import FunctionDefinition, NodeOrigin, Scope
from flowlint.languages.python.evaluation.supercalls import call_super, is_super
from flowlint.values.conditions import alternatives, same
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
    Generic,
    Instance,
    Item,
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

HARMLESS = frozenset(
    {
        *(
            f"builtins.{name}"
            for name in (
                "bool", "callable", "dir", "hasattr", "id", "isinstance", "issubclass", "len",
                "print", "repr", "str", "super", "type", "vars",
            )
        ),
        "copy.copy", "copy.deepcopy", "pprint.pprint", "typing.cast",
    }
)  # fmt: skip
"""Functions outside the project that do not change what they are given."""


RUNS_TEXT = frozenset({"builtins.eval", "builtins.exec"})
"""Functions that run a text as code, among the names that are there."""


def evaluate_call(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    """The value of a call expression."""
    assert isinstance(node, ast.Call)
    origin = machine.origin(node, scope)
    if isinstance(node.func, ast.Attribute):
        if is_super(node.func.value):
            arguments = evaluate_arguments(machine, node, scope)
            return call_super(machine, node.func.attr, arguments, scope)
        receiver = machine.evaluate(node.func.value, scope)
        arguments = evaluate_arguments(machine, node, scope)
        name = node.func.attr
        place = machine.origin(node.func, scope)
        return machine.for_each(
            receiver, lambda v: call_method(machine, v, name, arguments, scope, place), origin
        )
    callee = machine.evaluate(node.func, scope)
    return call(machine, callee, evaluate_arguments(machine, node, scope), scope)


def evaluate_arguments(machine: Machine, node: ast.Call, scope: Scope) -> Arguments:
    """The arguments of a call, with known `*` and `**` spread out."""
    found: list[Argument] = []
    for arg in node.args:
        if not isinstance(arg, ast.Starred):
            found.append(Argument(machine.evaluate(arg, scope), place=machine.origin(arg, scope)))
            continue
        value = machine.evaluate(arg.value, scope)
        items, rest = elements(machine, value, machine.origin(arg, scope))
        if rest is None and not any(item.presence for item in items):
            found += [Argument(item.value, place=item.place) for item in items]
        else:
            found.append(Argument(value, spread="*"))
    for keyword in node.keywords:
        value = machine.evaluate(keyword.value, scope)
        if keyword.arg is not None:
            found.append(
                Argument(value, keyword.arg, place=_place(machine, value, keyword.value, scope))
            )
        elif isinstance(value, Mapped) and _plain(value):
            for entry in value.entries:
                assert isinstance(entry.key, Const)
                found.append(Argument(entry.value, str(entry.key.value)))
        else:
            found.append(Argument(value, spread="**"))
    return Arguments(tuple(found), machine.origin(node, scope))


def _place(machine: Machine, value: Value, node: ast.expr, scope: Scope) -> Origin | None:
    """Where an argument was written, where that is not where its value was."""
    origin = value.origin
    if isinstance(origin, NodeOrigin) and origin.node is node:
        return None
    return machine.origin(node, scope)


def _plain(value: Mapped) -> bool:
    known = all(isinstance(e.key, Const) and not e.presence for e in value.entries)
    return known and value.rest is None


def call(machine: Machine, callee: Value, arguments: Arguments, scope: Scope) -> Value:
    """The result of calling any value."""
    origin = arguments.origin
    if isinstance(callee, Choice):
        return machine.for_each(callee, lambda v: call(machine, v, arguments, scope), origin)
    if isinstance(callee, Function):
        return call_function(machine, callee, arguments, scope)
    if isinstance(callee, Method):
        return call_method(machine, callee.receiver, callee.name, arguments, scope, callee.origin)
    if isinstance(callee, Class):
        return construct(machine, callee, arguments, scope)
    if isinstance(callee, Generic):
        return call(machine, callee.base, arguments, scope)
    if isinstance(callee, External):
        return _call_external(machine, callee, arguments, scope)
    if isinstance(callee, Partial):
        given = tuple(Argument(value) for value in callee.arguments)
        named = tuple(Argument(value, name) for name, value in callee.keywords.items())
        merged = Arguments((*given, *arguments.items, *named), origin)
        return call(machine, callee.target, merged, scope)
    if isinstance(callee, Instance):
        method = machine.attribute(callee, "__call__", origin)
        if isinstance(method, Function):
            return call_function(machine, method, arguments, scope)
    escape(arguments, "passed to code that cannot be seen", machine, last_name(callee))
    reason = callee.reason if isinstance(callee, Unknown) else "the result of a call"
    key = _call_key(value_key(callee), arguments) or machine.once()
    return Unknown(reason, origin, key)


def last_name(callee: Value) -> str:
    """The last part of the name under which something unknown is called."""
    node = callee.origin.node if isinstance(callee.origin, NodeOrigin) else None
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _call_key(callee: str | None, arguments: Arguments) -> str | None:
    """The same call with the same constants is taken to give the same value."""
    keys = [f"{item.name}={value_key(item.value)}" for item in arguments.items]
    known = callee is not None and not any(key.endswith("None") for key in keys)
    return f"{callee}({', '.join(keys)})" if known else None


def _call_external(machine: Machine, callee: External, arguments: Arguments, scope: Scope) -> Value:
    model = machine.models.type_of.get(callee.qualified)
    if model is not None:
        return build(machine, model, None, arguments)
    result = library.call_known(machine, callee.qualified, arguments, scope)
    if result is not None:
        return result
    if callee.qualified in RUNS_TEXT and len(arguments.items) == 1:
        machine.distrust_all(f"`{callee.qualified[9:]}` may change it", arguments.origin)
    if callee.qualified not in HARMLESS:
        escape(arguments, f"passed to `{callee.qualified}`", machine, callee.qualified)
    return Call(callee.qualified, arguments, arguments.origin)


def call_method(
    machine: Machine,
    receiver: Value,
    name: str,
    arguments: Arguments,
    scope: Scope,
    place: Origin,
) -> Value:
    """The result of `receiver.name(…)`."""
    if isinstance(receiver, Built):
        return _call_built(machine, receiver, name, arguments, scope)
    if isinstance(receiver, Sequence | Mapped | Const) and not (
        isinstance(receiver, Const) and receiver.enum
    ):
        result = methods.call_container(machine, receiver, name, arguments)
        if result is not None:
            return result
    if isinstance(receiver, Sequence | Mapped):
        escape(arguments, f"passed to `{name}`, which is not followed", machine, name)
        return Unknown(f"the result of `{name}`", arguments.origin)
    if isinstance(receiver, Product):
        receiver.operation.uses.append((name, arguments.origin))
        caught = bool(machine.catching)
        use = Use(name, arguments, machine.present, caught, machine.assuming)
        receiver.operation.calls.append(use)
        if name in receiver.source.model.copies:
            return receiver
    if isinstance(receiver, Product | Call):
        escape(arguments, f"passed to `{name}`, which cannot be seen", machine, name)
        key = _call_key(f"{value_key(receiver)}.{name}", arguments) or machine.once()
        return Unknown(f"the result of `{name}`", arguments.origin, key)
    result = call_held(receiver, name, arguments.origin)
    if result is not None:
        return result
    member = machine.attribute(receiver, name, place)
    if isinstance(receiver, Instance) and isinstance(member, Unknown):
        escape_value(receiver, f"`{name}` of it cannot be seen", arguments.origin, machine, name)
    return call(machine, member, arguments, scope)


def _call_built(
    machine: Machine, built: Built, name: str, arguments: Arguments, scope: Scope
) -> Value:
    model = built.model
    given = model.gives(built, name, arguments.origin) if model.gives is not None else None
    if given is not None:
        return given
    if built.cls is not None and name not in built.attributes:
        method = machine.attribute(built, name, arguments.origin)
        if isinstance(method, Function):
            return call_function(machine, method, arguments, scope)
    if name in model.fluent or name in model.products:
        operation = Operation(name, arguments, arguments.origin, machine.present)
        if name in model.fluent and not is_claimed(machine, built, arguments.origin):
            return built
        built.operations.append(operation)
        if machine.catching and built in machine.built[: machine.catching[-1]]:
            operation.caught = True
            built.escapes.append(("what it refuses is caught", arguments.origin))
        if name in model.fluent:
            return built
        return Product(built, operation, arguments.origin)
    if name in built.attributes:
        return call(machine, built.attributes[name], arguments, scope)
    if name not in model.readers:
        built.escapes.append((f"`{name}` is called on it", arguments.origin))
    return Unknown(f"the result of `{name}`", arguments.origin)


def call_function(
    machine: Machine, function: Function, arguments: Arguments, scope: Scope
) -> Value:
    """Follow a call into a function of the project."""
    definition = function.definition
    origin = arguments.origin
    if not isinstance(definition, FunctionDefinition):
        escape(arguments, f"passed to `{function.name}`, which cannot be seen", machine)
        return Unknown(f"the result of `{function.name}`", origin)
    if _is_too_deep(machine, definition):
        how = f"`{function.name}` calls itself too deeply to follow"
        escape(arguments, how, machine)
        escape_reach(function, how, origin)
        return Unknown(f"`{function.name}` calls itself", origin)
    machine.enter(function)
    if not DISPATCHERS.isdisjoint(function.decorators):
        return dispatched(machine, function, definition, arguments)
    key = memory_key(function, arguments) if definition.remembers else None
    if key in machine.remembered:
        return machine.remembered[key]
    inner = Scope("function", definition.qualified, definition.scope, machine.present)
    inner.owner = definition.owner
    inner.receiver = function.receiver
    bind_parameters(machine, definition, function.receiver, arguments, inner)

    def followed() -> Value:
        if len(machine.frames) > 1 or machine.travel.is_away:
            return run(machine, definition, inner, origin)
        return _run_in_bounds(machine, definition, inner, origin)

    def passed_over(made: int) -> Value:
        how = f"`{function.name}`, which has nothing to do with flows, is too much to follow"
        for built in machine.built[made:]:
            escape_open(built, origin)
        escape(arguments, how, machine)
        return Unknown(how, origin)

    result = follow(machine, definition.module, followed, passed_over)
    if key is not None and not machine.present:
        machine.remembered[key] = result
    return result


def _run_in_bounds(
    machine: Machine, definition: FunctionDefinition, inner: Scope, origin: Origin
) -> Value:
    """Evaluate a call so that its caller can go on when it is too much to follow."""
    spared = machine.steps // 4
    machine.steps -= spared
    depth, mark = len(machine.frames), machine.mark()
    try:
        return run(machine, definition, inner, origin)
    except (TooMuchWorkError, RecursionError):
        machine.steps = 0
        del machine.frames[depth:]
        machine.restore(mark)
        for built in machine.built:
            escape_open(built, origin)
        return Unknown(f"`{inner.qualified}` is too much to follow", origin)
    finally:
        machine.steps += spared


def _is_too_deep(machine: Machine, definition: FunctionDefinition) -> bool:
    """Whether a call is not followed. Recursion is, while nothing it depends on is unknown."""
    if len(machine.frames) >= MAX_DEPTH:
        return True
    running = [frame for frame in machine.frames if frame.definition.node is definition.node]
    if len(running) < 2:
        return False
    machine.recursions += 1
    return machine.recursions > MAX_RECURSIONS or machine.present != running[-1].base


def run(machine: Machine, definition: FunctionDefinition, inner: Scope, origin: Origin) -> Value:
    """Evaluate a function's body in a scope that holds its parameters."""
    frame = Frame(definition, machine.present, [], [])
    machine.frames.append(frame)
    mark = machine.mark()
    try:
        node = definition.node
        if isinstance(node, ast.Lambda):
            return machine.evaluate(node.body, inner)
        body = node.body
        at = _first_yield(body) if definition.is_context else None
        if at is not None:
            machine.deferred.append((body[at + 1 :], inner))
            body = body[: at + 1]
        outcome = machine.execute(body, inner)
    finally:
        machine.restore(mark)
        machine.frames.pop()
    if frame.yields or definition.is_context:
        rest = Unknown("a generator that goes on", origin) if frame.endless else None
        made = Sequence("list", [Item(v, p) for p, v in frame.yields], origin, rest)
        made.lazy = not definition.is_context
        return made
    returns = frame.returns
    if not outcome.kind:
        left: Presence = ALWAYS
        for kind, literals in outcome.exits:
            if kind == "return":
                left |= negated(literals)
        returns.append((left, Const(None, origin)))
    return _returned(machine, returns, origin)


def _first_yield(body: list[ast.stmt]) -> int | None:
    """The statement of a context manager after which the block it guards runs."""
    for index, statement in enumerate(body):
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Expr | ast.Assign) and isinstance(value, ast.Yield):
            return index
    return None


def _returned(machine: Machine, returns: list[tuple[Presence, Value]], origin: Origin) -> Value:
    if not returns:
        return Unknown("it never returns", origin)
    first = returns[0][1]
    if len(returns) == 1 or all(same(first, value) for _, value in returns):
        return first
    flat: list[tuple[Presence, Value]] = []
    for presence, value in returns:
        flat += [(presence | p, v) for p, v in alternatives(value, machine.known | presence)]
    return Choice(tuple(flat), origin)
