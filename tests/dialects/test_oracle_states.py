"""Compares the states of graphs in public repositories with those recorded from running them.

FLOWLINT_ORACLES names the folder of the records and FLOWLINT_CHECKOUTS the folder that holds the
repositories, one folder OWNER+NAME each.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_parity import KINDS
from support import PROGRAM

AT_ONCE = 40
MIN_EQUAL = 80.0
"""Percent of the sites whose state is told in full; the others are in part out of sight."""

Place = tuple[str, int, int | None]


def setting(name: str) -> Path:
    value = os.environ.get(name)
    if not value:
        pytest.skip(f"{name} is not set")
    return Path(value)


def recorded(path: Path) -> dict[str, dict[Place, list[dict[str, str]]]]:
    """The states that each place was seen to make, by repository."""
    found: dict[str, dict[Place, list[dict[str, str]]]] = {}
    with gzip.open(path, "rt") as lines:
        for row in map(json.loads, lines):
            state = row.get("state")
            if row.get("quality") != "exact" or not state or state.get("channels") is None:
                continue
            if row.get("state_quality") == "empty-or-stub":
                continue
            kinds = {k: KINDS.get(made["type"], "other") for k, made in state["channels"].items()}
            kinds |= dict.fromkeys(state.get("managed") or (), "managed")
            made_at = row["ctor"]
            cell = made_at.get("cell")
            line = made_at["line"] if cell is None else made_at.get("cell_line", made_at["line"])
            sites = found.setdefault(row["repo"], {})
            sites.setdefault((made_at["path"], line, cell), []).append(kinds)
    return found


def read(root: Path, paths: list[str]) -> Iterator[dict[str, Any]]:
    for start in range(0, len(paths), AT_ONCE):
        done = subprocess.run(
            [PROGRAM, "graph", *paths[start : start + AT_ONCE], "--format", "json"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        yield from json.loads(done.stdout)["graphs"]


def graph_at(graphs: list[dict[str, Any]], place: Place) -> dict[str, Any] | None:
    path, line, cell = place
    here = [
        graph
        for graph in graphs
        if os.path.normpath(graph["path"]) == os.path.normpath(path)
        and (cell is None or graph["range"].get("cell") == cell)
        and graph["range"]["start"]["line"] <= line <= graph["range"]["end"]["line"]
    ]
    return min(here, key=lambda graph: line - graph["range"]["start"]["line"], default=None)


def verdict(state: dict[str, Any], real: dict[str, str]) -> str:
    """`equal`, `incomplete` where something is said not to be known, else `different`."""
    kinds = {key: told["kind"] for key, told in state["keys"].items()}
    if any(key not in real or kind not in (real[key], "other") for key, kind in kinds.items()):
        return "different"
    if kinds == real:
        return "equal"
    known = state["complete"] and "other" not in kinds.values()
    return "different" if known else "incomplete"


def test_states() -> None:
    records = setting("FLOWLINT_ORACLES") / "langgraph.jsonl.gz"
    checkouts = setting("FLOWLINT_CHECKOUTS")
    verdicts: Counter[str] = Counter()
    different: list[tuple[str, Place]] = []
    for repository, sites in recorded(records).items():
        root = checkouts / repository
        paths = sorted({path for path, *_ in sites if (root / path).exists()})
        graphs = list(read(root, paths))
        for place, made in sites.items():
            graph = graph_at(graphs, place)
            if graph is None or graph["state"] is None:
                verdicts["unread"] += 1
                continue
            found = {verdict(graph["state"], real) for real in made}
            best = next(v for v in ("equal", "incomplete", "different") if v in found)
            verdicts[best] += 1
            if best == "different":
                different.append((repository, place))
    assert not different
    assert 100 * verdicts["equal"] >= MIN_EQUAL * verdicts.total(), verdicts
