"""`flowrt run`: what goes in, what comes out, and where."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from flowrt_program import PROGRAM, Flowrt, environment, ran, write_flow


def test_the_state_goes_to_stdout_and_progress_to_stderr(flowrt: Flowrt, flow: str) -> None:
    run = flowrt("run", flow, "--input-json", '{"x": "é"}')
    assert run.code == 0
    assert run.state == {"x": "é", "a": 1, "b": 2}
    told = [line[10:] for line in run.err.splitlines()[1:]]
    assert run.err.startswith("run ")
    assert told[0] == "started at a"
    assert told[1].startswith("a completed in ")
    assert told[1].endswith(" -> b")
    assert told[-1] == "completed: a -> b"


def test_input_from_a_file_and_from_stdin(flowrt: Flowrt, flow: str, tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text('{"a": 5}')
    assert flowrt("run", flow, "--input-file", "in.json").state == {"a": 1, "b": 2}
    assert flowrt("run", flow, "--input-file", "-", stdin='{"x": 1}').state["x"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--input-json", "{"), "--input-json is not JSON (line 1, column 2"),
        (("--input-json", "[1]"), "--input-json holds a list; a run begins with an object"),
        (("--input-json", "{}", "--input-file", "x"), "not both"),
        (("--input-file", "nowhere.json"), "nowhere.json: no such file"),
    ],
)
def test_wrong_input_runs_nothing(
    flowrt: Flowrt, flow: str, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    run = flowrt("run", flow, *arguments)
    assert (run.code, run.out) == (2, "")
    assert says in run.err
    assert run.err.count("\n") == 1
    assert ran(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            '{"flowrt": 1,\n "name": "x", "name": "y"}',
            ":2:15: FL901 syntax-error: The key",
        ),
        (
            '{"flowrt": 1, "a": {"b": "NaN", "c": NaN}}',
            ":1:38: FL901 syntax-error: `NaN`",
        ),
        ('{"flowrt": 1, "name": x}', ":1:23: FL901 syntax-error: Expecting value"),
        ("[" * 300, ":1:201: FL901 syntax-error: This is nested too deeply"),
        (
            '{"flowrt": 1, "name": "x", "entry": "a", "nodes": [{"name": "a", "kind": "b"}]}',
            ": flow `x` has 1 error:\n  flow.json:1:74: FL703 unknown-node-kind: Node `a`",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_told_once(
    flowrt: Flowrt, tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "flow.json").write_text(text)
    run = flowrt("run", "flow.json")
    assert run.code == 2
    assert run.err.startswith(f"error: flow.json{says}")
    assert run.err.count("FL") == 1
    assert run.err.count("FL") == 1


def test_what_nodes_print_goes_to_stderr(flowrt: Flowrt, tmp_path: Path) -> None:
    source = "async def chats(state):\n    print('hello there')\n    return state\n"
    write_flow(tmp_path, "flow.py", nodes='Node("chats", chats)', functions=source)
    for arguments in ((), ("--format", "json")):
        run = flowrt("run", "flow.py", *arguments)
        assert "hello there\n" in run.err
        assert "hello there" not in run.out


LOUD = """
import os
os.system("echo while it is loaded")


async def loud(state):
    os.system("echo from a shell")
    os.write(1, b"straight\\n")
    return state
