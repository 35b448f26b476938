"""Definitions kept in a folder and in a real Redis."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flowrt import Flow, Node, open_definitions, register_callable
from flowrt.definition.building import parse_definition
from flowrt.definition.export import to_dict
from flowrt.definition.load import from_dict
from flowrt.errors import FlowError, FlowValidationError
from flowrt.stores.definitions import (
    DefinitionNotFoundError,
    DefinitionStore,
    FolderDefinitions,
)
from flowrt.stores.redis import RedisDefinitions
from flowrt_program import Run, run_flowrt

SERVER = shutil.which("redis-server")


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def answers_as(url: str, server: subprocess.Popen[bytes]) -> bool:
    """Whether this very server answers there, waiting until it does or has ended."""
    import redis

    client = redis.Redis.from_url(url)
    end = time.monotonic() + 60
    try:
        while server.poll() is None and time.monotonic() < end:
            try:
                return bool(client.info("server")["process_id"] == server.pid)
            except redis.ConnectionError:
                time.sleep(0.05)
        return False
    finally:
        client.close()


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Redis server of our own.

    Somebody else may take the port between our choice and the start of the server.
    """
    if SERVER is None:
        pytest.skip("redis-server is not installed (Debian: apt-get install redis-server)")
    folder = tmp_path_factory.mktemp("redis")
    for _ in range(5):
        port = free_port()
        bound = ["--port", str(port), "--bind", "127.0.0.1"]
        command = [SERVER, *bound, "--save", "", "--dir", str(folder)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            try:
                url = f"redis://127.0.0.1:{port}/0"
                if answers_as(url, server):
                    yield url
                    return
            finally:
                server.kill()
    pytest.fail("no Redis server could be started")


@pytest.fixture(params=["folder", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DefinitionStore]:
    if request.param == "folder":
        yield FolderDefinitions(tmp_path / "definitions")
        return
    url = request.getfixturevalue("redis_url")
    made = RedisDefinitions(url, prefix=f"test[{tmp_path.name}]*:")
    yield made
    made.close()


def flow(name: str = "demo") -> dict[str, Any]:
    """A definition that is right, whoever has its functions."""
    node = {"name": "a", "run": "elsewhere", "detail": "Größe"}
    return {"flowrt": 1, "name": name, "entry": "a", "nodes": [node]}


FLOW = flow()


def test_a_definition_is_kept_under_its_name(store: DefinitionStore) -> None:
    assert store.list() == ()
    store.save("demo", FLOW)
    store.save("a flow v1.2", flow("x"))
    store.save("größe", FLOW)
    assert store.load("demo") == FLOW
    assert store.list() == ("a flow v1.2", "demo", "größe")
    store.save("demo", flow("other"))
    assert store.load("demo") == flow("other")
    assert store.delete("demo") is True
    assert store.delete("demo") is False
    with pytest.raises(DefinitionNotFoundError, match="demo"):
        store.load("demo")
    assert store.list() == ("a flow v1.2", "größe")


async def test_a_flow_that_is_kept_runs_as_it_did(store: DefinitionStore) -> None:
    """agentsflow §b, consequence 9: a flow loaded from Redis there has no conditions."""
    go = {"kind": "compute", "config": {"expression": "state.go"}}
    made = from_dict(
        {
            "flowrt": 1,
            "name": "kept",
            "entry": "a",
            "routing": "all",
            "nodes": [{"name": name, **go} for name in ("a", "b", "c", "d")],
            "edges": [
                {"from": "a", "to": "b", "when": "output == 1"},
                {"from": "a", "to": "c", "when": "output != 1"},
                {"from": "b", "to": "d"},
                {"from": "c", "to": "d"},
                {"from": "a", "to": "d", "outcome": "failed"},
            ],
        }
    )
    store.save("kept", to_dict(made))
    for flow in (made, from_dict(store.load("kept"))):
        result = await flow.run({"go": 1})
        assert (result.path, result.skipped) == (["a", "b", "d"], ["c"])
        unhandled = await flow.run({})
        assert (unhandled.status, list(unhandled.failed)) == ("failed", ["a", "d"])


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "a\\b", "/x", ".x", "x.", "a\0", "a\n", "x" * 129, "*"]
)
def test_names_lead_nowhere_else(store: DefinitionStore, name: str) -> None:
    for ask in (store.load, store.delete, lambda name: store.save(name, FLOW)):
        with pytest.raises(FlowError, match="cannot be the name"):
            ask(name)


def test_what_is_not_json_is_not_saved(store: DefinitionStore) -> None:
    store.save("demo", FLOW)
    with pytest.raises(FlowError):
        store.save("demo", {**FLOW, "description": print})
    assert store.load("demo") == FLOW


def test_only_what_is_right_is_saved(store: DefinitionStore) -> None:
    wrong = {**FLOW, "edges": [{"from": "a", "to": "ghost"}, {"from": "b", "to": "a"}], "tilte": 1}
    with pytest.raises(FlowValidationError, match="tilte"):
        store.save("demo", wrong)
    del wrong["tilte"]
    with pytest.raises(FlowValidationError) as refused:
        store.save("demo", wrong)
    assert [finding.code for finding in refused.value.findings][:2] == ["FL105", "FL105"]
    with pytest.raises(FlowValidationError):
        store.save("demo", {**FLOW, "permissions": {"mode": "everything"}})
    assert store.list() == ()


