"""Stacks, which hold flows beside the objects that they are about."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.objectstack.data_checks import Objects, data_faults
from flowlint.dialects.objectstack.data_schema import objects_of
from flowlint.dialects.objectstack.notes import Notes
from flowlint.dialects.objectstack.objects import Obj, elements, object_of
from flowlint.dialects.objectstack.parts import first_start
from flowlint.dialects.objectstack.reading import flow_graph, flow_scopes
from flowlint.dialects.objectstack.references import (
    Callables,
    callables_of,
    definition_of,
    reference_faults,
)
from flowlint.dialects.objectstack.semantics import FLOW
from flowlint.graph.model import ALWAYS, FlowGraph
from flowlint.source import Span
from flowlint.values.model import Built, Mapped


def _stack(built: Built) -> Obj | None:
    given = next((one.value for one in built.arguments.positional()), None)
    return object_of(given, built.presence) if isinstance(given, Mapped) else None


def flows_of(built: Built) -> Iterator[FlowGraph]:
    """The flows that are written in a stack itself."""
    stack = _stack(built)
    for value in elements(stack.get("flows")) if stack is not None else ():
        if isinstance(value, Mapped):
            yield flow_graph(object_of(value), "flow", None, is_parsed=False)


def remarks_of(built: Built) -> Iterator[FlowGraph]:
    """What is wrong with the flows of a stack beside its objects, functions and other flows.

    The graphs hold nothing else, as the flows themselves are told where they are written.
    """
    stack = _stack(built)
    if stack is None:
        return
    objects, callables = objects_of(stack) or {}, callables_of(stack)
    for value in elements(stack.get("flows")):
        definition = definition_of(value)
        if definition is not None:
            yield from _remarks(definition, value.origin.span(), objects, callables)


def _remarks(flow: Obj, span: Span, objects: Objects, callables: Callables) -> Iterator[FlowGraph]:
    scopes = flow_scopes(flow, ALWAYS)
    notes = Notes(False)
    if objects:
        data_faults(scopes, first_start(scopes[0].nodes), objects, notes)
    reference_faults(scopes, callables, notes)
    if notes.found:
        yield FlowGraph(
            name=flow.text("name") or "flow",
            dialect="objectstack",
            span=span,
            semantics=FLOW,
            violations=tuple(notes.found),
            malformed=True,
        )
