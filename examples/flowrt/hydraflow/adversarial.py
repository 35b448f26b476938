"""A critic attacks what an author made, and the author tries again: as a node, and as a flow.

The node is shared: the council of the plan phase and the attack of the review phase are made here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from flowrt import Edge, Flow, FlowState, KillSwitch, Node, NodeHook, NodeRun
from stopping import asked_to_halt, report

MAX_ROUNDS = 3

Critic = Callable[[str], Awaitable[list[str]]]


def adversarial_review(subject: str, critic: Critic) -> NodeRun:
    """The body of a node that has `state[subject]` attacked and counts the rounds."""

    async def attack(state: FlowState) -> FlowState:
        findings = await critic(state[subject])
        return {**state, "findings": findings, "round": state.get("round", 0) + 1}

    return attack


def another_round(state: FlowState) -> bool:
    """Whether there is something to mend, and a round left to do it in."""
    return bool(state["findings"]) and state["round"] < MAX_ROUNDS


def still_contested(state: FlowState) -> bool:
    """Whether the critic had the last word."""
    return bool(state["findings"])


def demanding(*topics: str) -> Critic:
    """A critic who wants each topic to be spoken about."""

    async def critic(text: str) -> list[str]:
        return [topic for topic in topics if topic not in text.lower()]

    return critic


async def _write(state: FlowState) -> FlowState:
    """Begin with the claim; afterwards answer the first finding, if there is evidence for it."""
    text, findings = state.get("text", state.get("claim", "")), state.get("findings", [])
    if findings:
        text = f"{text} {state.get('evidence', {}).get(findings[0], '')}".strip()
    return {**state, "text": text}


async def _accept(state: FlowState) -> FlowState:
    return {**state, "verdict": "accepted"}


async def _escalate(state: FlowState) -> FlowState:
    return {**state, "verdict": "escalated"}


async def _done(state: FlowState) -> FlowState:
    return state


def adversarial_flow(
    critic: Critic, *, on_node: NodeHook | None = None, kill_switch: KillSwitch | None = None
) -> Flow:
    """author → attack → (author, while there are findings and rounds) → accept or escalate."""
    return Flow(
        nodes=[
            Node("author", _write),
            Node("attack", adversarial_review("text", critic), kind="loop"),
            Node("judge", _done, kind="gate"),
            Node("accept", _accept),
            Node("escalate", _escalate),
            Node("done", _done),
        ],
        edges=[
            Edge("author", "attack"),
            Edge("attack", "author", when=another_round),
            Edge("attack", "judge"),
            Edge("judge", "escalate", when=still_contested),
            Edge("judge", "accept"),
            Edge("accept", "done"),
            Edge("escalate", "done"),
        ],
        entry="author",
        on_node=on_node,
        kill_switch=kill_switch,
        max_steps=2 * MAX_ROUNDS + 3,
    )


flow = adversarial_flow(
    demanding("measured", "repeated"), on_node=report, kill_switch=asked_to_halt
)
