"""A run whose manifest is damaged is still known by the name of its flow."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flowrt import Flow, Node
from flowrt.stores.base import Manifest
from flowrt.stores.runs import open_store


async def step(state: dict[str, Any]) -> dict[str, Any]:
    return state


def damage(path: Path) -> None:
    if path.is_dir():
        (path / "run-1" / "manifest.json").write_text("{")
        return
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE runs SET manifest = '{'")


@pytest.mark.parametrize("place", ["runs", "runs.db"])
async def test_the_flow_of_a_real_run_is_told(tmp_path: Path, place: str) -> None:
    flow = Flow(nodes=[Node("step", step)], edges=[], entry="step", name="nightly")
    path = tmp_path / place
    await flow.run({}, store=open_store(path), run_id="run-1")
    damage(path)
    told: Manifest = open_store(path).manifest("run-1")
    assert (told.flow, told.status) == ("nightly", "completed")
    assert told.error is not None
    assert "damaged" in told.error
