"""The state of a graph: the keys of its schemas, and of those that its nodes and routers name."""

from __future__ import annotations

from collections.abc import Iterable

from flowlint.dialects.langgraph import targets
from flowlint.dialects.langgraph.known_types import (
    RUNNABLES,
    SCHEMALESS,
    STATELESS_ROUTERS,
)
from flowlint.dialects.langgraph.schemas import ROOT, Keys, class_keys, keys_of
from flowlint.dialects.reading import alternatives, written
from flowlint.graph.code import StateSchema
from flowlint.source import Span
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Call,
    Class,
    Const,
    External,
    Function,
    Generic,
    Instance,
    Mapped,
    Module,
    Operation,
    Partial,
    Product,
    Sequence,
    Union,
    Unknown,
    Value,
)

FURTHER = (("input_schema", "input"), ("output_schema", "output"))
"""The names under which a builder takes further schemas, newer ones first."""


def read_state(built: Built, operations: Iterable[Operation]) -> StateSchema | None:
    """The state of what a builder makes of these operations, None where it has no schema."""
    stated = built.arguments.find("state_schema", 0)
    if stated is None:
        return None
    keys = keys_of(stated.value, written(stated))
    if built.arguments.spread:
        keys.more = keys.more or "the arguments of the builder are not known"
    if built.cls is not None:
        keys.more = keys.more or f"`{built.cls.name}` may add to its state by itself"
    outputs = _outputs(built, frozenset(keys.channels))
    for names in FURTHER:
        _join(keys, next((a for a in map(built.arguments.find, names) if a is not None), None))
    for operation in operations:
        _by_operation(keys, operation)
    if built.escapes:
        keys.more = keys.more or f"its nodes may name further keys: {built.escapes[0][0]}"
    return StateSchema(
        channels=keys.channels,
        span=written(stated),
        name=_name(stated.value),
        more=keys.more,
        whole=keys.more is None and set(keys.channels) == {ROOT},
        outputs=outputs,
    )


def _outputs(built: Built, keys: frozenset[str]) -> frozenset[str]:
    """The keys that surely are given back: those of the output schema, or else of the state."""
    stated = next((a for a in map(built.arguments.find, FURTHER[1]) if a is not None), None)
    if built.arguments.spread or stated is None:
        return frozenset() if built.arguments.spread else keys
    found: list[frozenset[str]] = []
    for _, single in alternatives(stated.value):
        is_none = isinstance(single, Const) and single.value is None
        found.append(keys if is_none else frozenset(keys_of(single, written(stated)).channels))
    return frozenset.intersection(*found) if found else frozenset()


def _name(schema: Value) -> str:
    """How a schema is called."""
    if isinstance(schema, Class):
        return schema.name
    if isinstance(schema, Generic):
        return _name(schema.base)
    return schema.qualified.rsplit(".", 1)[-1] if isinstance(schema, External) else ""


def _join(keys: Keys, schema: Argument | None) -> None:
    """Take in a schema that an argument names; None names none."""
    for _, single in alternatives(schema.value) if schema is not None else ():
        if not (isinstance(single, Const) and single.value is None):
            keys.join(keys_of(single, written(schema)))


def _by_operation(keys: Keys, operation: Operation) -> None:
    """Take in what a node or router names."""
    arguments = operation.arguments
    place = operation.origin.span()
    if operation.method == "add_node":
        _by_node(keys, arguments, place)
    elif operation.method == "add_sequence":
        steps = arguments.get("nodes", 0)
        known = isinstance(steps, Sequence) and steps.rest is None
        if not known:
            keys.more = keys.more or "not all of its nodes are known"
        for item in steps.items if isinstance(steps, Sequence) else ():
            _by_callable(keys, targets.named_step(item.value)[1], place)
    elif operation.method == "add_conditional_edges":
        _by_router(keys, arguments.get("path", 1), place)
    elif operation.method == "set_conditional_entry_point":
        _by_router(keys, arguments.get("path", 0), place)


def _by_node(keys: Keys, arguments: Arguments, place: Span) -> None:
    if arguments.spread:
        keys.more = keys.more or "the arguments of a node are not known"
        return
    stated = arguments.find("input_schema") or arguments.find("input")
    if stated is not None and not (isinstance(stated.value, Const) and stated.value.value is None):
        _join(keys, stated)
        return
    action = arguments.get("action", 1) or arguments.get("node", 0)
    if action is not None:
        _by_callable(keys, action, place)


def _by_router(keys: Keys, router: Value | None, place: Span) -> None:
    if router is None:
        keys.more = keys.more or "a router is not known"
        return
    for _, single in alternatives(router):
        if isinstance(single, External) and single.qualified in STATELESS_ROUTERS:
            continue
        wrapped = isinstance(single, Call) and single.target.rsplit(".", 1)[-1] == "RunnableLambda"
        inner = single.arguments.get("func", 0) if isinstance(single, Call) and wrapped else None
        _by_callable(keys, inner or single, place)


def _by_callable(keys: Keys, action: Value, place: Span) -> None:
    """Take in the schema that the first parameter of what is called is annotated with."""
    for _, single in alternatives(action):
        function = _read_function(single)
        if isinstance(function, str):
            keys.more = keys.more or function
        elif function is not None:
            position = 0 if function.receiver is None else 1
            if isinstance(single, Instance):
                position = 1
            annotation = function.reader.parameter(position)
            if annotation is not None:
                _by_annotation(keys, annotation, function, place)


def _read_function(action: Value) -> Function | str | None:
    """The function whose annotations LangGraph reads, None where it reads none.

    A text says why it cannot be told.
    """
    if isinstance(action, Function):
        if action.decorators:
            return f"what `{action.name}` takes may be changed by its decorator"
        return None if action.kind == "lambda" else action
    if isinstance(action, Instance):
        method = action.cls.reader.method("__call__")
        if method is None and any(not isinstance(base, Class) for base in action.cls.bases):
            return f"what an object of `{action.cls.name}` takes is out of sight"
        return method
    if isinstance(action, Call) and (
        action.target in SCHEMALESS or action.target.startswith(RUNNABLES)
    ):
        return None
    if isinstance(action, Partial | Product | Class | Built | Mapped | Sequence | Const | Module):
        return None
    if isinstance(action, External):
        return f"what `{action.qualified}` takes is out of sight"
    if isinstance(action, Call):
        return f"what `{action.target}` made takes is out of sight"
    return "what one of its nodes or routers takes is not known"


def _by_annotation(keys: Keys, annotation: Value, function: Function, place: Span) -> None:
    """Take in an annotation, where it is a class with fields."""
    for _, single in alternatives(annotation):
        if isinstance(single, Class):
            keys.join(class_keys(single))
            continue
        if isinstance(single, Union | Const | Sequence | Mapped):
            continue
        found = keys_of(single, place)
        # Types that are the whole state as a schema are no classes with fields.
        if ROOT not in found.channels:
            if isinstance(single, Unknown):
                found.more = f"the annotation of `{function.name}` is not known: {single.reason}"
            keys.join(found)
