"""Agent nodes against a real agent over stdio (acpx §a, §b and §g, ACP sessions)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from flowrt.authoring import Edge
from flowrt.errors import FlowError, FlowValidationError
from flowrt.nodes.acp_client import AgentCrashedError, AgentError
from flowrt.nodes.acp_pool import AgentPool, SessionLostError
from flowrt.nodes.sessions import RecordedSessions
from flowrt.parsing import ParseError
from flowrt_fakes import FakeContext, context, execute

ECHO = str(Path(__file__).parents[1] / "agents" / "echo_agent.py")
COMMAND = [sys.executable, ECHO]


class World:
    """A run's services, shared by nodes."""

    def __init__(self, **services: Any) -> None:
        self.services: dict[str, Any] = {"agent": COMMAND, **services}

    async def ask(self, prompt: Any = None, *, incoming: Edge | None = None, **config: Any) -> Any:
        given = config if prompt is None else {"prompt": prompt, **config}
        return (await execute(self.node(given, incoming))).value

    def node(self, config: dict[str, Any], incoming: Edge | None = None) -> FakeContext:
        return context(
            "agent", config, services=self.services, incoming=incoming, state={"x": "hello"}
        )

    async def close(self) -> None:
        pool = self.services.get("agent_pool")
        if pool is not None:
            await pool.aclose()


@pytest.fixture
async def world() -> AsyncIterator[World]:
    made = World()
    yield made
    await made.close()


async def test_acpx_b_without_parse_the_output_is_raw_text(world: World) -> None:
    assert await world.ask("hi there") == "echo: hi there"
    assert await world.ask("{state.x} {y}") == "echo: hello {y}"


async def test_acpx_a_prompts_are_texts_blocks_or_functions(world: World) -> None:
    blocks = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert await world.ask(blocks) == "echo: a\n\nb"

    async def build(node: Any) -> str:
        return f"built {node.state['x']}"

    assert await world.ask(build) == "echo: built hello"
    link = {"type": "resource_link", "name": "x", "uri": "file:///x"}
    assert await world.ask(lambda node: [link, *blocks]) == "echo: <resource_link>\na\nb"
    with pytest.raises(FlowError, match="content blocks, not int"):
        await world.ask(lambda node: 5)
    with pytest.raises(FlowError, match="has no prompt"):
        await world.ask()


async def test_the_edge_that_led_here_carries_instructions(world: World) -> None:
    edge = Edge("a", "n", prompt="and {state.x}")
    assert await world.ask("do", incoming=edge) == "echo: do\n\nand hello"
    assert await world.ask(incoming=edge) == "echo: and hello"


async def test_acpx_a_parse(world: World) -> None:
    prompt = 'json: {"route": "a"}'
    assert await world.ask(prompt, parse="forgiving") == {"route": "a"}
    assert await world.ask(prompt, parse="fenced") == {"route": "a"}
    with pytest.raises(ParseError):
        await world.ask(prompt, parse="strict")
    assert await world.ask('say: {"a": 1}', parse="strict") == {"a": 1}
    assert await world.ask("say: 5", parse=int) == 5
    both = await world.ask("say: x", parse=lambda text, node: (text, node.node.name))
    assert both == ("x", "n")


async def test_acpx_b_one_main_session_for_a_run(world: World) -> None:
    assert await world.ask("count") == "1"
    assert await world.ask("count") == "2"
    assert await world.ask("recall") == "count | count"


async def test_acpx_b_a_handle_or_cwd_is_another_session(world: World, tmp_path: Path) -> None:
    assert await world.ask("count") == "1"
    assert await world.ask("count", session={"handle": "side"}) == "1"
    assert await world.ask("count", cwd=str(tmp_path)) == "1"
    assert await world.ask("count", session={"handle": "side"}) == "2"
    assert await world.ask("cwd", cwd=lambda node: str(tmp_path)) == str(tmp_path)
    pids = {await world.ask("pid"), await world.ask("pid", session={"handle": "side"})}
    assert len(pids) == 1
    with pytest.raises(FlowError, match="no such folder"):
        await world.ask("cwd", cwd=str(tmp_path / "missing"))


