"""Agents on the command line: those that are missing, and those that are none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from flowrt_program import Flowrt, Run, ran, write_flow

PROGRAM = Path(__file__).parents[1] / "agents" / "echo_agent.py"
ECHO = f"{sys.executable} {PROGRAM}"
PROMPT = "{name: ask, kind: agent, config: {prompt: hi%s}}"


def write(folder: Path, nodes: str, edges: str = "", entry: str = "ask") -> str:
    (folder / "flow.yaml").write_text(
        f"flowrt: 1\nname: x\nentry: {entry}\nnodes: [{nodes}]\nedges: [{edges}]\n"
    )
    return "flow.yaml"


def says_in_one_line(run: Run, *parts: str) -> None:
    (line,) = [line for line in run.err.splitlines() if line.startswith("error: ")]
    assert all(part in line for part in parts), line
    assert "Traceback" not in run.err


@pytest.mark.parametrize(
    ("more", "arguments", "env", "says"),
    [
        ("", (), {}, "the default agent: give its command with `--agent COMMAND` or FLOWRT_AGENT"),
        (", agent: coder", (), {}, "the agent `coder`: give its command with `--agent coder="),
        ("", ("--agent", "no-such-agent"), {}, "there is no program `no-such-agent` to start"),
        ("", ("--agent", "/nowhere/agent x"), {}, "there is no program `/nowhere/agent` to start"),
        ("", (), {"FLOWRT_AGENT": "no-such-agent"}, "there is no program `no-such-agent`"),
        ("", (), {"FLOWRT_AGENT": 'a "b'}, "cannot be read: no closing quotation"),
        (", agent: [no-such-agent]", (), {}, "there is no program `no-such-agent` to start"),
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_an_agent_that_is_missing_is_told_before_anything_runs(
    flowrt: Flowrt,
    tmp_path: Path,
    more: str,
    arguments: tuple[str, ...],
    env: dict[str, str],
    says: str,
    inside: bool,
) -> None:
    touch = '{name: first, kind: shell, config: {command: touch, args: ["ran.txt"]}}'
    asks = PROMPT % more
    if inside:
        body = f"{{entry: ask, nodes: [{asks}]}}"
        asks = f"{{name: each, kind: repeat, config: {{over: '[1]'}}, body: {body}}}"
    target = "each" if inside else "ask"
    write(tmp_path, f"{touch}, {asks}", f"{{from: first, to: {target}}}", "first")
    run = flowrt("run", "flow.yaml", *arguments, env=env)
    assert (run.code, run.out) == (2, "")
    says_in_one_line(run, "node `ask` of flow `x`", says)
    assert not (tmp_path / "ran.txt").exists()
    assert not (tmp_path / ".flowrt").exists()


def test_the_agents_of_inner_flows_are_looked_for(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("a", a), Node("call", kind="subflow", config={"flow": "inner"})',
        edges='Edge("a", "call")',
        functions='inner = Flow(name="inner", entry="ask", edges=[],'
        ' nodes=[Node("ask", kind="agent", config={"prompt": "hi"})])',
    )
    run = flowrt("run", "flow.py:flow")
    assert run.code == 2
    says_in_one_line(run, "node `ask` of flow `inner` needs the default agent")
    assert ran(tmp_path) == []
    assert flowrt("run", "flow.py:flow", "--agent", ECHO).code == 0


def test_a_vote_that_cannot_succeed_is_told_before_anything_runs(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    config = {"mode": "ballot", "question": "Ship?", "voters": ["one", "two"]}
    for minimum, code in ((1, 0), (2, 2)):
        node = f'Node("v", kind="decision", config={config | {"minimum_votes": minimum}})'
        write_flow(tmp_path, "flow.py", nodes=f'Node("a", a), {node}', edges='Edge("a", "v")')
        run = flowrt("run", "flow.py", "--agent", f"one={ECHO}", "--agent", "two=no-such-agent")
        assert run.code == code, run.err
    says_in_one_line(run, "node `v` of flow `demo` needs the agent `two`", "`no-such-agent`")
    assert ran(tmp_path) == ["a"]


def test_an_agent_whose_command_cannot_be_read(flowrt: Flowrt, tmp_path: Path) -> None:
    run = flowrt("run", write(tmp_path, PROMPT % ""), "--agent", 'unbal "quote')
    assert run.code == 2
    assert run.err.startswith("error: --agent 'unbal \"quote' cannot be read: no closing quotation")
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("agent", "shown"),
    [
        ("sh -c 'echo not json; exec sleep 60'", "`not json`"),
        ("sh -c 'echo [1]; exec sleep 60'", "`[1]`"),
        ("yes", "`y`"),
        ("yes long " + "word " * 100, "`long word word"),
        ("printf broken", "`broken`"),
        ("head -c 200000000 /dev/zero", "`a line of zeros`"),
    ],
)
def test_an_agent_that_speaks_no_acp_is_ended_at_its_first_line(
    flowrt: Flowrt, tmp_path: Path, agent: str, shown: str
) -> None:
    run = flowrt("run", write(tmp_path, PROMPT % ""), "--agent", agent)
    assert run.code == 1
    says_in_one_line(run, "does not speak ACP", shown, "is no JSON-RPC message")
    assert len(run.err) < 3000


def test_what_an_agent_says_on_stderr_is_told_with_it(flowrt: Flowrt, tmp_path: Path) -> None:
    agent = "sh -c 'echo give me a key >&2; sleep 0.2; echo oops'"
    run = flowrt("run", write(tmp_path, PROMPT % ""), "--agent", agent)
    says_in_one_line(run, "`oops` is no JSON-RPC message", "give me a key")


def test_an_agent_that_never_answers_is_not_waited_for_for_ever(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    write(tmp_path, PROMPT % ", start_timeout: 0.3")
    run = flowrt("run", "flow.yaml", "--agent", "sleep 60")
    assert run.code == 1
    says_in_one_line(run, "did not answer the handshake within 0.3 s (`start_timeout`)")


def test_the_library_logs_nothing_for_users(flowrt: Flowrt, tmp_path: Path) -> None:
    """What an agent asks for in vain is its affair."""
    source = (
        "import logging\n\nasync def warns(state):\n    logging.warning('mine')\n    return state\n"
    )
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("ask", kind="agent", config={"prompt": "read: missing.txt"}),'
        ' Node("warns", warns)',
        edges='Edge("ask", "warns")',
        functions=source,
    )
    run = flowrt("run", "flow.py", "--agent", ECHO, "--approve-all")
    assert run.code == 0
    assert "Traceback" not in run.err
    assert "WARNING:root:mine" in run.err
