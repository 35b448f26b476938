"""What every store promises."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flowrt.errors import FlowError, NotStorableError, RunBusyError, RunNotFoundError
from flowrt.stores.base import Event, Manifest, RunStore
from flowrt.stores.folder import FolderStore
from flowrt.stores.scrub import NO_SCRUBBER, Scrubber
from store_help import EVENTS, event, make_store, manifest

KINDS = ("folder", "folder-sync", "sqlite", "sqlite-full", "memory")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(kind: str, tmp_path: Path) -> Iterator[RunStore]:
    made = make_store(kind, tmp_path)
    yield made
    made.close()


def test_a_run_is_read_as_it_was_written(store: RunStore) -> None:
    definition = {"flow": "demo", "nodes": [{"name": "a"}]}
    log = store.create(manifest(), definition, {"question": "ü?"})
    for each in EVENTS:
        log.append(each)
    assert log.run_id == "run-1"
    assert log.trace().events == EVENTS
    assert log.trace().lost == ()
    assert store.trace("run-1").events == EVENTS
    assert store.definition("run-1") == definition
    assert store.run_input("run-1") == {"question": "ü?"}
    assert store.manifest("run-1") == manifest()
    log.close()
    again = store.open("run-1")
    assert again.trace().events == EVENTS
    again.append(event(6))
    assert [each.seq for each in again.trace().events] == [1, 2, 3, 4, 5, 6]
    again.close()


def test_a_new_run_has_an_empty_trace(store: RunStore) -> None:
    with_log = store.create(manifest(), {}, {})
    assert with_log.trace().events == ()
    with_log.close()
    assert store.open("run-1").trace().events == ()


def test_what_is_changed_later_is_not_changed_in_the_store(store: RunStore) -> None:
    state = {"items": [1]}
    log = store.create(manifest(), {}, {})
    log.append(event(1, data={"state": state}))
    state["items"].append(2)
    assert log.trace().events[0].data == {"state": {"items": [1]}}


def test_events_follow_each_other(store: RunStore) -> None:
    log = store.create(manifest(), {}, {})
    with pytest.raises(FlowError, match="event 2 does not follow event 0"):
        log.append(event(2))
    log.append(event(1))
    with pytest.raises(FlowError, match="event 1 does not follow event 1"):
        log.append(event(1))
    log.append(event(2))
    assert len(log.trace().events) == 2


@pytest.mark.parametrize("data", [{"x": float("nan")}, {"x": object()}, {"x": b""}, {"x": {1}}])
def test_data_that_is_not_json_is_refused_and_leaves_nothing(
    store: RunStore, data: dict[str, object]
) -> None:
    log = store.create(manifest(), {}, {})
    with pytest.raises(NotStorableError):
        log.append(event(1, data=data))
    log.append(event(1))
    assert len(log.trace().events) == 1


def test_data_that_contains_itself_is_refused(store: RunStore) -> None:
    endless: dict[str, object] = {}
    endless["again"] = endless
    log = store.create(manifest(), {}, {})
    with pytest.raises(NotStorableError, match="contains itself"):
        log.append(event(1, data=endless))


def test_an_event_without_a_time_is_refused(store: RunStore) -> None:
    log = store.create(manifest(), {}, {})
    with pytest.raises(FlowError, match="no time"):
        log.append(Event(1, float("inf"), "run_started"))


def test_half_characters_survive(store: RunStore) -> None:
    odd = event(1, node="n\ud800", data={"\udfff": "a\ud83dz"})
    log = store.create(manifest(), {"name": "\ud800"}, {})
    log.append(odd)
    log.append(event(2))
    log.close()
    assert store.open("run-1").trace().events[0] == odd


def test_a_run_is_begun_once(store: RunStore) -> None:
    store.create(manifest(), {}, {"first": 1}).close()
    with pytest.raises(FlowError, match="run-1"):
        store.create(manifest(), {}, {"second": 2})
    assert store.run_input("run-1") == {"first": 1}
    assert len(list(store.runs())) == 1


def test_a_run_is_open_once(store: RunStore) -> None:
    log = store.create(manifest(), {}, {})
    with pytest.raises(RunBusyError, match="run-1"):
        store.open("run-1")
    other = store.create(manifest("run-2"), {}, {})
    log.close()
    again = store.open("run-1")
    with pytest.raises(RunBusyError, match="run-2"):
        store.open("run-2")
    with pytest.raises(RunBusyError, match="run-1"):
        store.open("run-1")
    again.close()
    again.close()
    other.close()
    store.open("run-2").close()


def test_a_store_tells_whether_a_run_is_open(store: RunStore) -> None:
    log = store.create(manifest(), {}, {})
    assert store.is_open("run-1")
    log.append(event(1))
    log.close()
    assert not store.is_open("run-1")
    log = store.open("run-1")
    assert store.is_open("run-1")
    log.append(event(2))
    log.close()
    with pytest.raises(RunNotFoundError):
        store.is_open("run-2")


def test_a_closed_log_writes_nothing(store: RunStore) -> None:
    log = store.create(manifest(), {}, {})
    log.append(event(1))
    log.close()
    other = store.open("run-1")
    for write in (
        lambda: log.append(event(2)),
        lambda: log.set_live({}),
        lambda: log.set_status(manifest()),
        lambda: log.put_artifact(b"x"),
    ):
        with pytest.raises(FlowError):
            write()
    assert len(other.trace().events) == 1


@pytest.mark.parametrize("name", ["nothing", "../run-1", "", ".", "..", "/", "run-1/../run-1"])
def test_an_unknown_run_is_not_found(store: RunStore, name: str) -> None:
    store.create(manifest(), {}, {}).close()
    for ask in (
        store.open,
        store.manifest,
        store.definition,
        store.run_input,
        store.trace,
        store.live,
        lambda run_id: store.artifact(run_id, "x"),
    ):
        with pytest.raises(RunNotFoundError):
            ask(name)


@pytest.mark.parametrize("name", ["../x", "", ".hidden", "a/b", "a\0", "a\n", "x" * 300])
def test_a_run_has_a_proper_name(store: RunStore, name: str) -> None:
    with pytest.raises(FlowError, match="cannot be the id"):
        store.create(manifest(name), {}, {})
    assert list(store.runs()) == []


def test_the_manifest_is_written_anew(store: RunStore) -> None:
    log = store.create(manifest(), {}, {})
    waiting = Manifest("run-1", "demo", "waiting", 1.0, 2.5, "A title", ("ask", "b"), "no")
    log.set_status(waiting)
    assert store.manifest("run-1") == waiting
    log.close()
    assert store.manifest("run-1") == waiting


def test_live_is_overwritten(store: RunStore) -> None:
    log = store.create(manifest(), {}, {})
    assert store.live("run-1") is None
    log.set_live({"nodes": ["a"], "more": "x" * 500})
    log.set_live({"nodes": ["b"]})
    assert store.live("run-1") == {"nodes": ["b"]}


def test_artifacts_are_named_by_their_content(store: RunStore) -> None:
    """acpx §b: artifacts are had by the hash of what is in them."""
    log = store.create(manifest(), {}, {})
    name = log.put_artifact(b'{"a": 1}')
    assert name.startswith("sha256-")
    assert name.endswith(".json")
    assert log.put_artifact(b'{"a": 1}') == name
    binary = log.put_artifact(bytes(range(256)), ".bin")
    assert log.put_artifact(b"", "").startswith("sha256-e3b0c442")
    assert log.get_artifact(name) == store.artifact("run-1", name) == b'{"a": 1}'
    assert store.artifact("run-1", binary) == bytes(range(256))
    for missing in ("sha256-" + "0" * 64 + ".json", "../manifest.json", "", name + "x"):
        with pytest.raises(KeyError):
            store.artifact("run-1", missing)
        with pytest.raises(KeyError):
            log.get_artifact(missing)
    with pytest.raises(FlowError, match="ending"):
        log.put_artifact(b"x", "/../x")


def test_runs_are_listed_newest_first(store: RunStore) -> None:
    assert list(store.runs()) == []
    for name, at in (("b", 2.0), ("c", 3.0), ("a", 1.0), ("c2", 3.0)):
        store.create(manifest(name, at=at), {}, {}).close()
    assert [run.run_id for run in store.runs()] == ["c2", "c", "b", "a"]


def test_secrets_are_never_written(kind: str, tmp_path: Path) -> None:
    store = make_store(kind, tmp_path, scrubber=Scrubber(names=["pin"], values=["open sesame"]))
    key = "sk-" + "a1" * 20
    log = store.create(
        replace(manifest(), title=f"with {key}"), {"config": {"api_key": key}}, {"pin": 1234567}
    )
    log.append(event(1, data={"state": {"note": f"use {key}", "cry": "open sesame!"}}))
    log.set_live({"detail": f"Bearer {key}"})
    log.set_status(replace(manifest(), status="failed", error=f"refused: {key}"))
    text = log.put_artifact(f"token: {key}\nopen sesame".encode(), ".txt")
    listed = log.put_artifact(b'[{"password":"hunter2","open":["open sesame"]}]')
    assert log.trace().events[0].data == {
        "state": {
            "note": "use [secret api_key]",
            "cry": "[secret]!",
        }
    }
    assert store.definition("run-1") == {"config": {"api_key": "[secret api_key]"}}
    assert store.run_input("run-1") == {"pin": "[secret pin json]"}
    assert store.live("run-1") == {"detail": "Bearer [secret api_key]"}
    assert store.manifest("run-1").error == "refused: [secret api_key]"
    assert store.artifact("run-1", text) == b"token: [secret api_key]\n[secret]"
    assert (
        store.artifact("run-1", listed) == b'[{"password":"[secret password]","open":["[secret]"]}]'
    )
    log.close()
    store.close()
    for file in tmp_path.rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        for secret in (key.encode(), b"sesame", b"1234567", b"hunter2"):
            assert secret not in content, file


def test_a_store_can_be_told_to_write_everything(kind: str, tmp_path: Path) -> None:
    store = make_store(kind, tmp_path, scrubber=NO_SCRUBBER)
    log = store.create(manifest(), {}, {})
    log.append(event(1, data={"password": "hunter2"}))
    assert log.trace().events[0].data == {"password": "hunter2"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("kind", ["folder", "sqlite"])
def test_only_the_owner_can_read(kind: str, tmp_path: Path) -> None:
    """acpx §b: folders and files of a run are for its owner only."""
    before = os.umask(0o022)
    try:
        store = make_store(kind, tmp_path / "deep")
        log = store.create(manifest(), {}, {})
        log.append(event(1))
        log.set_live({})
        log.put_artifact(b"x")
        log.set_status(manifest(status="completed"))
    finally:
        os.umask(before)
    for path in (tmp_path / "deep").rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


def test_a_folder_of_a_run_is_laid_out_as_said(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    log = store.create(manifest(), {}, {})
    for each in EVENTS:
        log.append(each)
    log.set_live({"a": 1})
    log.put_artifact(b"x", ".txt")
    log.set_status(manifest(status="failed"))
    log.close()
    found = {str(path.relative_to(tmp_path / "run-1")) for path in (tmp_path / "run-1").rglob("*")}
    assert {name for name in found if not name.startswith("artifacts/")} == {
        "manifest.json",
        "definition.json",
        "input.json",
        "trace.ndjson",
        "projections",
        "projections/run.json",
        "projections/steps.json",
        "projections/live.json",
        "artifacts",
    }
    lines = (tmp_path / "run-1" / "trace.ndjson").read_text().split("\n")
    assert lines[1] == (
        '{"seq":2,"at":1000.25,"type":"node_started","node":"a","visit":1,"attempt":1,'
        '"crc":1476418985}'
    )
