"""Flows and functions that flows call by their names, held against those of their stack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowlint.dialects.objectstack.notes import Notes
from flowlint.dialects.objectstack.objects import Obj, is_whole, object_of
from flowlint.dialects.objectstack.parts import NodePart, Scope
from flowlint.graph.names import NearNames
from flowlint.graph.reference_faults import near_rename
from flowlint.values.model import Built, Mapped, Value
from flowlint.values.model import Sequence as List


@dataclass(frozen=True, slots=True)
class Callables:
    """The names of the flows and functions of a stack; None where they are not all known."""

    flows: frozenset[str] | None
    functions: frozenset[str] | None


def callables_of(stack: Obj) -> Callables:
    """What the nodes of a stack's flows may call."""
    return Callables(_flows(stack.get("flows")), _functions(stack))


def _flows(value: Value | None) -> frozenset[str] | None:
    if not isinstance(value, List) or not is_whole(value):
        return None
    names = {_name(item.value) for item in value.items}
    return None if None in names else frozenset(str(name) for name in names)


def _name(value: Value) -> str | None:
    definition = definition_of(value)
    return definition.text("name") if definition is not None else None


def definition_of(value: Value) -> Obj | None:
    """The object that a flow of a stack is written as."""
    if isinstance(value, Built):
        given = next((one.value for one in value.arguments.positional()), None)
        return object_of(given) if isinstance(given, Mapped) else None
    return object_of(value) if isinstance(value, Mapped) else None


def _functions(stack: Obj) -> frozenset[str] | None:
    value = stack.get("functions")
    if value is None:
        return frozenset() if stack.lacks("functions") else None
    if not isinstance(value, Mapped):
        return None
    obj = object_of(value)
    return None if obj.is_open or obj.unsure else frozenset(obj.fields)


def reference_faults(scopes: Sequence[Scope], callables: Callables, notes: Notes) -> None:
    """Note what is called and is not there, as far as the stack tells."""
    for node in (node for scope in scopes for node in scope.nodes if not node.presence):
        for key, what, names in _called(node, callables):
            given = node.config.fields.get(key)
            name = node.config.text(key)
            if given is None or not name or names is None or name in names or "{" in name:
                continue
            meant = NearNames(list(names)).of(name)
            notes.add(
                given.span,
                f"`{node.id}` calls the {what} `{name}`, which this stack does not have: without a "
                "package that does, the run fails when it gets there",
                f"did you mean `{meant}`?" if meant else "see that the package is installed",
                rule="undefined-callable",
                node=node.id,
                severity="warning" if meant else "info",
                rename=near_rename(given.span, name, list(names)),
            )


def _called(
    node: NodePart, callables: Callables
) -> Iterator[tuple[str, str, frozenset[str] | None]]:
    if node.kind in ("subflow", "map"):
        yield "flowName", "flow", callables.flows
    elif node.kind == "script":
        yield "function", "function", callables.functions
