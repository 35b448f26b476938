"""Release train: build, test, publish; go back to the build until the tests pass."""

from __future__ import annotations

from flows import Edge, Flow, FlowState, Node


def tests_failed(state: FlowState) -> bool:
    return state["failed"] > 0


def is_hotfix(state: FlowState) -> bool:
    return state.get("channel") == "hotfix"


async def build(state: FlowState) -> FlowState:
    state["attempt"] = state.get("attempt", 0) + 1
    return state


async def test(state: FlowState) -> FlowState:
    state["failed"] = len(state.get("red", []))
    return state


async def approve(state: FlowState) -> FlowState:
    state["approved_by"] = "release-manager"
    return state


async def publish(state: FlowState) -> FlowState:
    state["published"] = True
    return state


def release_flow() -> Flow:
    return Flow(
        nodes=[
            Node("build", build),
            Node("test", test, kind="gate"),
            Node("approve", approve),
            Node("publish", publish),
        ],
        edges=[
            Edge("build", "test"),
            Edge("test", "build", when=tests_failed),
            Edge("test", "approve"),
            Edge("test", "publish", when=is_hotfix),
            Edge("approve", "publish"),
            Edge("publish", "build"),
        ],
        entry="build",
    )
