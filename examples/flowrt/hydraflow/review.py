"""The review phase: checks, an attack on the change, mending, and a verdict.

checks → attack (→ fix → checks) → verdict → approve or request-changes → done.
"""

from __future__ import annotations

from adversarial import (
    Critic,
    adversarial_review,
    another_round,
    demanding,
    still_contested,
)
from flowrt import Edge, Flow, FlowState, KillSwitch, Node, NodeHook
from stopping import asked_to_halt, flow_stopped, report, stopped


class ReviewPhase:
    """Reviews one change."""

    def __init__(self, critic: Critic) -> None:
        self._critic = critic

    def build_review_flow(
        self, *, on_node: NodeHook | None = None, kill_switch: KillSwitch | None = None
    ) -> Flow:
        return Flow(
            nodes=[
                Node("checks", self._checks, kind="gate"),
                Node("attack", adversarial_review("diff", self._critic), kind="gate"),
                Node("fix", self._fix),
                Node("verdict", self._verdict, kind="gate"),
                Node("approve", self._approve),
                Node("request-changes", self._request_changes),
                Node("done", self._done),
            ],
            edges=[
                Edge("checks", "done", when=flow_stopped),
                Edge("checks", "attack"),
                Edge("attack", "fix", when=another_round),
                Edge("attack", "verdict"),
                Edge("fix", "checks"),
                Edge("verdict", "request-changes", when=still_contested),
                Edge("verdict", "approve"),
                Edge("approve", "done"),
                Edge("request-changes", "done"),
            ],
            entry="checks",
            on_node=on_node,
            kill_switch=kill_switch,
            max_steps=20,
        )

    async def _checks(self, state: FlowState) -> FlowState:
        if "syntax error" in state["diff"]:
            return stopped(state, "the checks are red")
        return state

    async def _fix(self, state: FlowState) -> FlowState:
        """Add the first thing that is missed, as the author of the change offers it."""
        offered = state.get("offered", {}).get(state["findings"][0], "")
        return {**state, "diff": f"{state['diff']}\n{offered}"}

    async def _verdict(self, state: FlowState) -> FlowState:
        return {**state, "rounds": state["round"]}

    async def _approve(self, state: FlowState) -> FlowState:
        return {**state, "verdict": "approved"}

    async def _request_changes(self, state: FlowState) -> FlowState:
        return {**state, "verdict": f"changes requested: {', '.join(state['findings'])}"}

    async def _done(self, state: FlowState) -> FlowState:
        return state


flow = ReviewPhase(demanding("test", "docs")).build_review_flow(
    on_node=report, kill_switch=asked_to_halt
)
