"""The triage phase: what an issue is, whether it is for us, what it touches, and who gets it.

classify → screen → touchpoint-expand → route → plan, implement or ask-human → done.
"""

from __future__ import annotations

from flowrt import Edge, Flow, FlowState, KillSwitch, Node, NodeHook, jsonl_checkpoint
from stopping import asked_to_halt, flow_stopped, report, stopped

NEIGHBOURS = {"login": ["session", "audit"], "session": ["cache"], "invoice": ["tax"]}
"""Which parts of the system change together."""

WIDE = 3
"""From so many parts on, a change needs a plan."""


def is_wide(state: FlowState) -> bool:
    return len(state["touchpoints"]) >= WIDE


def is_bug(state: FlowState) -> bool:
    return state["type"] == "bug"


class TriagePhase:
    """Decides what happens to one issue."""

    def build_triage_flow(
        self,
        *,
        on_node: NodeHook | None = None,
        checkpoint: NodeHook | None = None,
        kill_switch: KillSwitch | None = None,
    ) -> Flow:
        return Flow(
            nodes=[
                Node("classify", self._classify),
                Node("screen", self._screen, kind="gate"),
                Node("touchpoint-expand", self._touchpoint_expand),
                Node("route", self._route, kind="gate"),
                Node("plan", self._plan),
                Node("implement", self._implement),
                Node("ask-human", self._ask_human),
                Node("done", self._done),
            ],
            edges=[
                Edge("classify", "screen"),
                Edge("screen", "done", when=flow_stopped),
                Edge("screen", "touchpoint-expand"),
                Edge("touchpoint-expand", "route"),
                Edge("route", "plan", when=is_wide),
                Edge("route", "implement", when=is_bug),
                Edge("route", "ask-human"),
                Edge("plan", "done"),
                Edge("implement", "done"),
                Edge("ask-human", "done"),
            ],
            entry="classify",
            on_node=on_node,
            checkpoint=checkpoint,
            kill_switch=kill_switch,
        )

    async def _classify(self, state: FlowState) -> FlowState:
        text = state["issue"].lower()
        kind = "spam" if "buy now" in text else "bug" if "broken" in text else "wish"
        return {**state, "type": kind}

    async def _screen(self, state: FlowState) -> FlowState:
        return stopped(state, "not for us") if state["type"] == "spam" else state

    async def _touchpoint_expand(self, state: FlowState) -> FlowState:
        """Go from the parts that are named to those that change with them."""
        found = [part for part in NEIGHBOURS if part in state["issue"].lower()]
        for part in found:
            found += [other for other in NEIGHBOURS.get(part, []) if other not in found]
        return {**state, "touchpoints": found}

    async def _route(self, state: FlowState) -> FlowState:
        return state

    async def _plan(self, state: FlowState) -> FlowState:
        return {**state, "label": "needs-plan"}

    async def _implement(self, state: FlowState) -> FlowState:
        return {**state, "label": "ready"}

    async def _ask_human(self, state: FlowState) -> FlowState:
        return {**state, "label": "needs-human"}

    async def _done(self, state: FlowState) -> FlowState:
        return state


flow = TriagePhase().build_triage_flow(
    on_node=report,
    checkpoint=jsonl_checkpoint(".flowrt/triage.jsonl"),
    kill_switch=asked_to_halt,
)
