"""The plan phase: a draft is attacked by a council, which sends it back or lets it pass.

prepass → draft → council (→ draft) → route → write-records → done.
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

SECTIONS = {
    "steps": "Steps: one change at a time.",
    "tests": "Tests: a failing one comes first.",
    "rollback": "Rollback: switch the flag off.",
}
"""What the planner knows to write when it is missed."""


class PlanPhase:
    """Turns an issue into a plan that a council has no objections to."""

    def __init__(self, council: Critic) -> None:
        self._council = council

    def build_plan_flow(
        self, *, on_node: NodeHook | None = None, kill_switch: KillSwitch | None = None
    ) -> Flow:
        return Flow(
            nodes=[
                Node("prepass", self._prepass, kind="gate"),
                Node("draft", self._draft),
                Node("council", adversarial_review("plan", self._council), kind="loop"),
                Node("route", self._route, kind="gate"),
                Node("write-records", self._write_records),
                Node("done", self._done),
            ],
            edges=[
                Edge("prepass", "done", when=flow_stopped),
                Edge("prepass", "draft"),
                Edge("draft", "council"),
                Edge("council", "draft", when=another_round),
                Edge("council", "route"),
                Edge("route", "done", when=flow_stopped),
                Edge("route", "write-records"),
                Edge("write-records", "done"),
            ],
            entry="prepass",
            on_node=on_node,
            kill_switch=kill_switch,
            max_steps=12,
        )

    async def _prepass(self, state: FlowState) -> FlowState:
        if not state.get("issue", "").strip():
            return stopped(state, "the issue is empty")
        return state

    async def _draft(self, state: FlowState) -> FlowState:
        missed = [SECTIONS[topic] for topic in state.get("findings", []) if topic in SECTIONS]
        return {**state, "plan": "\n".join([state.get("plan", state["issue"]), *missed])}

    async def _route(self, state: FlowState) -> FlowState:
        if still_contested(state):
            return stopped(state, f"the council still misses: {', '.join(state['findings'])}")
        return state

    async def _write_records(self, state: FlowState) -> FlowState:
        return {**state, "records": state["plan"].splitlines()}

    async def _done(self, state: FlowState) -> FlowState:
        return {**state, "label": "needs-human" if flow_stopped(state) else "planned"}


flow = PlanPhase(demanding("steps", "tests")).build_plan_flow(
    on_node=report, kill_switch=asked_to_halt
)
