"""How rules speak of keys that a state does not have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flowlint.graph.code import StateSchema
from flowlint.graph.model import FlowGraph, Node
from flowlint.graph.names import NearNames
from flowlint.rules.reads import Missing, Reader


def message_of_write(
    graph: FlowGraph, state: StateSchema, node: Node, key: str, readers: Sequence[Reader]
) -> str:
    """What becomes of a key that a node writes in vain, whoever reads it."""
    system = graph.semantics.system
    if key in state.channels:
        return (
            f"Node `{node.name}` writes `{key}`, to which {system} itself gives the value: "
            "what is written is dropped."
        )
    also = ""
    if readers:
        also = f", though {'a router' if all(r.ran for r in readers) else 'another node'} reads it"
    return (
        f"Node `{node.name}` writes `{key}`, which is no key of {_named(state)}: "
        f"{system} {graph.semantics.unknown_key_effect}{also}."
    )


def cure_of_write(state: StateSchema, key: str) -> str:
    """What to do about it."""
    if key in state.channels:
        return f"leave `{key}` out of the update"
    meant = _near(state, state.channels, key)
    if meant is not None:
        return f"did you mean `{meant}`?"
    return f"declare `{key}` in {_schema(state)}, or leave it out of the update"


def message_of_read(graph: FlowGraph, state: StateSchema, missing: Missing) -> str:
    """What comes of reading a key that is never there."""
    reader, key = missing.reader, missing.read.key
    is_own = key not in state.channels and state.more is None
    among = _named(state) if is_own else "the state that it takes"
    error = graph.semantics.missing_key_error
    effect = "it is never there"
    if missing.read.hard and error is not None:
        effect = f"it is never there, and {error} is raised"
    return f"{reader.subject} reads `{key}`, which is no key of {among}: {effect}."


def cure_of_read(state: StateSchema, missing: Missing) -> str:
    """What to do about it."""
    key = missing.read.key
    if key in state.channels:
        return f"let what reads it take a schema that has `{key}`"
    meant = _near(state, missing.reader.may_take or (), key)
    if meant is not None:
        return f"did you mean `{meant}`?"
    return f"declare `{key}` in {_schema(state)}, or leave it out"


def _near(state: StateSchema, keys: Iterable[str], key: str) -> str | None:
    given = {key for key, channel in state.channels.items() if channel.kind == "managed"}
    return NearNames([known for known in keys if known not in given]).of(key)


def _named(state: StateSchema) -> str:
    return f"`{state.name}`" if state.name else "the state"


def _schema(state: StateSchema) -> str:
    return f"`{state.name}`" if state.name else "the schema of the state"
