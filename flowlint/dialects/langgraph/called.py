"""Functions that LangGraph cannot call as it calls nodes and routers: with the state alone."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.langgraph.callables import function_of
from flowlint.graph.model import Violation
from flowlint.source import Span
from flowlint.values.model import Instance, Partial, Value

INJECTED = frozenset({"config", "previous", "runtime", "store", "writer"})
"""Parameters that LangGraph gives by their names, where their annotations let it."""


def call_violations(what: str, action: Value, place: Span, node: str) -> Iterator[Violation]:
    """A function of a node or router that takes no state, or wants more than it is given."""
    called = None if isinstance(action, Partial) else function_of(action)
    if called is None or called[0].decorators:
        return
    function, receiver = called
    name = "its `__call__`" if isinstance(action, Instance) else f"`{function.name}`"
    if function.kind == "lambda":
        name = "the lambda"
    wanted = function.reader.arguments(receiver)
    more = [p for p in (*wanted.required[1:], *wanted.named) if p not in INJECTED]
    if wanted.positional == 0:
        said, cure = "takes no argument", "give it a parameter for the state"
    elif more:
        shown = " and ".join(f"`{parameter}`" for parameter in more)
        said = f"wants {shown} as well"
        cure = "give the parameter a default, or bind it with `functools.partial`"
    else:
        return
    yield Violation(
        place,
        f"{what} is called with the state alone, but {name} {said}: the run raises TypeError",
        cure,
        node,
        "wrong-callable",
        (("the function is defined here", function.origin.span()),),
    )
