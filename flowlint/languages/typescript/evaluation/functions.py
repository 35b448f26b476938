"""Functions as they are written, and calls that are followed into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.graph.model import Presence
from flowlint.languages.typescript.evaluation.machine import (
    MAX_ABROAD_CALL,
    MAX_DEPTH,
    MAX_RECURSIONS,
    Frame,
    Machine,
    TooMuchWorkError,
    negated,
)
from flowlint.languages.typescript.evaluation.readers import Reader
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, Scope
from flowlint.languages.typescript.reading.module import children
from flowlint.values.conditions import alternatives, chosen
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Class,
    Const,
    External,
    Function,
    Item,
    Origin,
    Sequence,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

NAMING_THEMSELVES = frozenset({"function_expression", "generator_function"})
"""Functions that see themselves under their names, which nobody else does."""

MADE_HERE = frozenset({"arrow_function", "function_expression", "generator_function", "class"})
"""Expressions that go by the name of what they are first written to."""


def no_arguments(origin: Origin) -> Arguments:
    """The arguments of a call without any."""
    return Arguments((), origin)


def expression(machine: Machine, node: Node, scope: Scope) -> Value:
    """A function that is made where it stands."""
    name = node.child_by_field_name("name")
    return function_value(machine, node, scope, scope.module.parsed.text_of(name) if name else "")


def named(machine: Machine, node: Node, target: Node | None, scope: Scope, name: str = "") -> Value:
    """The value of an expression that is written to a name, which functions then go by."""
    if node.type not in MADE_HERE or node.child_by_field_name("name") is not None:
        return machine.evaluate(node, scope)
    place: Origin | None = None
    if target is not None and target.type == "identifier":
        name = scope.module.parsed.text_of(target)
        place = machine.origin(target, scope)
    if node.type == "class":
        value = machine.evaluate(node, scope)
        if isinstance(value, Class) and name:
            value.name = name
        return value
    return function_value(machine, node, scope, name, place)


def declared(machine: Machine, node: Node, scope: Scope) -> Function:
    """The function that a declaration binds."""
    name = node.child_by_field_name("name")
    text = scope.module.parsed.text_of(name) if name is not None else "default"
    place = machine.origin(name, scope) if name is not None else None
    return function_value(machine, node, scope, text, place)


def function_value(
    machine: Machine,
    node: Node,
    scope: Scope,
    name: str,
    place: Origin | None = None,
    owner: Class | None = None,
) -> Function:
    """A function with the scope around it."""
    qualified = f"{scope.qualified}.{name or '<function>'}"
    named_node = node.child_by_field_name("name") if node.type in NAMING_THEMSELVES else None
    if named_node is not None:
        scope = Scope("block", scope.qualified, scope, machine.present)
    definition = FunctionDefinition(node, scope, scope.module.parsed, qualified, owner)
    is_lambda = node.type == "arrow_function" and place is None
    made = Function(
        name or "function",
        qualified,
        place or machine.origin(node, scope),
        Reader(machine, definition),
        any(child.type == "async" for child in node.children[:3]),
        "lambda" if is_lambda else "function",
        definition=definition,
    )
    if named_node is not None:
        scope.names[scope.module.parsed.text_of(named_node)] = made
    if definition.key not in machine.inner:
        machine.order.append(definition.key)
    machine.inner[definition.key] = made
    return made


def method(machine: Machine, node: Node, scope: Scope, owner: Value, key: Value) -> Function:
    """A method of an object literal."""
    text = key.value if isinstance(key, Const) and isinstance(key.value, str) else "method"
    made = function_value(machine, node, scope, text, key.origin)
    made.kind = "method"
    made.receiver = owner
    return made


def bound(function: Function, receiver: Value) -> Function:
    """A function with what `this` is in it."""
    return Function(
        function.name,
        function.qualified,
        function.origin,
        function.reader,
        function.is_async,
        "method",
        receiver,
        function.decorators,
        function.definition,
        function.attributes,
    )


def call_function(
    machine: Machine, function: Function, arguments: Arguments, this: Value | None = None
) -> Value:
    """Follow a call into a function of the project."""
    from flowlint.languages.typescript.evaluation.escaping import escape, escape_open

    definition = function.definition
    origin = arguments.origin
    if not isinstance(definition, FunctionDefinition):
        escape(machine, arguments, f"passed to `{function.name}`, which cannot be seen")
        return Unknown(f"the result of `{function.name}`", origin)
    if _is_too_deep(machine, definition):
        how = f"`{function.name}` calls itself too deeply to follow"
        escape(machine, _all(function, arguments), how)
        return Unknown(f"`{function.name}` calls itself", origin)
    machine.entered.add(definition.key)
    inner = call_scope(machine, function, this)

    def act() -> Value:
        bind_parameters(machine, definition, arguments, inner)
        return run(machine, definition, inner, origin)

    if not machine.is_away and not machine.is_near(definition.module):
        found = _followed_abroad(machine, act)
        if found is not None:
            return found
        how = f"`{function.name}`, which has nothing to do with flows, is too much to follow"
        escape(machine, _all(function, arguments), how)
        return Unknown(how, origin)
    if machine.frames:
        return act()
    found = within(machine, machine.steps - machine.steps // 4, act)
    if found is not None:
        return found
    for built in machine.built:
        escape_open(built, origin)
    return Unknown(f"`{function.name}` is too much to follow", origin)


def _all(function: Function, arguments: Arguments) -> Arguments:
    """What a call hands over: its arguments and, where that is a builder, what it is called on."""
    receiver = function.receiver
    if not isinstance(receiver, Built):
        return arguments
    return Arguments((*arguments.items, Argument(receiver)), arguments.origin)


def within(machine: Machine, limit: int, act: Callable[[], Value]) -> Value | None:
    """Evaluate something with a part of the work that is left; None when that was not enough."""
    spared = machine.steps - limit
    machine.steps = limit
    depth, mark, nesting = len(machine.frames), machine.mark(), machine.nesting
    try:
        return act()
    except TooMuchWorkError:
        machine.steps = 0
        del machine.frames[depth:]
        machine.restore(mark)
        machine.nesting = nesting
        return None
    finally:
        machine.steps += spared


def _followed_abroad(machine: Machine, act: Callable[[], Value]) -> Value | None:
    """Follow a call into a module that has nothing to do with flows, not too far."""
    limit = min(MAX_ABROAD_CALL, machine.abroad, machine.steps)
    if limit <= 0:
        return None
    before = machine.steps
    first = len(machine.built)
    machine.is_away = True
    try:
        found = within(machine, limit, act)
    finally:
        machine.is_away = False
        machine.abroad -= max(before - machine.steps, 0)
    if found is None:
        for built in machine.built[first:]:
            built.escapes.append(("the code is too large to follow", built.origin))
    return found


def call_scope(machine: Machine, function: Function, this: Value | None = None) -> Scope:
    """The scope of a call, without its parameters."""
    definition = function.definition
    assert isinstance(definition, FunctionDefinition)
    kind = "arrow" if definition.is_arrow else "function"
    inner = Scope(kind, definition.qualified, definition.scope, machine.present)  # type: ignore[arg-type]
    inner.owner = definition.owner
    inner.this = function.receiver if function.receiver is not None else this
    return inner


def _is_too_deep(machine: Machine, definition: FunctionDefinition) -> bool:
    """Whether a call is not followed. Recursion is, while nothing it depends on is unknown."""
    if len(machine.frames) >= MAX_DEPTH:
        return True
    running = [frame for frame in machine.frames if frame.definition.key == definition.key]
    if len(running) < 2:
        return False
    machine.recursions += 1
    return machine.recursions > MAX_RECURSIONS or machine.present != running[-1].base


def parameters_of(node: Node) -> list[Node]:
    """The parameters of a function, a declared `this` left out."""
    alone = node.child_by_field_name("parameter")
    if alone is not None:
        return [alone]
    listed = node.child_by_field_name("parameters")
    found = children(listed) if listed is not None else []
    return [part for part in found if not _is_this(part)]


def _is_this(part: Node) -> bool:
    pattern = part.child_by_field_name("pattern")
    return pattern is not None and pattern.type == "this"


def bind_parameters(
    machine: Machine, definition: FunctionDefinition, arguments: Arguments, inner: Scope
) -> None:
    """Write the arguments of a call to the parameters, with defaults for those not given."""
    from flowlint.languages.typescript.evaluation.assigning import assign, with_default

    given = list(arguments.positional())
    spread = next((n for n, item in enumerate(given) if item.spread), None)
    origin = arguments.origin
    for index, part in enumerate(parameters_of(definition.node)):
        pattern = part.child_by_field_name("pattern") or part
        if pattern.type == "rest_pattern":
            items = [item.value for item in given[index:spread]]
            rest = Unknown("more arguments", origin) if spread is not None else None
            made = Sequence("list", [Item(value) for value in items], origin, rest)
            target = children(pattern)
            if target:
                assign(machine, target[0], made, inner, home=inner)
            continue
        if spread is not None and index >= spread:
            value: Value = Unknown("an argument that is spread", origin)
        elif index < len(given):
            value = given[index].value
        else:
            value = External("undefined", origin)
        default = part.child_by_field_name("value")
        if default is not None:
            value = with_default(machine, value, default, inner)
        assign(machine, pattern, value, inner, home=inner)
        if part.child_by_field_name("pattern") is not None and inner.this is not None:
            _note_property(machine, part, value, inner)


def _note_property(machine: Machine, part: Node, value: Value, inner: Scope) -> None:
    """A parameter of a constructor with `private` or the like is a property as well."""
    from flowlint.languages.typescript.evaluation.assigning import set_element

    pattern = part.child_by_field_name("pattern")
    modifiers = {child.type for child in part.children}
    if modifiers & {"accessibility_modifier", "readonly"} and pattern is not None:
        origin = machine.origin(pattern, inner)
        if pattern.type == "identifier" and inner.this is not None:
            key = Const(inner.module.parsed.text_of(pattern), origin)
            set_element(machine, inner.this, key, value, origin)


def run(machine: Machine, definition: FunctionDefinition, inner: Scope, origin: Origin) -> Value:
    """Evaluate a function's body in a scope that holds its parameters."""
    body = definition.node.child_by_field_name("body")
    if body is None:
        return Unknown(f"`{definition.qualified}` has no body", origin)
    frame = Frame(definition, machine.present, [])
    if definition.node.type.startswith("generator") or _is_generator(definition.node):
        frame.yields = Sequence("list", [], origin)
    machine.frames.append(frame)
    mark = machine.mark()
    try:
        if body.type != "statement_block":
            return machine.evaluate(body, inner)
        outcome = machine.execute(children(body), inner)
    finally:
        machine.restore(mark)
        machine.frames.pop()
    if frame.yields is not None:
        return frame.yields
    returns = frame.returns
    if outcome.kind is None:
        staying: Presence = frozenset()
        for kind, literals in outcome.exits:
            if kind == "return":
                staying |= negated(literals)
        returns = [*returns, (staying, External("undefined", origin))]
    return _returned(machine, returns, origin)


def _is_generator(node: Node) -> bool:
    return node.type == "method_definition" and any(c.type == "*" for c in node.children[:4])


def _returned(machine: Machine, returns: list[tuple[Presence, Value]], origin: Origin) -> Value:
    """What a call gives that returned in several places, under the condition of each."""
    if not returns:
        return Unknown("a function that does not return", origin)
    found: list[tuple[Presence, Value]] = []
    for presence, value in returns:
        for inner, single in alternatives(value, machine.known | presence):
            merged = presence | inner
            if not any((test, not outcome) in merged for test, outcome in merged):
                found.append((merged, single))
            if not merged:
                break
    if not found:
        return Unknown("a function that does not return", origin)
    if len(found) == 1 and (not found[0][0] or len(returns) == 1):
        return found[0][1]
    return chosen(found, origin)
