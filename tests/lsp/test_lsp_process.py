"""The server as a process: streams, ends, and what it does with what is no use."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from lsp_client import SERVER
from lsp_flows import DANGLING
from serving import serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from wire import INITIALIZE, Wire

FLOWLS = SERVER[0]
NOISY = """
import os, sys
import flowls.main, flowls.session.session as session
quiet = session.Session.findings
def noisy(self, *given):
    print("noise")
    os.write(1, b"noise")
    os.system("echo noise")
    return quiet(self, *given)
session.Session.findings = noisy
sys.exit(flowls.main.main(["--stdio"]))
"""


def _begin(wire: Wire) -> None:
    assert "result" in wire.ask("initialize", INITIALIZE)
    wire.notify("initialized", {})


def _ended(process: subprocess.Popen[bytes], wire: Wire) -> int:
    """The exit code; what is told before the end is looked at, too."""
    while wire.receive() is not None:
        pass
    return process.wait(10)


def test_an_orderly_end() -> None:
    with serving(*SERVER) as (process, wire):
        _begin(wire)
        assert wire.ask("shutdown")["result"] is None
        wire.notify("exit")
        assert _ended(process, wire) == 0


def test_an_end_without_warning() -> None:
    with serving(*SERVER) as (process, wire):
        _begin(wire)
        wire.notify("exit")
        assert _ended(process, wire) == 1


def test_an_editor_that_is_gone() -> None:
    with serving(*SERVER) as (process, wire):
        _begin(wire)
        assert process.stdin is not None
        process.stdin.close()
        assert _ended(process, wire) == 1


def test_nothing_but_the_protocol_is_on_standard_output(tmp_path: Path) -> None:
    with serving(sys.executable, "-c", NOISY) as (process, wire):
        _begin(wire)
        uri = wire.open(tmp_path / "flow.py", DANGLING)
        published = wire.receive()
        while published is not None and published.get("params", {}).get("uri") != uri:
            published = wire.receive()
        assert published is not None
        wire.ask("shutdown")
        wire.notify("exit")
        assert _ended(process, wire) == 0
        assert process.stderr is not None and b"noise" in process.stderr.read()


WITHOUT_TYPESCRIPT = """
from flowlint.languages import frontends
frontends.can_read_typescript = lambda: False
from flowls.main import main
raise SystemExit(main(["--stdio"]))
"""


def test_it_is_said_once_that_typescript_cannot_be_read(tmp_path: Path) -> None:
    with serving(sys.executable, "-c", WITHOUT_TYPESCRIPT) as (_, wire):
        _begin(wire)
        for name in ("a.ts", "b.jsx"):
            wire.open(tmp_path / name, 'import { defineFlow } from "acpx/flows";\n')
        last = wire.open(tmp_path / "flow.py", DANGLING)
        said: list[str] = []

        def is_last(message: dict[str, Any]) -> bool:
            params = message.get("params", {})
            if message.get("method") == "window/showMessage":
                said.append(params["message"])
            return bool(params.get("uri") == last)

        assert len(wire.until(is_last)["params"]["diagnostics"]) == 1
        (one,) = said
        assert "install `flowls[typescript]`" in one


@pytest.mark.parametrize(
    "params",
    [
        pytest.param({}, id="no document"),
        pytest.param({"textDocument": {"uri": 7}}, id="no URI"),
        pytest.param({"textDocument": {"uri": "file:///%00.py"}}, id="no path"),
        pytest.param({"textDocument": {"uri": "file:///nowhere/at/all.py"}}, id="no file"),
        pytest.param({"textDocument": {"uri": "untitled:Untitled-1"}}, id="no folder"),
    ],
)
@pytest.mark.parametrize("method", ["flowlint/graph", "textDocument/codeLens"])
def test_a_request_that_fails_is_answered(
    tmp_path: Path, method: str, params: dict[str, object]
) -> None:
    with serving(*SERVER) as (process, wire):
        _begin(wire)
        answer = wire.ask(method, params)
        assert ("result" in answer) != ("error" in answer)
        uri = wire.open(tmp_path / "flow.py", DANGLING)
        answer = wire.ask("flowlint/graph", {"textDocument": {"uri": uri}})
        assert len(answer["result"]["flows"]) == 1
        assert wire.ask("shutdown")["result"] is None
        wire.notify("exit")
        assert _ended(process, wire) == 0


def test_a_failure_is_logged() -> None:
    with serving(*SERVER) as (process, wire):
        _begin(wire)
        answer = wire.ask("flowlint/graph", {})
        assert answer["error"]["code"] == -32603
        wire.ask("shutdown")
        wire.notify("exit")
        assert _ended(process, wire) == 0
        assert process.stderr is not None
        assert b"Traceback" in process.stderr.read()


def test_what_is_refused_is_no_failure(tmp_path: Path) -> None:
    with serving(*SERVER) as (process, wire):
        _begin(wire)
        uri = wire.open(tmp_path / "flow.py", DANGLING)
        at = {"textDocument": {"uri": uri}, "position": {"line": 9, "character": 31}}
        answers: list[dict[str, Any]] = []
        for method in ("textDocument/prepareRename", "codeAction/resolve"):
            number = wire.request(method, {**at, "title": "Do what was never offered"})
            while True:
                message = wire.receive()
                assert message is not None and message.get("method") != "window/logMessage"
                if message.get("id") == number:
                    answers.append(message)
                    break
        assert "`publihs`" in answers[0]["error"]["message"]
        assert [one["error"]["code"] for one in answers] == [-32803, -32801]
        wire.ask("shutdown")
        wire.notify("exit")
        assert _ended(process, wire) == 0
        assert process.stderr is not None and process.stderr.read() == b""


def test_requests_at_the_wrong_time_are_answered() -> None:
    hover = "textDocument/hover"
    with serving(*SERVER) as (process, wire):
        assert wire.ask(hover, {})["error"]["code"] == -32602
        at = {"textDocument": {"uri": "file:///flow.py"}, "position": {"line": 0, "character": 0}}
        assert wire.ask(hover, at)["error"]["code"] == -32002
        _begin(wire)
        assert wire.ask("initialize", INITIALIZE)["error"]["code"] == -32600
        assert wire.ask(hover, at)["result"] is None
        wire.ask("shutdown")
        assert wire.ask(hover, at)["error"]["code"] == -32600
        wire.notify("exit")
        assert _ended(process, wire) == 0


def test_unknown_methods_are_refused() -> None:
    with serving(*SERVER) as (_, wire):
        _begin(wire)
        assert wire.ask("flowlint/nothing", {})["error"]["code"] == -32601


def test_it_listens_on_a_port(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with serving(FLOWLS, "--tcp", str(port)) as (process, _):
        with _connected(port) as connection, connection.makefile("rwb") as stream:
            wire = Wire(stream, stream)
            _begin(wire)
            uri = wire.open(tmp_path / "flow.py", DANGLING)
            # Another editor is turned away, and takes nothing from the first one.
            with _connected(port) as other:
                assert other.recv(1) == b""
            answer = wire.ask("flowlint/graph", {"textDocument": {"uri": uri}})
            assert len(answer["result"]["flows"]) == 1
            wire.ask("shutdown")
            wire.notify("exit")
        assert process.wait(10) == 0


def test_it_listens_on_a_web_socket(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with serving(FLOWLS, "--ws", str(port)) as (process, _):
        _connected(port).close()
        with connect(f"ws://127.0.0.1:{port}") as editor:

            def ask(number: int, method: str, params: object) -> Any:
                message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
                editor.send(json.dumps(message))
                while True:
                    answer = json.loads(editor.recv(20))
                    if answer.get("id") == number and "method" not in answer:
                        return answer["result"]

            assert "capabilities" in ask(1, "initialize", INITIALIZE)
            with connect(f"ws://127.0.0.1:{port}") as other, pytest.raises(ConnectionClosed):
                other.recv(20)
            assert ask(2, "shutdown", None) is None
            editor.send(json.dumps({"jsonrpc": "2.0", "method": "exit"}))
        assert process.wait(10) == 0


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        for port in (str(taken.getsockname()[1]), "99999"):
            ran = subprocess.run([FLOWLS, "--tcp", port], capture_output=True, check=False)
            assert ran.returncode == 2
            told = ran.stderr.decode()
            assert told.startswith(f"error: cannot listen on {port}: "), told
            assert told.count("\n") == 1


def _connected(port: int) -> socket.socket:
    deadline = time.monotonic() + 10
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 10)
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.parametrize("arguments", [["--nothing"], ["--tcp", "a"], ["--tcp", "1", "--stdio"]])
def test_wrong_arguments(arguments: list[str]) -> None:
    ran = subprocess.run([FLOWLS, *arguments], capture_output=True, check=False)
    assert ran.returncode not in (0, None) and ran.stdout == b"" and ran.stderr


def test_the_version() -> None:
    ran = subprocess.run([FLOWLS, "--version"], capture_output=True, check=False, text=True)
    assert ran.returncode == 0 and ran.stdout.startswith("flowls ")
