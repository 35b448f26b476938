"""Flows of a public repository: their graphs as they were recorded, and what is told of them.

FLOWLINT_ORACLES names the folder of the records, FLOWLINT_COMPARE the tool that compares and
FLOWLINT_CHECKOUTS the folder that holds the repository `objectstack-ai+objectstack`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import PROGRAM

from flowlint.graph.model import Edge, FlowGraph
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

REPOSITORY = "objectstack-ai+objectstack"
TASKS = "examples/app-todo/src/flows/task.flow.ts"
BINDINGS = "examples/app-showcase/src/automation/flows/approver-bindings.flow.ts"

APPS = [
    place
    for app in ("crm", "showcase", "todo")
    for place in (f"examples/app-{app}/src", f"examples/app-{app}/objectstack.config.ts")
]

TOLD = [
    (BINDINGS, "warning", "ineffective-field"),
    (TASKS, "error", "loop-never-repeats"),
    (TASKS, "error", "loop-never-repeats"),
    (TASKS, "warning", "ineffective-field"),
    (TASKS, "warning", "ineffective-field"),
]
"""All true: two loops go through nothing, three flows are drafts and fire. Their own linter tells
the drafts, too, and nothing else that is more than a hint."""


def setting(name: str) -> Path:
    value = os.environ.get(name)
    if not value:
        pytest.skip(f"{name} is not set")
    return Path(value)


@pytest.fixture(scope="module")
def checkout() -> Path:
    folder = setting("FLOWLINT_CHECKOUTS") / REPOSITORY
    if not folder.is_dir():
        pytest.skip(f"{REPOSITORY} is not there")
    return folder


def test_graphs_are_as_recorded(checkout: Path) -> None:
    records = setting("FLOWLINT_ORACLES") / "objectstack.jsonl"
    done = subprocess.run(
        [sys.executable, setting("FLOWLINT_COMPARE"), "simple", records, checkout.parent],
        env={**os.environ, "FLOWLINT": str(PROGRAM)},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert "{'exact': 16}" in done.stdout, done.stdout


def test_regions_and_labels_are_as_recorded(checkout: Path) -> None:
    records = (setting("FLOWLINT_ORACLES") / "objectstack.jsonl").read_text().splitlines()
    graphs: dict[str, FlowGraph] = {}
    for record in map(json.loads, records):
        if record["name"] not in graphs:
            path = str(checkout / record["path"])
            result = analyse_file(path, ProjectFiles(), str(checkout))
            graphs.update((graph.name, graph) for graph in result.graphs)
        shown = scopes(graphs[record["name"]], "")
        recorded = {
            one["scope"]: ([(n["name"], n["kind"]) for n in one["nodes"]], one["edges"])
            for one in record["graphs"]
        }
        assert shown == recorded, record["name"]


def scopes(graph: FlowGraph, scope: str) -> dict[str, object]:
    """A flow and its regions as they are recorded, by where they stand."""
    found: dict[str, object] = {
        scope: ([(node.name, node.kind) for node in graph.nodes], [*map(edge_text, graph.edges)])
    }
    for node in graph.nodes:
        for number, (slot, region) in enumerate(node.regions.items()):
            place = f"branch {number}" if node.kind == "parallel" else slot
            found |= scopes(region, f"{node.kind} '{node.name}' {place}")
    return found


def edge_text(edge: Edge) -> str:
    guard = "?" if edge.guard is not None else ""
    back = "[back]" if edge.back else ""
    is_own = edge.label is not None and (edge.guard is None or edge.label != edge.guard.text)
    label = f"({edge.label})" if is_own else ""
    return f"{edge.source}>{edge.target}{guard}{back}{label}"


def test_nothing_is_told_but_what_is_wrong(checkout: Path) -> None:
    done = subprocess.run(
        [PROGRAM, "check", *APPS, "--output-format", "json"],
        cwd=checkout,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    told = [
        (finding["path"], finding["severity"], finding["name"])
        for finding in json.loads(done.stdout)
        if finding["severity"] != "info"
    ]
    assert sorted(told) == TOLD
