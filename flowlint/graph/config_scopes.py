"""What expressions and templates in configs of nodes and in actions may name."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from flowlint.graph.cel_names import Scope

_NODE = Scope(("state", "outputs", "results", "input"), "a config")
_ACTION = Scope(
    (
        *("state", "outputs", "results", "input", "result", "prompt", "error", "node_name"),
        *("flow", "run_id", "attempt"),
    ),
    "an action",
)
_INNER_FLOW = Scope(
    ("state", "outputs", "input"),
    "the output of a subflow",
    MappingProxyType({}),
    (),
)


def action_scope(nodes: frozenset[str] | None) -> Scope:
    """What an action may name. Its `result` is the value that the node gave."""
    return _ACTION.among(nodes)


def config_scope(
    kind: str,
    field: str,
    config: dict[Any, Any],
    nodes: frozenset[str] | None,
    inner: frozenset[str] | None,
) -> Scope:
    """What a field of a config may name. `inner` are the nodes in the regions of the node."""
    if kind == "subflow" and field == "output":
        return _INNER_FLOW
    if kind != "repeat":
        return _NODE.among(nodes)
    if field == "while":
        index = config.get("index", "index")
        counts = ("iteration", *((index,) if isinstance(index, str) else ()))
        return Scope((*_NODE.names, *counts), _NODE.place, nodes=nodes)
    if field == "collect":
        return _NODE.among(None if nodes is None or inner is None else nodes | inner)
    return _NODE.among(nodes)
