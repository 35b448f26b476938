"""Definitions kept in a folder and in a real Redis."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flowrt.definition.export import to_dict
from flowrt.definition.load import from_dict
from flowrt.errors import FlowError
from flowrt.stores.definitions import (
    DefinitionNotFoundError,
    DefinitionStore,
    FolderDefinitions,
)
from flowrt.stores.redis import RedisDefinitions

SERVER = shutil.which("redis-server")


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Redis server of our own."""
    if SERVER is None:
        pytest.skip("redis-server is not installed (Debian: apt-get install redis-server)")
    import redis

    port = free_port()
    folder = tmp_path_factory.mktemp("redis")
    command = [SERVER, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        url = f"redis://127.0.0.1:{port}/0"
        client = redis.Redis.from_url(url)
        for _ in range(200):
            try:
                client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.05)
        yield url
        client.close()
        server.kill()


@pytest.fixture(params=["folder", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DefinitionStore]:
    if request.param == "folder":
        yield FolderDefinitions(tmp_path / "definitions")
        return
    url = request.getfixturevalue("redis_url")
    made = RedisDefinitions(url, prefix=f"test[{tmp_path.name}]*:")
    yield made
    made.close()


FLOW = {"name": "demo", "nodes": [{"name": "a", "detail": "Größe \ud800"}], "edges": []}


def test_a_definition_is_kept_under_its_name(store: DefinitionStore) -> None:
    assert store.list() == ()
    store.save("demo", FLOW)
    store.save("a flow v1.2", {"name": "x"})
    store.save("größe", {})
    assert store.load("demo") == FLOW
    assert store.list() == ("a flow v1.2", "demo", "größe")
    store.save("demo", {"name": "other"})
    assert store.load("demo") == {"name": "other"}
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
    for ask in (store.load, store.delete, lambda name: store.save(name, {})):
        with pytest.raises(FlowError, match="cannot be the name"):
            ask(name)


def test_what_is_not_json_is_not_saved(store: DefinitionStore) -> None:
    store.save("demo", FLOW)
    with pytest.raises(FlowError):
        store.save("demo", {"run": print})
    assert store.load("demo") == FLOW


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
    store.save("a", {})
    store.save("b", {}, ttl=1)
    assert 90 < (store.ttl("a") or 0) <= 100
    time.sleep(1.2)
    assert store.list() == ("a",)
    with pytest.raises(DefinitionNotFoundError):
        store.load("b")
    with pytest.raises(DefinitionNotFoundError):
        store.ttl("b")
    lasting = RedisDefinitions(redis_url, prefix="ttl:")
    lasting.save("a", {"kept": True})
    assert lasting.ttl("a") is None
    for ttl in (0, -1):
        with pytest.raises(FlowError, match="cannot live"):
            lasting.save("a", {}, ttl=ttl)
        with pytest.raises(FlowError, match="cannot live"):
            RedisDefinitions(redis_url, ttl=ttl)


def test_prefixes_keep_definitions_apart(redis_url: str) -> None:
    one, two = (RedisDefinitions(redis_url, prefix=prefix) for prefix in ("p*:", "pq:"))
    one.save("a", {})
    two.save("b", {})
    assert (one.list(), two.list()) == (("a",), ("b",))


def test_a_server_that_cannot_be_reached_is_named_without_its_password() -> None:
    store = RedisDefinitions(f"redis://user:hunter2@127.0.0.1:{free_port()}/0", timeout=0.5)
    for ask in (store.list, lambda: store.load("a"), lambda: store.save("a", {})):
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
