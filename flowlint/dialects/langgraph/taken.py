"""The schemas that nodes and routers take: stated, or the type of their first parameter."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.langgraph.editions import Edition
from flowlint.dialects.langgraph.known_types import (
    RUNNABLES,
    SCHEMALESS,
    STATELESS_ROUTERS,
)
from flowlint.dialects.langgraph.schemas import ROOT, Keys, class_keys, keys_of
from flowlint.dialects.reading import alternatives, written
from flowlint.source import Span
from flowlint.values.model import (
    Arguments,
    Built,
    Call,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapped,
    Module,
    Partial,
    Product,
    Sequence,
    Union,
    Unknown,
    Value,
)


def taken_by_node(arguments: Arguments, place: Span, edition: Edition) -> list[Keys | None]:
    """The schemas of what `add_node` adds, one for each value that it may be.

    None stands for the schema of the state itself.
    """
    if arguments.spread:
        return [Keys(more="the arguments of a node are not known")]
    stated = arguments.find("input_schema") or arguments.find("input")
    found: list[Keys | None] = []
    if stated is not None:
        for _, schema in alternatives(stated.value):
            if not (isinstance(schema, Const) and schema.value is None):
                found.append(edition.keys_of(schema, written(stated)))
    action = arguments.get("action", 1) or arguments.get("node", 0)
    if found or action is None:
        return found
    return list(taken_by(action, place, edition))


def taken_by_router(router: Value | None, place: Span, edition: Edition) -> Iterator[Keys | None]:
    """The schemas of a router, one for each value that it may be."""
    if router is None:
        yield Keys(more="a router is not known")
        return
    for _, single in alternatives(router):
        if isinstance(single, External) and single.qualified in STATELESS_ROUTERS:
            continue
        wrapped = isinstance(single, Call) and single.target.rsplit(".", 1)[-1] == "RunnableLambda"
        inner = single.arguments.get("func", 0) if isinstance(single, Call) and wrapped else None
        yield from taken_by(inner or single, place, edition)


def taken_by(action: Value, place: Span, edition: Edition) -> Iterator[Keys | None]:
    """The schemas that the first parameter of what is called is annotated with."""
    for _, single in alternatives(action):
        function = _read_function(single) if edition.reads_types else None
        if isinstance(function, str):
            yield Keys(more=function)
            continue
        annotation = _first_annotation(function, single) if function is not None else None
        if function is None or annotation is None:
            yield None
            continue
        for _, declared in alternatives(annotation):
            yield _annotated(declared, function, place)


def _first_annotation(function: Function, action: Value) -> Value | None:
    bound = function.receiver is not None or isinstance(action, Instance)
    return function.reader.parameter(1 if bound else 0)


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


def _annotated(annotation: Value, function: Function, place: Span) -> Keys | None:
    """What an annotation declares, where it is a class with fields."""
    if isinstance(annotation, Class):
        found = class_keys(annotation)
        return found if found.channels or found.more else None
    if isinstance(annotation, Union | Const | Sequence | Mapped):
        return None
    if isinstance(annotation, Unknown):
        return Keys(more=f"the annotation of `{function.name}` is not known: {annotation.reason}")
    found = keys_of(annotation, place)
    # Types that would be the whole state as a schema are no classes with fields.
    return None if ROOT in found.channels or not (found.channels or found.more) else found
