"""Lifecycle actions (agentsflow.md d, Actions)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from time import monotonic
from typing import Any

import pytest
from flowrt import Edge, Flow, Node, Region
from flowrt.actions import ActionCall, all_actions, register_action, run_actions
from flowrt.actions.changing import InvalidValueError
from flowrt.actions.registry import ActionConfig
from flowrt.errors import FlowError, FlowValidationError
from flowrt_fakes import context


async def act(*actions: dict[str, Any], value: Any = None, **world: Any) -> Any:
    return await run_actions(actions, context("step", **world), value)


class TestRunning:
    def test_every_action_publishes_its_config(self) -> None:
        names = [action.name for action in all_actions()]
        assert {"log", "notify", "webhook", "metric", "set-context", "validate"} < set(names)
        for action in all_actions():
            schema = action.config.model_json_schema()
            assert action.summary
            assert schema["additionalProperties"] is False
            assert all("description" in field for field in schema["properties"].values())

    async def test_they_run_one_after_the_other(self) -> None:
        double = {"type": "transform", "expression": "result * 2"}
        assert await act(double, double, value=3) == 12

    async def test_what_is_wrong_is_found_before_the_first_runs(self) -> None:
        state: dict[str, Any] = {}
        sets = {"type": "set-context", "key": "a", "value": 1}
        with pytest.raises(FlowError, match="has the action `nope`, but there are only"):
            await act(sets, {"type": "nope"}, state=state)
        with pytest.raises(FlowError, match="has no `type`"):
            await act(sets, {"message": "x"}, state=state)
        with pytest.raises(FlowValidationError, match="`mesage`: Extra inputs"):
            await act(sets, {"type": "log", "message": "x", "mesage": "y"}, state=state)
        with pytest.raises(FlowValidationError, match="`level`: Input should be 'debug'"):
            await act(sets, {"type": "log", "message": "x", "level": "loud"}, state=state)
        assert state == {}

    async def test_after_which_end_they_run(self) -> None:
        state: dict[str, Any] = {}
        actions = [
            {"type": "set-context", "key": when, "value": "{error}", "when": when}
            for when in ("ok", "failed", "always")
        ]
        await run_actions(actions, context("step"), None, state)
        assert state == {"ok": "", "always": ""}
        await run_actions(actions, context("step"), None, state, OSError("gone"))
        assert state == {"ok": "", "always": "gone", "failed": "gone"}

    async def test_the_registry_is_open(self) -> None:
        class AddConfig(ActionConfig):
            much: int = 1

        @register_action("tests.add", AddConfig)
        async def add(config: AddConfig, call: ActionCall) -> Any:
            """Add."""
            return call.value + config.much

        assert await act({"type": "tests.add", "much": 4}, value=1) == 5
        with pytest.raises(FlowError, match="registered already"):
            register_action("tests.add")(act)
        with pytest.raises(FlowError, match="needs a dot in its name"):
            register_action("add")


class TestTelling:
    async def test_log_fills_its_template(self, caplog: pytest.LogCaptureFixture) -> None:
        edge = Edge("a", "n", prompt="go on")
        message = "{node_name} of {flow}: {result.total}, {state.x}, {prompt}, {{kept}}"
        action = {"type": "log", "message": message, "level": "warning"}
        assert await act(action, value={"total": 3}, state={"x": 1}, incoming=edge) == {"total": 3}
        assert caplog.messages == ["n of test flow: 3, 1, go on, {kept}"]
        assert caplog.records[0].levelno == logging.WARNING

    @pytest.mark.parametrize("hole", ["{reslt}", "{result.missing}", "{state.__class__}"])
    async def test_templates_that_cannot_be_filled_fail(self, hole: str) -> None:
        with pytest.raises(FlowError):
            await act({"type": "log", "message": hole}, value={})

    async def test_notify(self, caplog: pytest.LogCaptureFixture) -> None:
        """agentsflow.md d: there slack, teams and email only log; here they are sent or fail."""
        caplog.set_level(logging.INFO)
        sent: list[tuple[str, str, str | None]] = []

        async def service(channel: str, message: str, target: str | None) -> None:
            sent.append((channel, message, target))

        action = {"type": "notify", "message": "{node_name} is done", "channel": "slack"}
        with pytest.raises(FlowError, match="the service `notify` is not given"):
            await act(action)
        await act({**action, "target": "#{flow}"}, services={"notify": service})
        assert sent == [("slack", "n is done", "#test flow")]
        await act({"type": "notify", "message": "hi"})
        assert caplog.messages == ["hi"]

    @pytest.mark.parametrize("where", ["before", "after", "with", "inside"])
    async def test_without_the_service_a_channel_is_refused_before_the_first_node(
        self, where: str
    ) -> None:
        ran: list[str] = []
        sent: list[str] = []

        def first(state: dict[str, Any]) -> dict[str, Any]:
            ran.append("first")
            return state

        told = {"type": "notify", "message": "m", "channel": "slack"}
        node = {
            "before": Node("n", kind="end", before=[told]),
            "after": Node("n", kind="end", after=[{**told, "when": "always"}]),
            "with": Node(
                "n",
                kind="action",
                config={"action": "notify", "with": {"message": "m", "channel": "slack"}},
            ),
            "inside": Node("n", kind="end", before=[told]),
        }[where]
        if where == "inside":
            parts = {"one": Region([node], [], "n")}
            node = Node("parts", kind="parallel", regions=parts)
        edges = [Edge("first", node.name)]
        flow = Flow(nodes=[Node("first", first), node], edges=edges, entry="first", name="f")
        with pytest.raises(FlowError, match="node `n` of flow `f` notifies by `slack`, but"):
            await flow.run({}, services={"metrics": print})
        assert ran == []
        await flow.run({}, services={"notify": lambda channel, *_: sent.append(channel)})
        assert (ran, sent) == (["first"], ["slack"])

    async def test_metric(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO)
        taken: list[Any] = []
        services = {"metrics": lambda *given: taken.append(given)}
        tags = {"node": "{node_name}"}
        await act({"type": "metric", "name": "done", "tags": tags}, services=services)
        counted = {"type": "metric", "name": "rows", "value_from": "size(result)"}
        await act(counted, value=[1, 2], services=services)
        assert taken == [("done", 1.0, {"node": "n"}), ("rows", 2, {})]
        await act({"type": "metric", "name": "done", "value": 2})
        assert caplog.messages == ["metric done=2.0 {}"]
        with pytest.raises(FlowError, match="is 'text'"):
            await act({"type": "metric", "name": "x", "value_from": "result"}, value="text")


class Receiver(BaseHTTPRequestHandler):
    seen: list[tuple[str, str, dict[str, str], bytes]] = []  # noqa: RUF012

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append((self.command, self.path, dict(self.headers), body))
        self.send_response({"/bad": 500, "/moved": 302}.get(self.path, 204))
        if self.path == "/moved":
            self.send_header("Location", "/elsewhere")
        self.end_headers()

    do_PUT = do_POST  # noqa: N815

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    Receiver.seen.clear()
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class TestWebhook:
    async def test_what_is_sent_by_default(self, address: str) -> None:
        await act({"type": "webhook", "url": f"{address}/in"}, value={"a": {1, 2}}, run_id="r1")
        method, path, headers, body = Receiver.seen[0]
        assert (method, path, headers["Content-Type"]) == ("POST", "/in", "application/json")
        assert json.loads(body) == {
            "flow": "test flow", "run_id": "r1", "node": "n", "result": {"a": [1, 2]}, "error": ""
        }  # fmt: skip

    async def test_bodies_urls_and_headers_are_templates(self, address: str) -> None:
        action = {
            "type": "webhook",
            "url": address + "/{state.where}",
            "method": "PUT",
            "headers": {"X-Run": "{node_name}"},
        }
        world: dict[str, Any] = {"state": {"where": "there"}}
        await act({**action, "body": {"text": ["{result}"], "n": 1}}, value="hi", **world)
        await act({**action, "body": "plain {result}"}, value="hi", **world)
        assert json.loads(Receiver.seen[0][3]) == {"text": ["hi"], "n": 1}
        assert Receiver.seen[1][3] == b"plain hi"
        assert Receiver.seen[1][0:2] == ("PUT", "/there")
        assert Receiver.seen[1][2]["X-Run"] == "n"

    @pytest.mark.parametrize(("path", "said"), [("/bad", "500"), ("/moved", "302")])
    async def test_other_answers_are_failures(self, address: str, path: str, said: str) -> None:
        with pytest.raises(FlowError, match=said):
            await act({"type": "webhook", "url": address + path})
        assert len(Receiver.seen) == 1

    async def test_other_addresses(self) -> None:
        with pytest.raises(FlowError, match="failed"):
            await act({"type": "webhook", "url": "http://127.0.0.1:1/"})
        with pytest.raises(FlowValidationError, match="http"):
            await act({"type": "webhook", "url": "file:///etc/passwd"})
        with pytest.raises(FlowError, match="neither"):
            await act({"type": "webhook", "url": "{result}"}, value="file:///etc/passwd")

    async def test_the_timeout_holds(self) -> None:
        import socket

        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            started = monotonic()
            with pytest.raises(FlowError, match="timed out"):
                url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
                await act({"type": "webhook", "url": url, "timeout": 0.2})
            assert monotonic() - started < 2


class TestChanging:
    async def test_set_context_sets_the_state(self) -> None:
        """agentsflow.md d: there it does nothing."""
        state: dict[str, Any] = {}
        action = {"type": "set_context", "key": "total", "value_from": "result.sum"}
        assert await act(action, value={"sum": 5}, state=state) == {"sum": 5}
        await act({"type": "set-context", "key": "t", "value": ["{result}"]}, value=1, state=state)
        assert state == {"total": 5, "t": ["1"]}
        with pytest.raises(FlowValidationError, match="give one of"):
            await act({"type": "set-context", "key": "x"})

    SCHEMA = {"type": "object", "required": ["a"]}  # noqa: RUF012

    async def test_validate(self, caplog: pytest.LogCaptureFixture) -> None:
        """agentsflow.md d: there the fallback does not replace the value; here it does."""
        action = {"type": "validate", "schema": self.SCHEMA}
        assert await act(action, value={"a": 1}) == {"a": 1}
        with pytest.raises(InvalidValueError, match='"a" is a required property'):
            await act(action, value={})
        assert await act({**action, "on_failure": "skip"}, value={}) == {}
        assert "is not valid" in caplog.messages[0]
        fallback = {**action, "on_failure": "fallback", "fallback": {"a": 0}}
        assert await act(fallback, value={}) == {"a": 0}
        with pytest.raises(FlowValidationError, match="belong together"):
            await act({**action, "fallback": 1}, value={"a": 1})
        with pytest.raises(FlowError, match="no valid JSON Schema"):
            await act({"type": "validate", "schema": {"type": "nope"}}, value={})

    async def test_transform(self) -> None:
        """agentsflow.md d: there it does nothing."""
        by_cel = {"type": "transform", "expression": "result.a + state.b"}
        assert await act(by_cel, value={"a": 1}, state={"b": 2}) == 3
        by_function = {"type": "transform", "function": lambda value, world: [value, world.flow]}
        assert await act(by_function, value=1) == [1, "test flow"]


async def test_actions_around_a_node_in_a_flow() -> None:
    """agentsflow.md d: before the node runs, and after it ended."""
    seen: list[Any] = []

    def look(value: Any, world: Any) -> Any:
        seen.append((value, dict(world.state)))
        return value

    node = Node(
        "work",
        lambda world: seen.append(("run", dict(world.state))) or 5,  # type: ignore[arg-type]
        kind="compute",
        before=[{"type": "set-context", "key": "ready", "value": "yes"}],
        after=[
            {"type": "transform", "expression": "result + 1"},
            {"type": "transform", "function": look},
        ],
        config={"into": "made"},
    )
    flow = Flow(nodes=[node], edges=[], entry="work")
    result = await flow.run({})
    assert seen == [("run", {"ready": "yes"}), (6, {"ready": "yes"})]
    assert result.state == {"ready": "yes", "made": 6}