def test_flows_are_saved_as_definitions(store: DefinitionStore) -> None:
    async def work(state: dict[str, Any]) -> dict[str, Any]:
        return state

    store.save("object", parse_definition(FLOW))
    assert store.load("object") == FLOW
    made = Flow(nodes=[Node("a", work)], edges=[], entry="a")
    with pytest.raises(FlowError, match="register_callable"):
        store.save("flow", made)
    register_callable(f"tests.work.{uuid4()}", work)
    store.save("flow", made)
    assert from_dict(store.load("flow")).entry == "a"


def test_the_store_that_a_word_means(tmp_path: Path, redis_url: str) -> None:
    assert isinstance(open_definitions(tmp_path), FolderDefinitions)
    assert isinstance(open_definitions(f"folder:{tmp_path}"), FolderDefinitions)
    assert isinstance(open_definitions(redis_url), RedisDefinitions)
    assert isinstance(open_definitions(), FolderDefinitions)
    for word in ("http://x", "folder:", ""):
        with pytest.raises(FlowError, match="keeps no definitions"):
            open_definitions(word)


def test_the_program_keeps_definitions(tmp_path: Path, redis_url: str) -> None:
    (tmp_path / "m.yaml").write_text(
        json.dumps({**FLOW, "description": "d"}).replace("elsewhere", "m:f")
    )
    (tmp_path / "m.py").write_text("async def f(state):\n    return {**state, 'n': 1}\n")
    for place in ("folder:kept", redis_url):
        env = {"FLOWRT_DEFINITIONS": place}

        def definitions(*arguments: str, env: dict[str, str] = env) -> Run:
            return run_flowrt("definitions", *arguments, cwd=tmp_path, env=env)

        refused = definitions("save", "m.yaml")
        assert (refused.code, "FL706" in refused.err) == (2, True)
        assert definitions("save", "m.yaml", "--module", "m").out == "kept as demo\n"
        assert definitions("save", "m.yaml", "--module", "m", "--as", "two").code == 0
        assert definitions("list").out == "demo\ntwo\n"
        shown = definitions("show", "two")
        assert shown.state["description"] == "d"
        (tmp_path / "shown.json").write_text(shown.out)
        ran = run_flowrt("run", "shown.json", "--module", "m", cwd=tmp_path)
        assert ran.state == {"n": 1}
        assert definitions("delete", "two").code == 0
        missing = definitions("delete", "two")
        assert (missing.code, missing.err) == (2, "error: there is no definition `two`\n")
        limited = definitions("save", "m.yaml", "--module", "m", "--ttl", "50")
        assert limited.code == (2 if place == "folder:kept" else 0)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    store = FolderDefinitions(tmp_path)
    (tmp_path / "demo.json").write_text("[]")
    (tmp_path / ".demo.json.1.1.tmp").write_text("{")
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(FlowError, match="`demo` is damaged"):
        store.load("demo")
    assert store.list() == ("demo",)


def test_a_definition_in_redis_may_end_by_itself(redis_url: str) -> None:
    store = RedisDefinitions(redis_url, prefix="ttl:", ttl=100)
    store.save("a", FLOW)
    store.save("b", FLOW, ttl=1)
    assert 0 < (store.ttl("a") or 0) <= 100
    time.sleep(1.2)
    assert store.list() == ("a",)
    with pytest.raises(DefinitionNotFoundError):
        store.load("b")
    with pytest.raises(DefinitionNotFoundError):
        store.ttl("b")
    lasting = RedisDefinitions(redis_url, prefix="ttl:")
    lasting.save("a", flow("kept"))
    assert lasting.ttl("a") is None
    for ttl in (0, -1, "x", 1.5, True):
        with pytest.raises(FlowError, match="cannot live"):
            lasting.save("a", FLOW, ttl=ttl)  # type: ignore[arg-type]
        with pytest.raises(FlowError, match="cannot live"):
            RedisDefinitions(redis_url, ttl=ttl)  # type: ignore[arg-type]


def test_prefixes_keep_definitions_apart(redis_url: str) -> None:
    one, two = (RedisDefinitions(redis_url, prefix=prefix) for prefix in ("p*:", "pq:"))
    one.save("a", FLOW)
    two.save("b", FLOW)
    assert (one.list(), two.list()) == (("a",), ("b",))


def test_a_server_that_cannot_be_reached_is_named_without_its_password() -> None:
    with socket.socket() as bound:
        # Nobody else can listen there meanwhile.
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        store = RedisDefinitions(f"redis://user:hunter2@127.0.0.1:{port}/0", timeout=0.5)
        for ask in (store.list, lambda: store.load("a"), lambda: store.save("a", FLOW)):
            with pytest.raises(FlowError, match="cannot be used") as raised:
                ask()
            assert "hunter2" not in str(raised.value)


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(FlowError, match="no address"):
        RedisDefinitions("http://example.com")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(FlowError, match=r"flowls\[redis\]"):
        RedisDefinitions("redis://127.0.0.1")
