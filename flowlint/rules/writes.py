"""Which keys of the state the nodes write that take one value per step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from flowlint.graph.code import StateSchema
from flowlint.graph.model import START, FlowGraph, Node
from flowlint.graph.supersteps import steps_of
from flowlint.rules.context import RuleContext
from flowlint.source import Span

WHOLE = ""
"""Stands for the state as a single value."""

How = Literal["written", "replaced", "handed through", "flow"]


@dataclass(frozen=True, slots=True)
class Writing:
    """That a node writes a key.

    `replaced`: past the reducer of the key, which only one node may do in a step.
    `certain`: whenever the node comes to its end. `handed through`: as a part of the state it was
    given, `flow`: as a part of what a flow inside gives back; both only where the key has a value,
    and `always` where that is all it takes.
    """

    span: Span
    certain: bool
    how: How = "written"
    always: bool = False


Writings = Mapping[str, Mapping[str, Writing]]
"""For each node what it writes that only one node may write in a step."""


def writings(context: RuleContext) -> Writings:
    """What each node writes that only one node may write in a step."""
    graph = context.graph
    if graph.state is None or not graph.semantics.supersteps:
        return {}
    found: dict[str, dict[str, Writing]] = {}
    declared: dict[str, int] = {}
    for node in graph.nodes:
        declared[node.name] = declared.get(node.name, 0) + 1
        for key, writing in _of_node(node, graph.state).items():
            found.setdefault(node.name, {})[key] = writing
    return {name: keys for name, keys in found.items() if declared[name] == 1}


def keys_of_one_value(state: StateSchema) -> frozenset[str]:
    """The keys of the state that only one node may write in a step."""
    if state.whole:
        return frozenset({WHOLE})
    return frozenset(key for key, channel in state.channels.items() if channel.kind == "last")


def _of_node(node: Node, state: StateSchema) -> dict[str, Writing]:
    if (inner := node.regions.get("subgraph")) is not None:
        return _of_flow(node, inner, state)
    code = node.code
    if code is None:
        return {}
    if state.whole:
        writes = code.writes
        if writes:
            is_certain = any(write.certain for write in writes)
            return {WHOLE: Writing(writes[0].span, is_certain)}
        whole = code.returns_state
        if whole is None:
            return {}
        return {WHOLE: Writing(whole, code.returns_state_always, "handed through")}
    keys = keys_of_one_value(state)
    found: dict[str, Writing] = {}
    if code.returns_state is not None:
        for key in sorted(keys if node.takes is None else keys & node.takes):
            always = code.returns_state_always
            found[key] = Writing(code.returns_state, False, "handed through", always)
    for write in sorted(code.writes, key=lambda write: write.certain):
        channel = state.channels.get(write.key)
        if write.key in keys:
            found[write.key] = Writing(write.span, write.certain)
        elif write.replaces and channel is not None and channel.kind == "reducer":
            found[write.key] = Writing(write.span, write.certain, "replaced")
    return found


def _of_flow(node: Node, inner: FlowGraph, state: StateSchema) -> dict[str, Writing]:
    """What a flow as node gives back: every key of its own that has a value."""
    if state.whole:
        return {WHOLE: Writing(node.name_span, True, "flow")}
    if inner.state is None or inner.state.whole:
        return {}
    given_back = inner.state.outputs
    if given_back is None:
        given_back = frozenset(inner.state.channels)
    shared = keys_of_one_value(state) & given_back
    taken = inner.state.inputs
    written = _surely_written(inner)
    return {
        key: Writing(node.name_span, key in written, "flow", taken is None or key in taken)
        for key in sorted(shared)
    }


def _surely_written(inner: FlowGraph) -> frozenset[str]:
    """The keys that a flow writes in every run that comes to its end."""
    certain = {
        node.name: {write.key for write in node.code.writes if write.certain}
        for node in inner.nodes
        if node.code is not None and not node.presence
    }
    leaving = steps_of(inner).leaving
    keys: set[str] = set()
    due, seen = [START], {START}
    while due:
        name = due.pop()
        keys |= certain.get(name, set())
        for move in leaving[name].certain if name in leaving else ():
            if not move.presence and move.target not in seen:
                seen.add(move.target)
                due.append(move.target)
    return frozenset(keys)
