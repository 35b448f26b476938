"""Commands (acpx §a, §b and §g, Shell)."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from flowrt.errors import FlowError, FlowValidationError, NodeTimeoutError
from flowrt_fakes import value


@dataclass
class Page:
    title: str
    lines: list[int]


def python(code: str, *args: str, **config: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-c", code, *args], **config}


async def test_acpx_a_the_result(tmp_path: Path) -> None:
    code = "import sys; print(sys.stdin.read()); print('e', file=sys.stderr)"
    result = await value("shell", python(code, stdin="hi", cwd=str(tmp_path)))
    assert result["stdout"] == "hi\n"
    assert result["stderr"] == "e\n"
    assert (result["exit_code"], result["signal"], result["truncated"]) == (0, None, [])
    assert result["cwd"] == str(tmp_path)
    assert result["args"][0] == "-c"
    assert 0 < result["duration"] < 10


async def test_acpx_b_nonzero_exit_fails_before_parse_unless_allowed() -> None:
    failing = "import sys; print('[1]'); print('why', file=sys.stderr); sys.exit(3)"
    with pytest.raises(FlowError, match="exit code 3: why"):
        await value("shell", python(failing, parse=lambda result: 1 / 0))
    result = await value("shell", python(failing, allow_nonzero_exit=True))
    assert result["exit_code"] == 3
    assert await value("shell", python(failing, allow_nonzero_exit=True, parse="strict")) == [1]


async def test_acpx_b_a_signal_counts_as_failure() -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    with pytest.raises(FlowError, match="signal SIGTERM"):
        await value("shell", python(code))
    result = await value("shell", python(code, allow_nonzero_exit=True))
    assert (result["exit_code"], result["signal"]) == (None, "SIGTERM")


async def test_no_shell_unless_asked_for() -> None:
    result = await value("shell", {"command": "echo", "args": ["$HOME", "a;b"]})
    assert result["stdout"] == "$HOME a;b\n"
    result = await value("shell", {"command": "echo $((1+1)) $1", "args": ["x"], "shell": True})
    assert result["stdout"] == "2 x\n"
    with pytest.raises(FlowError, match="cannot be started"):
        await value("shell", {"command": "echo hello"})


STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"])
open(sys.argv[1], "w").write(f"{os.getpid()} {child.pid}")
time.sleep(60)
"""


def alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return status != "Z"


async def all_gone(pids: Path) -> bool:
    """Whether what was killed is gone; how soon is the kernel's affair."""
    for _ in range(250):
        if not any(alive(int(pid)) for pid in pids.read_text().split()):
            return True
        await asyncio.sleep(0.02)
    return False


