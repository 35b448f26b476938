"""How a visit ended: what is written down of it, and what a later part of the run makes of that."""

from __future__ import annotations

from typing import Any

from flowrt.authoring import FlowState, Node, NodeResult
from flowrt.engine.visit import Ended
from flowrt.errors import NotStorableError, RecordedFailureError, RecordedTimeoutError
from flowrt.stores.base import Event
from flowrt.stores.codec import decode, encode


def values_of(flow: str, ended: Ended) -> dict[str, Any]:
    """The state that a node left and its output, as they are written down.

    Raises NotStorableError, which names the node, for what cannot be.
    """
    output = ended.result.output
    try:
        written = {"state": encode(ended.state)}
        if output is not ended.state:
            written["output"] = encode(output, "output")
    except NotStorableError as error:
        raise NotStorableError(f"node `{ended.result.node}` of flow `{flow}`: {error}") from None
    return written


def recalled_end(flow: str, node: Node, event: Event, state: FlowState) -> Ended:
    """The end of a visit, as if it had just come to it. `state` is what the node was given."""
    data = event.data
    if event.type == "node_completed":
        left = decode(data["state"])
        output = decode(data["output"]) if "output" in data else left
        result = NodeResult(node.name, "ok", event.attempt, output, None, event.at, event.at)
        return Ended(result, left, None, data)
    outcome, told = data.get("outcome", "failed"), str(data.get("error"))
    error = (RecordedTimeoutError if outcome == "timed_out" else RecordedFailureError)(told)
    error.add_note(f"in node `{node.name}` of flow `{flow}`")
    result = NodeResult(node.name, outcome, event.attempt, None, told, event.at, event.at)
    return Ended(result, state, error, data)