async def test_a_command_is_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session works in the node's folder; the command is relative to the current one."""
    monkeypatch.chdir(Path(ECHO).parent)
    world = World(agent=[sys.executable, Path(ECHO).name])
    try:
        assert await world.ask("cwd", cwd=str(tmp_path)) == str(tmp_path)
        assert await world.ask("cwd", cwd=str(tmp_path), session={"isolated": True}) == str(
            tmp_path
        )
    finally:
        await world.close()


async def test_acpx_b_isolated_sessions_are_used_once(world: World) -> None:
    for _ in range(2):
        assert await world.ask("count", session={"isolated": True}) == "1"
    with pytest.raises(FlowValidationError, match="no handle"):
        await world.ask("count", session={"isolated": True, "handle": "x"})


async def test_acpx_b_agents_by_name(world: World) -> None:
    world.services["agents"] = {"coder": {"command": COMMAND, "env": {"WHO": "coder"}}}
    assert await world.ask("env: WHO", agent="coder") == "coder"
    assert await world.ask("env: WHO", agent=COMMAND, env={"WHO": "me"}) == "me"
    with pytest.raises(FlowError, match="needs the agent `nobody`"):
        await world.ask("x", agent="nobody")
    del world.services["agent"]
    with pytest.raises(FlowError, match="needs the default agent"):
        await world.ask("x")


@pytest.mark.parametrize(
    ("mode", "read", "edit"),
    [
        (None, "denied", "denied"),
        ("deny-all", "denied", "denied"),
        ("approve-reads", "what is in it", "denied"),
        ("approve-all", "what is in it", "edited"),
    ],
)
async def test_permissions_are_answered_by_the_mode(
    mode: str | None, read: str, edit: str, tmp_path: Path
) -> None:
    (tmp_path / "f").write_text("what is in it")
    world = World(permission_mode=mode)
    try:
        assert await world.ask("read: f", cwd=str(tmp_path)) == read
        assert await world.ask("edit: g", cwd=str(tmp_path)) == edit
        assert (tmp_path / "g").exists() == (edit == "edited")
    finally:
        await world.close()


async def test_files_outside_of_the_cwd_are_refused(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "f").write_text("secret")
    world = World(permission_mode="approve-all")
    try:
        assert "is outside of" in await world.ask("read: ../f", cwd=str(inside))
        assert "is outside of" in await world.ask(f"edit: {tmp_path}/f", cwd=str(inside))
        assert (tmp_path / "f").read_text() == "secret"
    finally:
        await world.close()


async def test_an_approver_is_asked_about_what_is_no_read(tmp_path: Path) -> None:
    asked: list[str] = []

    async def approver(tool_call: Any) -> bool:
        asked.append(tool_call.title)
        return True

    world = World(permission_mode="approve-reads", approver=approver)
    try:
        answer = await world.ask("edit: g", cwd=str(tmp_path))
        assert answer.startswith("failed: ")
        assert asked == ["edit g"]
    finally:
        await world.close()


async def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(FlowError, match="no permission mode"):
        await World(permission_mode="yolo").ask("x")


async def test_a_crash_fails_the_node_and_names_the_agent(world: World) -> None:
    with pytest.raises(AgentCrashedError) as caught:
        await world.ask("crash")
    said = str(caught.value)
    assert "echo_agent.py" in said
    assert "ended with code 3" in said
    assert "the agent met its end" in said


async def test_an_agent_that_cannot_be_started_or_speaks_no_acp(world: World) -> None:
    with pytest.raises(AgentError, match="cannot be started"):
        await world.ask("x", agent=["/nowhere/agent"])
    with pytest.raises(AgentCrashedError, match="did not answer the handshake"):
        await world.ask("x", agent=[sys.executable, "-c", "import sys; sys.exit(4)"])


async def test_a_refusal_fails_the_node(world: World) -> None:
    with pytest.raises(AgentError, match="refused to answer"):
        await world.ask("refuse")


async def test_cancelling_cancels_the_prompt_and_keeps_the_session(world: World) -> None:
    assert await world.ask("pid") == await world.ask("pid")
    pid = await world.ask("pid")
    started = monotonic()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await world.ask("slow: 30")
    assert monotonic() - started < 2
    assert await world.ask("pid") == pid
    assert (await world.ask("recall")).endswith("slow: 30 | pid")