async def test_acpx_b_timeout_ends_the_whole_group_sigkill_after_a_second(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    started = monotonic()
    with pytest.raises(NodeTimeoutError, match=r"longer than its 0\.7 s"):
        await value("shell", python(STUBBORN, str(pids), timeout=0.7))
    assert 1.5 < monotonic() - started < 4
    assert await all_gone(pids)


async def test_cancelling_ends_the_whole_group(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    task = asyncio.ensure_future(value("shell", python(STUBBORN, str(pids))))
    while not pids.exists() or len(pids.read_text().split()) < 2:
        await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await all_gone(pids)


async def test_output_is_capped_and_said_to_be() -> None:
    code = "print('x' * 100000)"
    result = await value("shell", python(code, max_buffer_bytes=10))
    assert (result["stdout"], result["truncated"]) == ("x" * 10, ["stdout"])
    with pytest.raises(FlowError, match="more than 10 bytes on stdout"):
        await value("shell", python(code, max_buffer_bytes=10, on_overflow="fail"))
    with pytest.raises(FlowError, match="cannot parse an output that was cut"):
        await value("shell", python(code, max_buffer_bytes=10, parse="text"))


ENDLESS = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open(sys.argv[1], "w").write(f"{os.getpid()} {child.pid}")
while True:
    print("on and on", file=sys.stderr)
"""


async def test_a_command_that_prints_more_than_it_may_is_ended_with_its_group(
    tmp_path: Path,
) -> None:
    pids = tmp_path / "pids"
    async with asyncio.timeout(30):
        with pytest.raises(FlowError, match="more than 1000 bytes on stderr"):
            await value(
                "shell",
                python(ENDLESS, str(pids), max_buffer_bytes=1000, on_overflow="fail"),
            )
    assert await all_gone(pids)


async def test_what_runs_on_in_the_background_is_not_waited_for() -> None:
    started = monotonic()
    result = await value("shell", {"command": "sleep 5 & echo done", "shell": True})
    assert result["stdout"] == "done\n"
    assert monotonic() - started < 3


async def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_OF_SOMEBODY", "secret")
    code = "import os, json; print(json.dumps(dict(os.environ)))"
    seen = await value("shell", python(code, env={"A": "1"}, parse="strict"))
    assert "TOKEN_OF_SOMEBODY" not in seen
    assert seen["A"] == "1"
    assert seen["PATH"] == os.environ["PATH"]
    some = await value("shell", python(code, inherit=["TOKEN_OF_SOMEBODY"], parse="strict"))
    assert some["TOKEN_OF_SOMEBODY"] == "secret"
    all_ = await value("shell", python(code, inherit="all", parse="strict"))
    assert all_["TOKEN_OF_SOMEBODY"] == "secret"
    none = await value("shell", python(code, inherit="none", parse="strict"))
    assert "PATH" not in none


async def test_acpx_a_exec_gives_the_command_from_the_context() -> None:
    async def command(world: Any) -> dict[str, Any]:
        return {"command": "echo", "args": [world.state["word"]]}

    result = await value("shell", {"exec": command, "timeout": 5}, state={"word": "hi"})
    assert result["stdout"] == "hi\n"
    with pytest.raises(FlowError, match="`exec` of node `n`"):
        await value("shell", {"exec": lambda world: "echo hi"})
    with pytest.raises(FlowValidationError, match="`comand`"):
        await value("shell", {"exec": lambda world: {"comand": "echo"}})
    with pytest.raises(FlowError, match="has no command"):
        await value("shell", {})


@pytest.mark.parametrize(
    ("held", "shown"),
    [
        ("a 'b'", "a 'b'"),
        (7, "7"),
        (1.5, "1.5"),
        (None, ""),
        (True, "true"),
        (["ü", {"a": None}], '["ü", {"a": null}]'),
        ({"n": (1, False)}, '{"n": [1, false]}'),
        (Page("é", [3]), '{"title": "é", "lines": [3]}'),
        ({("a", "b"): 1}, "{('a', 'b'): 1}"),
    ],
)
async def test_a_template_shows_values_as_others_read_them(held: Any, shown: str) -> None:
    config = {"command": "printf", "args": ["%s", "{state.held}"], "templates": True}
    filled = await value("shell", {**config, "parse": "text"}, state={"held": held})
    assert filled == shown


async def test_templates_only_when_asked_for() -> None:
    config = {"command": "echo", "args": ["{state.word}", "{other}"]}
    assert (await value("shell", config))["stdout"] == "{state.word} {other}\n"
    filled = await value("shell", {**config, "templates": True}, state={"word": "a b; c"})
    assert filled["stdout"] == "a b; c {other}\n"


async def test_acpx_a_parse_gets_the_result_and_the_context() -> None:
    def parse(result: dict[str, Any], world: Any) -> Any:
        return [json.loads(result["stdout"]), world.node.name]

    assert await value("shell", {"command": "echo", "args": ["7"], "parse": parse}) == [7, "n"]
    text = {"command": "echo", "args": ['so: {"a": 1}'], "parse": "forgiving"}
    assert await value("shell", text) == {"a": 1}
    with pytest.raises(FlowError, match="expected JSON"):
        await value("shell", {**text, "parse": "strict"})


async def test_a_shell_never_runs_what_the_state_holds(tmp_path: Path) -> None:
    async def command(_: Any) -> dict[str, Any]:
        return {"command": "echo {state.x}", "shell": True}

    state = {"x": f"hi; touch {tmp_path / 'made'}"}
    config = {"exec": command, "templates": True}
    with pytest.raises(FlowError, match="the shell would run what the templates"):
        await value("shell", config, state=state)
    assert not (tmp_path / "made").exists()
    safe = {"command": 'echo "$1"', "args": ["{state.x}"], "shell": True, "templates": True}
    assert (await value("shell", safe, state=state))["stdout"] == f"{state['x']}\n"
    assert not (tmp_path / "made").exists()
