"""acpx §b and §g: which prompts share a session with an agent, in runs with a real agent."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowResult, FlowValidationError, Node, Retry, Switch
from flowrt.engine.context import NodeContext
from flowrt.nodes.acp_pool import SessionLostError
from flowrt.stores.memory import MemoryStore

AGENT = [sys.executable, str(Path(__file__).parents[1] / "agents" / "echo_agent.py")]


def asks(name: str, prompt: str = "count", **config: Any) -> Node:
    return Node(name, kind="agent", config={"prompt": prompt, **config})


def chain(*nodes: Node) -> Flow:
    edges = [Edge(a.name, b.name) for a, b in pairwise(nodes)]
    return Flow(nodes=nodes, edges=edges, entry=nodes[0].name)


async def run(flow: Flow, store: MemoryStore | None = None, **services: Any) -> FlowResult:
    given = {"agent": AGENT, **services}
    return await flow.run({}, services=given, store=store, run_id=None if store is None else "r")


async def test_acpx_b_nodes_without_a_handle_share_the_session_main() -> None:
    named = asks("c", session={"handle": "main"})
    result = await run(chain(asks("a"), asks("b"), named, asks("d", "recall")))
    assert result.outputs == {"a": "1", "b": "2", "c": "3", "d": "count | count | count"}


async def test_acpx_b_each_run_has_sessions_of_its_own() -> None:
    flow = chain(asks("a"), asks("b"))
    for _ in range(2):
        assert (await run(flow)).outputs == {"a": "1", "b": "2"}


async def test_acpx_g_a_session_is_told_apart_by_agent_folder_and_handle(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    other = [*AGENT, "--no-load"]
    flow = chain(
        asks("first"),
        asks("handle", session={"handle": "side"}),
        asks("folder", cwd=str(tmp_path / "sub")),
        asks("agent", agent="other"),
        asks("again"),
        asks("again_handle", session={"handle": "side"}),
        asks("again_folder", cwd=str(tmp_path / "sub")),
        asks("again_agent", agent="other"),
    )
    result = await run(flow, agents={"other": other})
    assert list(result.outputs.values()) == ["1"] * 4 + ["2"] * 4


async def test_acpx_g_sessions_are_written_down_with_what_tells_them_apart(tmp_path: Path) -> None:
    store = MemoryStore()
    await run(chain(asks("a", cwd=str(tmp_path)), asks("b", session={"isolated": True})), store)
    bound = [event.data for event in store.trace("r").events if event.type == "session_bound"]
    assert {data["key"] for data in bound} == {
        f'[["{AGENT[0]}", "{AGENT[1]}"], "{tmp_path}", "main"]'
    }
    assert [data["session"]["prompts"] for data in bound] == [0, 1]
    assert bound[-1]["session"]["id"]


async def test_acpx_g_an_isolated_session_is_for_one_visit() -> None:
    alone = asks("alone", session={"isolated": True})

    def looks(context: NodeContext) -> dict[str, Any]:
        return {"again": context.visit < 3, "said": context.outputs["alone"]}

    run_it: Any = looks

    flow = Flow(
        nodes=[alone, Node("again", run_it, "compute"), asks("end")],
        edges=[
            Edge("alone", "again"),
            Switch("again", "$.again", {"true": "alone", "false": "end"}),
        ],
        entry="alone",
    )
    result = await run(flow)
    assert result.path.count("alone") == 3
    assert result.outputs["again"]["said"] == "1"
    assert result.outputs["end"] == "1"


async def test_acpx_g_an_isolated_session_is_for_one_attempt() -> None:
    said: list[str] = []

    def parse(text: str, context: NodeContext) -> str:
        said.append(text)
        if len(said) < 3:
            raise ValueError("once more")
        return text

    config = {"prompt": "count", "session": {"isolated": True}, "parse": parse}
    await run(chain(Node("a", kind="agent", config=config, retry=Retry(3, delay=0))))
    assert said == ["1", "1", "1"]


def test_acpx_b_a_handle_beside_isolated_is_refused() -> None:
    with pytest.raises(FlowValidationError, match="no handle"):
        chain(asks("a", session={"isolated": True, "handle": "x"}))


async def test_acpx_b_agents_are_had_by_name_and_without_one_by_default() -> None:
    named = {"command": AGENT, "env": {"WHO": "the other"}}
    flow = chain(asks("a", "env: WHO"), asks("b", "env: WHO", agent="other"))
    result = await run(flow, agents={"other": named})
    assert result.outputs == {"a": "(not set)", "b": "the other"}


async def test_acpx_b_a_folder_is_looked_for_from_where_the_run_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    flow = chain(
        asks("here", "cwd"),
        asks("below", "cwd", cwd="sub"),
        asks("by_function", "cwd", cwd=lambda context: "sub/.."),
    )
    result = await run(flow)
    sub = str(tmp_path / "sub")
    assert result.outputs == {"here": str(tmp_path), "below": sub, "by_function": str(tmp_path)}


async def test_acpx_b_without_parse_an_answer_is_the_output_as_it_is() -> None:
    text = '```json\n{"a": 1}\n```\n'
    result = await run(chain(asks("a", f"say: {text}"), asks("b", f"say: {text}", parse="fenced")))
    assert result.outputs == {"a": text.rstrip(), "b": {"a": 1}}


async def test_acpx_g_an_agent_that_takes_too_long_has_timed_out() -> None:
    late = Node("a", kind="agent", config={"prompt": "slow: 60"}, timeout=1.0)
    flow = Flow(
        nodes=[late, asks("late", "say: still here")],
        edges=[Switch("a", "$result.outcome", {"timed_out": "late"})],
        entry="a",
    )
    result = await run(flow)
    assert result.results["a"].outcome == "timed_out"
    assert result.outputs == {"late": "still here"}


async def test_acpx_b_a_session_of_another_command_is_not_silently_begun_anew(
    tmp_path: Path,
) -> None:
    ours = [*AGENT, "--memory", str(tmp_path / "memory.json")]
    flow = chain(asks("a"), Node("w", kind="checkpoint"), asks("b"), asks("c", "recall"))
    other = [*AGENT, "--no-load"]
    for fresh in (False, True):
        store = MemoryStore()
        assert (await run(flow, store, agent=ours)).status == "waiting"
        services = {"agent": other, "fresh_sessions": fresh}
        answers = {"w": None}
        if not fresh:
            with pytest.raises(SessionLostError, match="--fresh-sessions") as refused:
                await flow.resume_run("r", store, signals=answers, services=services)
            assert "--no-load` knows nothing of it" in str(refused.value)
            # With the command of before the session goes on.
            result = await flow.resume_run("r", store, services={"agent": ours})
            assert result.outputs["b"] == "2"
            continue
        result = await flow.resume_run("r", store, signals=answers, services=services)
        assert (result.outputs["b"], result.outputs["c"]) == ("1", "count")


async def test_acpx_b_a_lost_session_is_begun_anew_when_told_so() -> None:
    flow = chain(asks("a"), Node("w", kind="checkpoint"), asks("b"))
    services = {"agent": [*AGENT, "--no-load"]}
    store = MemoryStore()
    await run(flow, store, **services)
    with pytest.raises(SessionLostError, match="cannot load sessions"):
        await flow.resume_run("r", store, signals={"w": None}, services=services)
    result = await flow.resume_run("r", store, services={**services, "fresh_sessions": True})
    assert result.outputs["b"] == "1"


async def test_acpx_g_two_agents_may_have_sessions_of_one_name_in_a_resumed_run() -> None:
    direct = [*AGENT, "--no-load"]
    flow = chain(
        asks("a"), Node("w", kind="checkpoint"), asks("b", agent="other"), asks("c", agent=direct)
    )
    services = {"agent": AGENT, "agents": {"other": [*AGENT, "--no-load"]}}
    store = MemoryStore()
    await run(flow, store, **services)
    result = await flow.resume_run("r", store, signals={"w": None}, services=services)
    assert (result.outputs["b"], result.outputs["c"]) == ("1", "2")
