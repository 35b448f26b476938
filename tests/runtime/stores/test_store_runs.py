"""Which store a word means, and what runs are called."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from flowrt.errors import FlowError
from flowrt.stores.files import is_run_id
from flowrt.stores.folder import FolderStore
from flowrt.stores.memory import MemoryStore
from flowrt.stores.runs import new_run_id, open_store, slug
from flowrt.stores.sqlite import SqliteStore


@pytest.mark.parametrize(
    ("spec", "kind", "path"),
    [
        (None, FolderStore, ".flowrt/runs"),
        ("folder:some/where", FolderStore, "some/where"),
        ("folder:x.db", FolderStore, "x.db"),
        ("sqlite:plain", SqliteStore, "plain"),
        ("some/where", FolderStore, "some/where"),
        ("deep/x.db", SqliteStore, "deep/x.db"),
        ("x.sqlite", SqliteStore, "x.sqlite"),
        ("SQLite:x.sqlite3", SqliteStore, "x.sqlite3"),
        ("c:/windows", FolderStore, "c:/windows"),
        (Path("a") / "b", FolderStore, str(Path("a") / "b")),
    ],
)
def test_a_word_means_a_store(
    spec: str | None, kind: type, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store(spec)
    assert type(store) is kind
    assert store.path == path  # type: ignore[attr-defined]
    assert list(store.runs()) == []
    store.close()


def test_a_store_of_this_process_can_be_asked_for() -> None:
    assert isinstance(open_store("memory:"), MemoryStore)


@pytest.mark.parametrize("spec", ["", "folder:", "sqlite:", "redis://localhost", "postgres:x"])
def test_other_words_mean_none(spec: str) -> None:
    with pytest.raises(FlowError, match="is no store"):
        open_store(spec)


def test_ids_sort_as_the_runs_began() -> None:
    """acpx §b: the id of a run is made of the time, the flow and something random."""
    moment = datetime(2024, 2, 3, 4, 5, 6, 7, tzinfo=UTC)
    first = new_run_id("PR Triage: Größe!", moment)
    assert first.startswith("20240203T040506000007Z-pr-triage-groe-")
    later = new_run_id(
        "a", (moment + timedelta(microseconds=1)).astimezone(timezone(timedelta(hours=9)))
    )
    assert first < later
    made = [new_run_id("demo") for _ in range(500)]
    assert len(set(made)) == 500
    assert all(is_run_id(run_id) for run_id in made)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("", "flow"), ("../..", "flow"), ("流れ", "flow"), ("A" * 99, "a" * 40), ("é_b", "e-b")],
)
def test_names_become_parts_of_file_names(name: str, expected: str) -> None:
    assert slug(name) == expected
