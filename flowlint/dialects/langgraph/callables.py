"""What a node's or router's callable tells: its name, where it declares to lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flowlint.dialects.langgraph.javascript import model as javascript
from flowlint.dialects.langgraph.javascript.terms import in_python_terms
from flowlint.dialects.langgraph.model import (
    COMMAND,
    GRAPHS,
    LITERAL,
    PAUSING,
    RUNNABLE_NAMES,
    SENDS,
    UNIONS,
)
from flowlint.dialects.reading import bare_function, reason_of, text_of
from flowlint.source import Span
from flowlint.values.model import (
    Call,
    Class,
    Const,
    External,
    Function,
    Generic,
    Instance,
    Partial,
    Product,
    Union,
    Unknown,
    Value,
)


def node_name(action: Value) -> str | None:
    """The name that LangGraph infers for a node without one, None when it cannot be told."""
    if isinstance(action, Function):
        return None if action.decorators else action.name
    if isinstance(action, Partial):
        return "partial"
    if isinstance(action, Class):
        return action.name
    if isinstance(action, Product):
        name = action.operation.arguments.get("name")
        return "LangGraph" if name is None else text_of(name)
    if isinstance(action, Call) and action.target in RUNNABLE_NAMES:
        name = action.arguments.get("name")
        return RUNNABLE_NAMES[action.target] if name is None else text_of(name)
    if isinstance(action, Instance):
        stated = action.attributes.get("__name__")
        if stated is not None:
            return text_of(stated)
        return None if action.cls.bases else action.cls.name
    return None


def sequence_name(action: Value) -> str | None:
    """The name that a node takes in a sequence, where no object has a name of its own."""
    if isinstance(action, Product):
        return "CompiledStateGraph"
    if isinstance(action, Call) and action.target in RUNNABLE_NAMES:
        return action.target.rsplit(".", 1)[-1]
    return node_name(action)


AWAITED = frozenset({"Promise", "PromiseLike", "Awaited"})


@dataclass(frozen=True, slots=True)
class Declared:
    """Where a callable declares to lead to. `targets` None: it declares nothing."""

    targets: tuple[Const, ...] | None = None
    unsure: str | None = None
    """Why it cannot be told whether it declares anything."""


def command_targets(action: Value) -> Declared:
    """The targets of a node annotated `Command[Literal[…]]`, also within a union."""
    function = _annotated_function(action)
    if function is None:
        return Declared()
    returns = function.reader.returns()
    if returns is None:
        return Declared()
    for member in _members(returns):
        if isinstance(member, Generic) and _is(member.base, COMMAND) and member.arguments:
            found = literal_targets(member.arguments[0])
            if found is None:
                return Declared()
            if function.decorators:
                return Declared(unsure="its decorator may hide its annotation")
            return found
    return Declared()


def route_targets(router: Value) -> Declared:
    """The targets of a router annotated exactly `Literal[…]`."""
    function = router if isinstance(router, Function) else None
    if function is None:
        return Declared()
    returns = function.reader.returns()
    if returns is None:
        return Declared()
    found = literal_targets(returns)
    if found is None:
        return Declared()
    if function.decorators:
        return Declared(unsure="its decorator may hide its annotation")
    return found


def typed_targets(router: Value) -> tuple[Const, ...] | None:
    """The texts that a router's declared type says it returns, None where that says less.

    For JavaScript: there it is only a hint, as the type is gone when the program runs.
    """
    function = router if isinstance(router, Function) else None
    returns = function.reader.returns() if function is not None else None
    while isinstance(returns, Generic) and _is(returns.base, AWAITED) and returns.arguments:
        returns = returns.arguments[0]
    members = _members(returns) if returns is not None else ()
    found = tuple(m for m in members if isinstance(m, Const) and isinstance(m.value, str))
    return found if members and len(found) == len(members) else None


def literal_targets(value: Value) -> Declared | None:
    """The members of a `Literal[…]`, None when the type is none."""
    if not isinstance(value, Generic) or not _is(value.base, LITERAL):
        return None
    targets: list[Const] = []
    for argument in value.arguments:
        if isinstance(argument, Const):
            targets.append(argument)
            continue
        inner = literal_targets(argument)
        if inner is None or inner.targets is None:
            return Declared(unsure=f"a member of its `Literal` is {reason_of(argument)}")
        targets += inner.targets
    return Declared(tuple(targets))


def _members(value: Value) -> tuple[Value, ...]:
    """The members of a union type, or the type alone."""
    if isinstance(value, Union):
        return value.members
    if isinstance(value, Generic) and _is(value.base, UNIONS):
        return value.arguments
    return (value,)


def _is(value: Value, names: frozenset[str]) -> bool:
    if isinstance(value, External):
        return value.qualified in names
    return isinstance(value, Class) and value.qualified in names


def _annotated_function(action: Value) -> Function | None:
    """The function whose annotations LangGraph reads; for objects that of `__call__`."""
    if isinstance(action, Function):
        return action
    if isinstance(action, Instance):
        return action.cls.reader.method("__call__")
    return None


def routes_itself(action: Value) -> Literal["no", "maybe", "does"]:
    """Whether a node's code may hand over to nodes that no edge names.

    `does` when it is seen to use `Command` or `Send`, `maybe` when it cannot be told.
    """
    if isinstance(action, Product):
        return _subgraph_routes(action)
    function = bare_function(action)
    if function is None:
        tools = isinstance(action, Call) and action.target in RUNNABLE_NAMES
        return "no" if tools and not isinstance(action, Unknown) else "maybe"
    if any(
        isinstance(value, Product) and _subgraph_routes(value) != "no"
        for value in function.reader.mentions()
    ):
        return "maybe"
    if not function.reader.may_return(SENDS):
        return "no"
    mentioned = function.reader.names_used()
    return "does" if mentioned & {"Command", "Send"} else "maybe"


def _subgraph_routes(action: Product) -> Literal["no", "maybe"]:
    """A subgraph leads on by itself only where a node of it addresses its parent."""
    source = in_python_terms(action.source)
    if source.model not in (*GRAPHS, *javascript.GRAPHS) or source.parameter or source.escapes:
        return "maybe"
    for operation in source.operations:
        for item in operation.arguments.items:
            function = bare_function(item.value)
            if function is not None and "PARENT" in function.reader.names_used():
                return "maybe"
    return "no"


WORD = "nterrupt"
"""What is in the names of all that stops a run."""


def may_pause(action: Value) -> bool:
    """Whether a node's code may stop the run by `interrupt()`, itself or through what it calls.

    Code out of sight may always do so.
    """
    called = function_of(action)
    return called is None or called[0].reader.may_run(called[1], PAUSING, WORD)


def pauses(action: Value) -> Span | None:
    """Where a node's code, or that of a function it calls, is seen to stop the run so."""
    called = function_of(action)
    origin = called[0].reader.runs(called[1], PAUSING, WORD) if called is not None else None
    return origin.span() if origin is not None else None


def function_of(action: Value) -> tuple[Function, Value | None] | None:
    """The function that runs when something is called, and what it is bound to."""
    while isinstance(action, Partial):
        action = action.target
    if isinstance(action, Function):
        return action, action.receiver
    function = _annotated_function(action)
    return None if function is None else (function, action)
