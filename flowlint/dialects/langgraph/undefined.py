"""Nodes and routers that are named in code, but are nowhere to be found."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.langgraph.targets import named_step
from flowlint.dialects.reading import alternatives, text_of
from flowlint.graph.model import Violation
from flowlint.source import Span
from flowlint.values.model import Argument, Built, Operation, Sequence, Unknown, Value

ROUTERS = {"add_conditional_edges": 1, "set_conditional_entry_point": 0}
"""Methods that take a router, with its position."""


def undefined_callables(built: Built) -> Iterator[Violation]:
    """What the code names to run and does not have, each place once."""
    told: set[Span] = set()
    for operation in built.operations:
        for node, what, value in _run(operation):
            for _, single in alternatives(value):
                found = _violation(node, what, single)
                if found is not None and found.span not in told:
                    told.add(found.span)
                    yield found


def _run(operation: Operation) -> Iterator[tuple[str | None, str, Value]]:
    """What an operation gives to be run: for which node, who runs it in words, and the value."""
    arguments = operation.arguments
    if operation.method == "add_node":
        action = arguments.get("action", 1)
        first = arguments.get("node", 0)
        name = text_of(first) if first is not None and action is not None else None
        given = first if action is None else action
        if given is not None:
            yield name, _node(name), given
    elif operation.method == "add_sequence":
        steps = arguments.get("nodes", 0)
        for item in steps.items if isinstance(steps, Sequence) else ():
            name, action = named_step(item.value)
            yield name, _node(name), action
    elif operation.method in ROUTERS:
        source = arguments.find("source", 0) if ROUTERS[operation.method] else None
        router = arguments.get("path", ROUTERS[operation.method])
        if router is not None:
            yield None, _router(source), router


def _node(name: str | None) -> str:
    return f"Node `{name}`" if name is not None else "A node"


def _router(source: Argument | None) -> str:
    name = text_of(source.value) if source is not None else None
    return f"The router of `{name}`" if name is not None else "A router"


def _violation(node: str | None, what: str, value: Value) -> Violation | None:
    if not isinstance(value, Unknown) or value.missing is None:
        return None
    missing = value.missing()
    if missing is None:
        return None
    lacks = f"which `{missing.owner}` does not have" if missing.owner else "which is not defined"
    return Violation(
        value.origin.span(),
        f"{what} is to run `{missing.name}`, {lacks}: {missing.raises} is raised where the flow is "
        "made",
        f"did you mean `{missing.meant}`?" if missing.meant else "define it, or correct the name",
        node,
        "undefined-callable",
        severity=None if missing.sure else "warning",
    )
