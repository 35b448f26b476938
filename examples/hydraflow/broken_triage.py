"""Triage of incoming issues: classify, reproduce where it pays, label, answer."""

from __future__ import annotations

import logging
from typing import Protocol

from flows import Edge, Flow, FlowState, KillSwitch, Node, NodeHook

logger = logging.getLogger(__name__)

MAX_REPRODUCTIONS = 3


class Tracker(Protocol):
    async def labels(self, issue: int) -> list[str]: ...

    async def comment(self, issue: int, text: str) -> None: ...

    async def set_label(self, issue: int, label: str) -> None: ...


class Model(Protocol):
    async def classify(self, title: str, body: str) -> str: ...

    async def reproduce(self, body: str) -> bool: ...


async def _needs_human(state: FlowState) -> bool:
    """Issues that somebody has taken already are left alone."""
    return "assigned" in state["labels"]


def _is_bug(state: FlowState) -> bool:
    return state["kind"] == "bug"


def _is_question(state: FlowState) -> bool:
    return state["kind"] == "question"


def _worth_another_try(state: FlowState) -> bool:
    return not state["reproduced"] and state["tries"] < MAX_REPRODUCTIONS


class TriagePhase:
    """Decides what happens to one issue."""

    def __init__(self, tracker: Tracker, model: Model) -> None:
        self._tracker = tracker
        self._model = model

    def _build_triage_flow(
        self, *, checkpoint: NodeHook | None = None, kill_switch: KillSwitch | None = None
    ) -> Flow:
        return Flow(
            nodes=[
                Node("load", self._load),
                Node("classify", self._classify, kind="gate"),
                Node("reproduce", self._reproduce, kind="loop"),
                Node("label", self._label),
                Node("answer", self._answer),
                Node("escalate", self._escalate),
                Node("done", self._done),
            ],
            edges=[
                Edge("load", "done", when=_needs_human),
                Edge("load", "classify"),
                Edge("classify", "reproduce", when=_is_bug),
                Edge("classify", "answer", when=_is_question),
                Edge("reproduce", "reproduce", when=_worth_another_try),
                Edge("reproduce", "lable"),
                Edge("label", "done"),
                Edge("answer", "done"),
            ],
            entry="load",
            checkpoint=checkpoint,
            kill_switch=kill_switch,
        )

    async def run(self, issue: int, title: str, body: str) -> FlowState:
        """Triage one issue."""
        flow = self._build_triage_flow()
        outcome = await flow.run({"issue": issue, "title": title, "body": body, "tries": 0})
        return outcome.state

    async def _load(self, state: FlowState) -> FlowState:
        state["labels"] = await self._tracker.labels(state["issue"])
        return state

    async def _classify(self, state: FlowState) -> FlowState:
        state["kind"] = await self._model.classify(state["title"], state["body"])
        return state

    async def _reproduce(self, state: FlowState) -> FlowState:
        state["tries"] += 1
        state["reproduced"] = await self._model.reproduce(state["body"])
        return state

    async def _label(self, state: FlowState) -> FlowState:
        label = "confirmed" if state["reproduced"] else "needs-info"
        await self._tracker.set_label(state["issue"], label)
        return state

    async def _answer(self, state: FlowState) -> FlowState:
        await self._tracker.comment(state["issue"], "Thanks, this belongs in the forum.")
        return state

    async def _escalate(self, state: FlowState) -> FlowState:
        await self._tracker.set_label(state["issue"], "maintainers")
        return state

    async def _done(self, state: FlowState) -> FlowState:
        logger.info("triaged issue %s as %s", state["issue"], state.get("kind", "taken"))
        return state