async def test_an_agent_that_will_not_be_cancelled_is_ended(tmp_path: Path) -> None:
    world = World(agent=[*COMMAND, "--memory", str(tmp_path / "memory")])
    try:
        pid = await world.ask("pid")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await world.ask("stubborn: 30")
        assert await world.ask("pid") != pid
        assert (await world.ask("recall")).startswith("pid | stubborn: 30")
    finally:
        await world.close()


async def test_acpx_seed_a_session_is_loaded_after_a_crash(tmp_path: Path) -> None:
    world = World(agent=[*COMMAND, "--memory", str(tmp_path / "memory")])
    try:
        assert await world.ask("first") == "echo: first"
        with pytest.raises(AgentCrashedError):
            await world.ask("crash")
        assert await world.ask("recall") == "first | crash"
    finally:
        await world.close()


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--no-load"], "the agent cannot load sessions"), ([], "there is no such session")],
)
async def test_acpx_seed_no_fresh_session_is_begun_silently(options: list[str], said: str) -> None:
    world = World(agent=[*COMMAND, *options])
    try:
        assert await world.ask("first") == "echo: first"
        with pytest.raises(AgentCrashedError):
            await world.ask("crash")
        for _ in range(2):
            with pytest.raises(SessionLostError) as caught:
                await world.ask("second")
        assert "the session `main`" in str(caught.value)
        assert said in str(caught.value)
        assert await world.ask("count", session={"isolated": True}) == "1"
    finally:
        await world.close()


async def test_a_resumed_run_takes_up_its_sessions(tmp_path: Path) -> None:
    command = [*COMMAND, "--memory", str(tmp_path / "memory")]
    written: dict[str, Any] = {}
    first = World(agent=command, agent_sessions=RecordedSessions({}, written.__setitem__))
    assert await first.ask("remember me") == "echo: remember me"
    await first.close()
    assert [record["prompts"] for record in written.values()] == [1]
    second = World(agent=command, agent_sessions=RecordedSessions(written, written.__setitem__))
    try:
        assert await second.ask("recall") == "remember me"
    finally:
        await second.close()


async def test_a_session_nothing_was_said_in_may_be_begun_anew(world: World) -> None:
    pool = AgentPool()
    key = f'[["{sys.executable}", "{ECHO}"], "{Path.cwd()}", "main"]'
    pool.sessions[key] = {"id": "gone", "prompts": 0}
    world.services["agent_pool"] = pool
    assert await world.ask("count") == "1"


async def test_prompts_to_one_session_wait_for_each_other(world: World) -> None:
    counts = await asyncio.gather(*(world.ask("count") for _ in range(5)))
    assert sorted(counts) == ["1", "2", "3", "4", "5"]


async def test_sessions_do_not_wait_for_each_other(world: World) -> None:
    await world.ask("hi")
    started = monotonic()
    await asyncio.gather(*(world.ask("slow: 0.4", session={"isolated": True}) for _ in range(5)))
    assert monotonic() - started < 1.5


async def test_the_agent_ends_with_the_run(world: World) -> None:
    pid = int(await world.ask("pid"))
    await world.close()
    assert not Path(f"/proc/{pid}").exists()


async def test_liveness_while_an_agent_talks(world: World) -> None:
    node = world.node({"prompt": "say: a long story"})
    await execute(node)
    assert node.beats


async def test_agents_can_vote() -> None:
    """agentsflow.md g: voters are agents."""
    services = {"agent": COMMAND, "agents": {"judge": COMMAND, "jury": COMMAND}}
    config = {
        "mode": "consensus", "question": "Ship?", "voters": ["judge", "jury"], "rounds": 2
    }  # fmt: skip
    node = context("decision", config, services=services)
    result = (await execute(node)).value
    assert (result["decision"], result["consensus"]) == ("YES", "unanimous")
    assert result["votes"][1]["reason"] == "the first one"
    await services["agent_pool"].aclose()  # type: ignore[attr-defined]


async def test_acpx_a_decisions_by_an_agent(world: World) -> None:
    """acpx.md a: decision() is a prompt with a shape and a parse; so is it here."""
    prompt = 'Return exactly one JSON object: {"route": "a" | "b", "reason": "…"}'
    assert (await world.ask(prompt, parse="forgiving"))["route"] == "a"
