"""The states a node goes through and what is told of a run (agentsflow §g, FSM and events)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agentsflow_flows import AT_ONCE, Listener, State, fails, fails_times, flow, same, writes
from flowrt import Edge, Node, Retry
from flowrt.engine.states import FOLLOWING, Activity, NodeState

STATES: tuple[NodeState, ...] = ("idle", "ready", "running", "completed", "failed", "blocked")


@pytest.mark.parametrize(
    ("event", "sources", "target"),
    [
        ("schedule", {"idle"}, "ready"),
        ("start", {"ready"}, "running"),
        ("succeed", {"running"}, "completed"),
        ("fail", {"running", "ready", "idle"}, "failed"),
        ("block", {"idle", "ready"}, "blocked"),
        ("unblock", {"blocked"}, "ready"),
        ("retry", {"failed"}, "ready"),
    ],
)
def test_agentsflow_g_each_transition_of_the_state_machine_is_allowed(
    event: str, sources: set[NodeState], target: NodeState
) -> None:
    for source in sources:
        activity = Activity("n", "", 1, source)
        activity.become(target)
        assert activity.state == target, event


def test_agentsflow_g_no_other_transition_is_allowed() -> None:
    """But those of a node that waits, and a running one that is ready again when gone on with."""
    allowed = {
        ("idle", "ready"),
        ("ready", "running"),
        ("running", "completed"),
        ("running", "failed"),
        ("ready", "failed"),
        ("idle", "failed"),
        ("idle", "blocked"),
        ("ready", "blocked"),
        ("blocked", "ready"),
        ("failed", "ready"),
        ("running", "ready"),
    }
    for source in STATES:
        for target in STATES:
            activity = Activity("n", "", 1, source)
            if (source, target) in allowed:
                continue
            with pytest.raises(ValueError, match=f"cannot go from {source} to {target}"):
                activity.become(target)
    assert FOLLOWING["completed"] == frozenset()


def test_agentsflow_g_a_node_begins_idle() -> None:
    assert Activity("n", "", 1).state == "idle"


async def test_agentsflow_g_the_states_of_a_node_that_is_tried_again_can_be_followed() -> None:
    """Ready, running and failed for each try; there a retry has a new machine."""
    listener = Listener()
    seen: list[tuple[str, int]] = []

    def looks(run: Any) -> Any:
        async def looking(context: Any) -> Any:
            seen.extend((a.state, a.attempt) for a in listener.active())
            await run({})

        return looking

    node = Node("a", looks(fails_times(2)), "compute", retry=AT_ONCE, detail="reads")
    result = await flow([node], []).run({}, observer=listener)
    assert seen == [("running", 1), ("running", 2), ("running", 3)]
    assert listener.states == [("a", "failed", 1), ("a", "failed", 2)]
    assert list(listener.active()) == []
    assert result.results["a"].attempts == 3


async def test_agentsflow_g_a_node_that_pauses_before_its_next_try_is_ready() -> None:
    listener = Listener()
    nodes = [Node("a", fails_times(1), retry=Retry(attempts=2, delay=60))]
    run = asyncio.ensure_future(flow(nodes, []).run({}, observer=listener))
    async with asyncio.timeout(30):
        while "attempt_failed" not in [event.type for event in listener.events]:
            await asyncio.sleep(0)
    assert [(a.state, a.attempt) for a in listener.active()] == [("ready", 1)]
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run


async def test_agentsflow_g_a_run_is_told_from_its_start_to_its_end() -> None:
    listener = Listener()
    edges = [
        Edge("a", "b"),
        Edge("a", "c", when=lambda s: False),
        Edge("a", "d"),
        Edge("d", "e"),
    ]
    nodes = [*(Node(name, writes(name)) for name in "abce"), Node("d", fails)]
    await flow(nodes, edges).run({}, observer=listener)
    assert [(event.type, event.node) for event in listener.events] == [
        ("run_started", ""),
        ("node_completed", "a"),
        ("node_skipped", "c"),
        ("node_completed", "b"),
        ("node_failed", "d"),
        ("node_blocked", "e"),
        ("run_failed", ""),
    ]


async def test_agentsflow_g_a_node_that_takes_its_time_is_told_when_it_starts() -> None:
    """There every node is; here a step that is over at once is only told when it is over."""
    listener = Listener()

    async def runs_until_told(state: State) -> State:
        async with asyncio.timeout(30):
            while not listener.told("node_started"):
                await asyncio.sleep(0.01)
        return state

    nodes = [
        Node("a", same),
        Node("b", runs_until_told),
        Node("c", kind="wait", config={"seconds": 0}),
    ]
    await flow(nodes, [Edge("a", "b"), Edge("b", "c")]).run({}, observer=listener)
    assert listener.told("node_started") == ["b", "c"]


async def test_agentsflow_g_events_say_how_long_what_failed_and_why() -> None:
    listener = Listener()
    nodes = [Node("a", same), Node("b", fails)]
    await flow(nodes, [Edge("a", "b")]).run({}, observer=listener)
    completed, failed = listener.events[1:3]
    assert completed.data["took"] >= 0
    assert failed.data["took"] >= 0
    assert (failed.data["outcome"], failed.data["error"]) == ("failed", "RuntimeError: broken")
    assert [event.seq for event in listener.events] == [1, 2, 3, 4]


async def test_agentsflow_g_what_a_listener_raises_ends_the_run_and_is_not_swallowed() -> None:
    class Breaks(Listener):
        def event(self, event: Any) -> None:
            if event.type == "node_completed":
                raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        await flow("ab", [Edge("a", "b")]).run({}, observer=Breaks())


async def test_agentsflow_g_hooks_are_awaited_one_after_the_other_and_fail_their_node() -> None:
    """`on_complete` hooks there are awaited too, but what they raise is only logged."""
    seen: list[str] = []

    async def on_node(name: str, state: State) -> None:
        seen.append(f"{name} done")
        if name == "b":
            raise OSError("no room")

    def kept(name: str, state: State) -> None:
        seen.append(f"{name} kept")

    edges = [Edge("a", "b"), Edge("b", "c")]
    result = await flow("abc", edges, on_node=on_node, checkpoint=kept).run({})
    assert seen == ["a done", "a kept", "b done"]
    error = "OSError: no room (in a hook after node `b` of flow `flow`)"
    assert (result.status, result.failed) == ("failed", {"b": error})
    assert result.blocked == ["c"]


async def test_agentsflow_g_the_end_of_a_run_is_what_run_returns() -> None:
    """There it comes with `flow_completed`: status, time and counts."""
    edges = [Edge("a", "b"), Edge("a", "c", when=lambda s: False)]
    result = await flow("abc", edges).run({})
    assert (result.status, len(result.path), len(result.failed), len(result.skipped)) == (
        "completed",
        2,
        0,
        1,
    )
    for name in "ab":
        told = result.results[name]
        assert (told.outcome, told.attempts, told.error) == ("ok", 1, None)
        assert 0 < told.started_at <= told.ended_at
