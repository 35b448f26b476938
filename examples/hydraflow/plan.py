"""Planning of one piece of work: draft, let reviewers look, write it down. A correct flow."""

from __future__ import annotations

from typing import Protocol

from flows import Edge, Flow, FlowState, Node

MAX_ROUNDS = 3


class Planner(Protocol):
    async def draft(self, task: str, remarks: list[str]) -> str: ...

    async def review(self, plan: str) -> list[str]: ...


def _stopped(state: FlowState) -> bool:
    return bool(state.get("stop"))


def _wants_changes(state: FlowState) -> bool:
    return bool(state["remarks"]) and state["round"] < MAX_ROUNDS


class PlanPhase:
    """Turns a task into a plan."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def build(self) -> Flow:
        return Flow(
            nodes=[
                Node("prepare", self._prepare, kind="gate"),
                Node("draft", self._draft),
                Node("review", self._review, kind="loop"),
                Node("record", self._record),
                Node("done", self._done),
            ],
            edges=[
                Edge("prepare", "done", when=_stopped),
                Edge("prepare", "draft"),
                Edge("draft", "review"),
                Edge("review", "draft", when=_wants_changes),
                Edge("review", "record"),
                Edge("record", "done"),
            ],
            entry="prepare",
            max_steps=20,
        )

    async def _prepare(self, state: FlowState) -> FlowState:
        state["remarks"] = []
        state["round"] = 0
        state["stop"] = not state["task"].strip()
        return state

    async def _draft(self, state: FlowState) -> FlowState:
        state["plan"] = await self._planner.draft(state["task"], state["remarks"])
        return state

    async def _review(self, state: FlowState) -> FlowState:
        state["round"] += 1
        state["remarks"] = await self._planner.review(state["plan"])
        return state

    async def _record(self, state: FlowState) -> FlowState:
        state["recorded"] = True
        return state

    async def _done(self, state: FlowState) -> FlowState:
        return state
