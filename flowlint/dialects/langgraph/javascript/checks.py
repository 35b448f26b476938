"""What only LangGraph.js refuses, or fails on: nodes that are no functions, odd containers."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.langgraph.ignored import INEFFECTIVE
from flowlint.dialects.langgraph.javascript.model import PLAIN_GRAPH
from flowlint.dialects.langgraph.javascript.terms import is_nothing
from flowlint.dialects.reading import alternatives, relative, text_of, written
from flowlint.graph.model import START, Violation
from flowlint.source import Span
from flowlint.values.model import Argument, Built, Const, Operation, Sequence, Value


def javascript_violations(built: Built) -> Iterator[Violation]:
    """All of that in what was done to a builder."""
    for operation in built.operations:
        if operation.arguments.spread:
            continue
        if operation.method == "add_node" and not operation.arguments.items:
            yield _no_nodes(operation)
        elif operation.method == "add_node":
            yield from _no_function(operation)
        elif operation.method == "add_conditional_edges":
            yield from _odd_cases(operation)
    if built.model is PLAIN_GRAPH:
        yield from _edges_twice(built)


def _no_function(operation: Operation) -> Iterator[Violation]:
    """A node that is a text, a number or nothing."""
    action = operation.arguments.find("action")
    name = text_of(operation.arguments.get("node") or Const(None, operation.origin))
    if action is None or name is None:
        return
    kinds = [_kind(single) for _, single in alternatives(action.value)]
    if not kinds or None in kinds:
        return
    yield Violation(
        written(action),
        f"Node `{name}` is given {kinds[0]} instead of a function: add_node() raises",
        "pass the function as the second argument",
        name,
    )


def _no_nodes(operation: Operation) -> Violation:
    return Violation(
        operation.origin.span(),
        "add_node() is given no nodes and raises",
        "name at least one node",
        rule="empty-flow",
    )


def _kind(value: Value) -> str | None:
    if is_nothing(value):
        return "`null`" if isinstance(value, Const) else "`undefined`"
    if not isinstance(value, Const):
        return None
    if isinstance(value.value, bool):
        return "a boolean"
    return "a string" if isinstance(value.value, str) else "a number"


def _odd_cases(operation: Operation) -> Iterator[Violation]:
    """Targets in a container whose contents are no properties of it."""
    given = operation.arguments.find("path_map")
    if given is None or not isinstance(given.value, Sequence) or given.value.kind != "set":
        return
    source = text_of(operation.arguments.get("source") or Const(None, operation.origin))
    yield Violation(
        written(given),
        "The targets are given as a Set, in which add_conditional_edges() finds none: the run "
        "fails with an Error whatever the router returns",
        "write them as an array or a plain object",
        source if source != START else None,
        INEFFECTIVE,
        severity="error",
    )


def _edges_twice(built: Built) -> Iterator[Violation]:
    """Several edges from one node, which only graphs with a state take."""
    first: dict[str, Argument] = {}
    for operation in built.operations:
        start = operation.arguments.find("start_key", 0)
        name = text_of(start.value) if start is not None else None
        if operation.method != "add_edge" or start is None or name is None:
            continue
        if relative(operation, built):
            continue
        earlier = first.setdefault(name, start)
        if earlier is not start:
            related: tuple[tuple[str, Span], ...] = (("the first one is here", written(earlier)),)
            yield Violation(
                written(start),
                f"`{name}` has an edge already, and a `Graph` takes only one: add_edge() raises",
                "use a StateGraph, or conditional edges",
                related=related,
            )
