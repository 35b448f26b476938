"""What the kinds with regions share."""

from __future__ import annotations

import re
from typing import Any

from flowrt.authoring import Region
from flowrt.engine.context import NodeContext, RegionResult
from flowrt.errors import FlowError, RecordedFailureError
from flowrt.nodes.values import where

STATE_KINDS = frozenset({"step", "gate", "loop"})
"""Kinds whose output is the state itself."""


def region_of(context: NodeContext, name: str) -> Region:
    """A region of the node by name. Raises FlowError when the node has none of that name."""
    region = context.node.regions.get(name)
    if region is None:
        raise FlowError(f"{where(context)} has no region `{name}`")
    return region


def output_of(region: Region, result: RegionResult) -> Any:
    """The output of the node a region ended with; None where that is the state, which is handed
    on anyway."""
    last = next((node for node in region.nodes if node.name == result.terminal), None)
    if last is None or last.kind in STATE_KINDS:
        return None
    return result.outputs.get(last.name)


_IN_NODE = re.compile(r"in node `(.+?)` of flow ")


def told(error: BaseException) -> dict[str, Any]:
    """A failure as flows see it: {node, message, type}; the same before and after a resume."""
    kind, message = type(error).__name__, str(error)
    if isinstance(error, RecordedFailureError):
        kind, _, message = message.partition(": ")
    node = getattr(error, "node", None)
    for note in getattr(error, "__notes__", ()):
        found = _IN_NODE.match(note)
        node = node or (found[1] if found else None)
    return {"node": node, "message": message, "type": kind}
