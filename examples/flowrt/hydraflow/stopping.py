"""What all phases share: the early exit, the kill switch and what is told after each node."""

from __future__ import annotations

from pathlib import Path

from flowrt import FlowState

KILL_SWITCH = Path("STOP")
"""While this file is in the current folder, no flow runs a further node."""


def stopped(state: FlowState, reason: str) -> FlowState:
    """The state with which a node sends the flow to its end, before its time."""
    return {**state, "_stop": True, "reason": reason}


def flow_stopped(state: FlowState) -> bool:
    """Guards every edge to the end that is not the regular one."""
    return bool(state.get("_stop"))


def asked_to_halt() -> bool:
    """The kill switch of every phase."""
    return KILL_SWITCH.exists()


def report(node: str, state: FlowState) -> None:
    """Telemetry: which node has completed, and what the state holds since."""
    print(f"[telemetry] {node}: {', '.join(sorted(state))}")