"""


@pytest.mark.parametrize("arguments", [(), ("--format", "json")])
def test_what_is_printed_past_python_goes_to_stderr_too(
    flowrt: Flowrt, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("loud", loud)', functions=LOUD)
    run = flowrt("run", "flow.py", *arguments)
    assert run.code == 0
    for text in ("while it is loaded", "from a shell", "straight"):
        assert f"{text}\n" in run.err
    assert (run.lines[-1]["state"] if arguments else run.state) == {}
    assert json.loads(flowrt("graph", "flow.py", "--format", "json").out)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["run flow.py --run-id r1", "show r0", "list", "--version"])
def test_a_stream_may_be_closed(
    flowrt: Flowrt, flow: str, tmp_path: Path, closed: str, command: str
) -> None:
    assert flowrt("run", flow, "--run-id", "r0").code == 0
    done = subprocess.run(
        f"{PROGRAM} {command} {closed}",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert command != "run flow.py --run-id r1" or flowrt("show", "r1").code == 0


def test_each_event_is_one_line_of_json(flowrt: Flowrt, flow: str) -> None:
    run = flowrt("run", flow, "--format", "json", "--run-id", "r1")
    assert (run.code, run.err) == (0, "")
    *events, result = run.lines
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["type"] == "run_started"
    assert events[-1]["type"] == "run_completed"
    assert result["type"] == "result"
    assert (result["status"], result["run_id"]) == ("completed", "r1")
    assert result["state"] == {"a": 1, "b": 2}
    assert result["path"] == ["a", "b"]


def test_without_a_store_nothing_is_kept(flowrt: Flowrt, flow: str, tmp_path: Path) -> None:
    run = flowrt("run", flow, "--no-store")
    assert run.state == {"a": 1, "b": 2}
    assert "a completed" in run.err
    assert not (tmp_path / ".flowrt").exists()


def test_without_a_store_any_value_may_be_in_the_state(flowrt: Flowrt, tmp_path: Path) -> None:
    source = "async def opens(state):\n    return {'file': open('flow.py')}\n"
    write_flow(tmp_path, "flow.py", nodes='Node("opens", opens)', functions=source)
    run = flowrt("run", "flow.py", "--no-store")
    assert run.code == 0
    assert "TextIOWrapper" in run.state["file"]
    kept = flowrt("run", "flow.py")
    assert kept.code == 1
    assert "TextIOWrapper" in kept.err
    assert "Traceback" not in kept.err


@pytest.mark.parametrize(
    "store", ["kept/runs", "folder:kept/runs", "sqlite:kept.db", "kept.sqlite"]
)
def test_the_store_is_where_it_was_said(
    flowrt: Flowrt, flow: str, tmp_path: Path, store: str
) -> None:
    assert flowrt("run", flow, "--store", store, "--run-id", "r1").code == 0
    assert (tmp_path / store.partition(":")[2]).exists() or (tmp_path / store).exists()
    assert "completed" in flowrt("show", "r1", "--store", store).out
    assert flowrt("show", "r1", env={"FLOWRT_STORE": store}).code == 0
    assert flowrt("show", "r1").code == 2


def test_a_store_that_is_none(flowrt: Flowrt, flow: str) -> None:
    run = flowrt("run", flow, "--store", "postgres:x")
    assert run.code == 2
    assert run.err == "error: `postgres:x` is no store: write folder:PATH, sqlite:PATH or a path\n"


@pytest.mark.parametrize("store", ["runs", "sqlite:runs.db"])
@pytest.mark.parametrize("name", ["", "a/b", ".hidden", "x" * 201])
def test_an_id_that_is_none(
    flowrt: Flowrt, flow: str, tmp_path: Path, name: str, store: str
) -> None:
    run = flowrt("run", flow, "--run-id", name, "--store", store)
    assert run.code == 2
    assert run.err.startswith(f"error: '{name}' cannot be the id of a run: use letters, digits, ")
    assert ran(tmp_path) == []


def test_a_run_id_that_is_taken(flowrt: Flowrt, flow: str) -> None:
    assert flowrt("run", flow, "--run-id", "r1").code == 0
    run = flowrt("run", flow, "--run-id", "r1")
    assert (run.code, run.err) == (2, "error: run `r1` exists already\n")


def test_the_step_limit(flowrt: Flowrt, flow: str) -> None:
    run = flowrt("run", flow, "--max-steps", "1")
    assert run.code == 1
    assert "took its 1 steps (max_steps) and would go on with `b`" in run.err
    assert "Traceback" not in run.err


def test_a_failing_node_is_told_with_its_place(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("a", a), Node("x", fails)', edges='Edge("a", "x")')
    run = flowrt("run", "flow.py", "--run-id", "r1")
    assert (run.code, run.out) == (1, "")
    line = (
        (tmp_path / "flow.py")
        .read_text()
        .splitlines()
        .index('    raise ValueError("no luck today")')
    )
    assert run.err.splitlines()[-3:] == [
        "error: node `x` of flow `demo` failed: ValueError: no luck today",
        f'  at flow.py:{line + 1} in fails: raise ValueError("no luck today")',
        "go on with: flowrt resume r1",
    ]
    assert "Traceback" not in run.err
    assert "Traceback (most recent call last)" in flowrt("run", "flow.py", "--traceback").err


def test_the_innermost_node_is_named(flowrt: Flowrt, tmp_path: Path) -> None:
    body = 'Region([Node("x", fails, retry=Retry(attempts=2, delay=0.01))], [], "x")'
    node = f'Node("each", kind="repeat", config={{"over": [1]}}, regions={{"body": {body}}})'
    write_flow(tmp_path, "flow.py", nodes=node)
    run = flowrt("run", "flow.py")
    assert run.code == 1
    assert "error: node `x` (each#1:loop-body[0]) of flow `demo` failed after 2 attempts" in run.err


def test_a_node_that_exits_the_program_has_failed(flowrt: Flowrt, tmp_path: Path) -> None:
    source = "async def leaves(state):\n    raise SystemExit(0)\n"
    write_flow(tmp_path, "flow.py", nodes='Node("leaves", leaves)', functions=source)
    run = flowrt("run", "flow.py")
    assert run.code == 1
    assert "SystemExit" in run.err


def test_a_flow_that_joins_goes_on_and_names_what_failed(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("a", a), Node("b", b), Node("x", fails), Node("one", one)',
        edges='Edge("a", "b"), Edge("a", "x"), Edge("x", "one")',
        more='routing="all"',
    )
    run = flowrt("run", "flow.py")
    assert (run.code, run.out) == (1, "")
    assert "error: node `x` failed: ValueError: no luck today\n" in run.err
    assert "blocked: one\n" in run.err
    assert "b" in ran(tmp_path)


def test_names_cannot_steer_the_terminal(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes=r'Node("\x1b[31mred", a)', entry=r"\x1b[31mred")
    run = flowrt("run", "flow.py")
    assert run.code == 0
    assert "\x1b" not in run.err
    assert r"\x1b[31mred completed" in run.err


def test_log_actions_are_seen(flowrt: Flowrt, tmp_path: Path) -> None:
    node = 'Node("a", a, after=[{"type": "log", "message": "a is done"}])'
    write_flow(tmp_path, "flow.py", nodes=node)
    run = flowrt("run", "flow.py")
    assert run.code == 0
    assert "INFO: a is done\n" in run.err


def test_agents_are_named_on_the_command_line(flowrt: Flowrt, tmp_path: Path) -> None:
    program = Path(__file__).parents[1] / "agents" / "echo_agent.py"
    agent = f"{sys.executable} {program} --memory {tmp_path / 'memory.json'}"
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("one", kind="agent", config={"prompt": "say: hello", "into": "said"}),'
        ' Node("two", kind="agent", config={"prompt": "hi", "agent": "other", "into": "echoed"}),'
        ' Node("ok", kind="checkpoint"),'
        ' Node("three", kind="agent", config={"prompt": "say: bye", "into": "last"})',
        edges='Edge("one", "two"), Edge("two", "ok"), Edge("ok", "three")',
    )
    run = flowrt("run", "flow.py", "--run-id", "r1", "--agent", agent, "--agent", f"other={agent}")
    assert run.code == 3, run.err
    begun = [line[10:] for line in run.err.splitlines() if "session" in line]
    assert begun == [f"began session `main` with `{agent}` in {tmp_path}"]
    state = flowrt("resume", "r1", "--signal", "ok").state
    assert state == {"said": "hello", "echoed": "echo: hi", "last": "bye"}
    assert flowrt("run", "flow.py", "--agent", "other=").code == 2


@pytest.mark.parametrize("option", ["--input-json", "--input-file", "--secrets-file"])
def test_a_key_that_is_written_twice_is_refused(
    flowrt: Flowrt, flow: str, tmp_path: Path, option: str
) -> None:
    text = '{"a": {"b": 1,\n "b": 2}}'
    if option.endswith("file"):
        (tmp_path / "given.json").write_text(text)
    run = flowrt("run", flow, option, "given.json" if option.endswith("file") else text)
    assert run.code == 2
    assert "(line 2, column 2: the key `b` is written twice)" in run.err
    assert ran(tmp_path) == []
