"""The implement phase: decompose → build → verify → gate, until everything that was asked is there.

A round that brings nothing forward ends the phase at once and hands the issue to a human: work
that is specified too thinly is not tried again and again.
"""

from __future__ import annotations

from typing import Protocol

from flowrt import Edge, Flow, FlowState, KillSwitch, Node, NodeHook, jsonl_checkpoint
from stopping import asked_to_halt, flow_stopped, report, stopped

MAX_STEPS = 40


class Worker(Protocol):
    """What does the work: a coding agent in production."""

    async def build(self, criterion: str, spec: str | None) -> str | None:
        """What was built for a criterion, None when nothing came of it."""
        ...


class ByTheBook:
    """Builds what is said, and nothing where nothing is said."""

    async def build(self, criterion: str, spec: str | None) -> str | None:
        return None if spec is None else f"{criterion}: {spec}"


def work_left(state: FlowState) -> bool:
    return bool(state["unmet"])


class ImplementPhase:
    """Brings one issue from its acceptance criteria to a pull request."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def build_implement_flow(
        self,
        *,
        on_node: NodeHook | None = None,
        checkpoint: NodeHook | None = None,
        kill_switch: KillSwitch | None = None,
    ) -> Flow:
        return Flow(
            nodes=[
                Node("decompose", self._decompose, kind="gate"),
                Node("build", self._build),
                Node("verify", self._verify),
                Node("gate", self._gate, kind="gate"),
                Node("open-pr", self._open_pr),
                Node("done", self._done),
            ],
            edges=[
                Edge("decompose", "done", when=flow_stopped),
                Edge("decompose", "build"),
                Edge("build", "verify"),
                Edge("verify", "gate"),
                Edge("gate", "done", when=flow_stopped),
                Edge("gate", "build", when=work_left),
                Edge("gate", "open-pr"),
                Edge("open-pr", "done"),
            ],
            entry="decompose",
            on_node=on_node,
            checkpoint=checkpoint,
            kill_switch=kill_switch,
            max_steps=MAX_STEPS,
        )

    async def _decompose(self, state: FlowState) -> FlowState:
        criteria = state.get("criteria", {})
        if not criteria:
            return stopped(state, "no acceptance criteria")
        return {**state, "criteria": criteria, "unmet": list(criteria), "built": {}, "rounds": 0}

    async def _build(self, state: FlowState) -> FlowState:
        criterion = state["unmet"][0]
        made = await self._worker.build(criterion, state["criteria"][criterion])
        built = state["built"] if made is None else {**state["built"], criterion: made}
        return {**state, "built": built, "rounds": state["rounds"] + 1}

    async def _verify(self, state: FlowState) -> FlowState:
        unmet = [name for name in state["criteria"] if name not in state["built"]]
        return {**state, "unmet": unmet, "progress": len(state["unmet"]) - len(unmet)}

    async def _gate(self, state: FlowState) -> FlowState:
        if state["unmet"] and state["progress"] <= 0:
            return stopped(state, f"no progress on: {state['unmet'][0]}")
        return state

    async def _open_pr(self, state: FlowState) -> FlowState:
        return {**state, "pull_request": "\n".join(state["built"].values())}

    async def _done(self, state: FlowState) -> FlowState:
        return {**state, "handed_to": "human" if flow_stopped(state) else "review"}


flow = ImplementPhase(ByTheBook()).build_implement_flow(
    on_node=report,
    checkpoint=jsonl_checkpoint(".flowrt/implement.jsonl"),
    kill_switch=asked_to_halt,
)
