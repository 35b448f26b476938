"""The state of a graph: the keys of its schemas, and of those that its nodes and routers take."""

from __future__ import annotations

from collections.abc import Iterable

from flowlint.dialects.langgraph import targets
from flowlint.dialects.langgraph.schemas import ROOT, Keys, keys_of
from flowlint.dialects.langgraph.taken import taken_by, taken_by_node, taken_by_router
from flowlint.dialects.reading import alternatives, written
from flowlint.graph.code import StateSchema
from flowlint.values.model import (
    Argument,
    Built,
    Class,
    Const,
    External,
    Generic,
    Operation,
    Sequence,
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
    own = frozenset(keys.channels)
    inputs, outputs = (_surely(built, names, own) for names in FURTHER)
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
        inputs=inputs,
        outputs=outputs,
    )


def _surely(built: Built, names: tuple[str, str], keys: frozenset[str]) -> frozenset[str]:
    """The keys that surely go in or out: those of a further schema, or else of the state."""
    stated = next((a for a in map(built.arguments.find, names) if a is not None), None)
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
        _add(keys, taken_by_node(arguments, place))
    elif operation.method == "add_sequence":
        steps = arguments.get("nodes", 0)
        known = isinstance(steps, Sequence) and steps.rest is None
        if not known:
            keys.more = keys.more or "not all of its nodes are known"
        for item in steps.items if isinstance(steps, Sequence) else ():
            _add(keys, taken_by(targets.named_step(item.value)[1], place))
    elif operation.method == "add_conditional_edges":
        _add(keys, taken_by_router(arguments.get("path", 1), place))
    elif operation.method == "set_conditional_entry_point":
        _add(keys, taken_by_router(arguments.get("path", 0), place))


def _add(keys: Keys, several: Iterable[Keys | None]) -> None:
    for found in several:
        if found is not None:
            keys.join(found)


def taken_keys(built: Built, operation: Operation, action: Value) -> frozenset[str] | None:
    """The keys that a node surely is given, None where the graph states no schema.

    These are the keys of the schema that it names, or else of the state's own.
    """
    stated = built.arguments.find("state_schema", 0)
    if stated is None:
        return None
    place = operation.origin.span()
    if operation.method == "add_node":
        several = taken_by_node(operation.arguments, place)
    else:
        several = list(taken_by(action, place))
    own = keys_of(stated.value, written(stated))
    return frozenset.intersection(
        *(frozenset((own if found is None else found).channels) for found in several or [None])
    )
