"""How a visit ended in an earlier part of a run, from what was written down."""

from __future__ import annotations

from flowrt.authoring import FlowState, Node, NodeResult
from flowrt.engine.visit import Ended
from flowrt.errors import RecordedFailureError, RecordedTimeoutError
from flowrt.stores.base import Event
from flowrt.stores.codec import decode


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
