"""Tiny programs of LangGraph.js in the file beside this one, with what became of them and is told.

Where a folder with the package is named by `FLOWLINT_LANGGRAPH_JS`, the programs run once more, and
have to come out as the file says.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from flowlint.graph.model import START, FlowGraph
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

pytest.importorskip("tree_sitter_typescript")

HERE = Path(__file__).parent
DOCUMENT = HERE / "langgraph_js_programs.md"
COUNT = 126

_PRELUDE = re.compile(r"```js prelude\n(.*?)```", re.DOTALL)
_PROGRAM = re.compile(r"^## (.*)\n\n(.*)\n\n```js\n((?:.*\n)*?)```$", re.MULTILINE)
_EXPECTED = re.compile(r" (error|warning|info): \[([a-z-]+)\]")


@dataclass(frozen=True)
class Program:
    title: str
    outcome: str
    code: str

    @property
    def raises(self) -> bool:
        return self.outcome.startswith("raises")

    def expected(self, first: int) -> list[tuple[int, str, str]]:
        return [
            (number, severity, name)
            for number, line in enumerate(self.code.splitlines(), start=first)
            for severity, name in _EXPECTED.findall(line)
        ]


TEXT = DOCUMENT.read_text()
PRELUDE = _PRELUDE.findall(TEXT)[0] + "\n"
PROGRAMS = [Program(*found) for found in _PROGRAM.findall(TEXT)]
FIRST = PRELUDE.count("\n") + 1

NO_MAP = "cases in a set"
"""The program whose targets the builder takes, and finds none in."""

Drawn = dict[str, list[str]]
RECORDED = HERE / "langgraph_js_graphs.jsonl"
GRAPHS: dict[str, list[Drawn]] = {
    row["title"]: row["graphs"] for row in map(json.loads, RECORDED.read_text().splitlines())
}
"""What the builders of each program held when they were compiled."""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.title.replace(" ", "-"))
def test_told(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flow.js").write_text(PRELUDE + program.code)
    findings = analyse_file("flow.js", ProjectFiles(), ".").findings
    told = sorted((f.span.line, f.severity, f.name) for f in findings)
    assert told == sorted(program.expected(FIRST))


def test_all_that_raises_is_told() -> None:
    assert len(PROGRAMS) == COUNT
    untold = [p.title for p in PROGRAMS if p.raises and not p.expected(1)]
    assert untold == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.title.replace(" ", "-"))
def test_graphs_are_those_of_the_builders(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flow.js").write_text(PRELUDE + program.code)
    graphs = [graph for graph in analyse_file("flow.js", ProjectFiles(), ".").graphs if graph.built]
    if GRAPHS[program.title] and program.title != NO_MAP:
        assert by_nodes(map(seen, graphs)) == by_nodes(GRAPHS[program.title])


def by_nodes(graphs: Iterable[Drawn]) -> list[Drawn]:
    return sorted(graphs, key=lambda graph: graph["nodes"])


def seen(graph: FlowGraph) -> Drawn:
    """A flow as the recorder writes down what a builder holds."""
    plain, joins = [], defaultdict(list)
    chosen: dict[str | None, list[str]] = {
        router.choice: [router.source] for router in graph.routers
    }
    ends: dict[str, list[str]] = {}
    for entry in graph.entries:
        if entry.kind == "always":
            plain.append(f"{START} > {entry.name}")
        elif entry.kind == "case" and entry.name in told(graph, entry.choice):
            chosen[entry.choice].append(entry.name)
    for edge in graph.edges:
        if edge.group is not None:
            joins[edge.group, edge.target].append(edge.source)
        elif edge.kind == "always":
            plain.append(f"{edge.source} > {edge.target}")
        elif edge.kind == "case" and edge.checked:
            chosen[edge.choice].append(edge.target)
        elif edge.kind == "goto" and edge.checked:
            ends.setdefault(edge.source, [edge.source]).append(edge.target)
    return {
        "nodes": [node.name for node in graph.nodes if not node.presence],
        "edges": sorted(plain),
        "joins": sorted(" > ".join([*sources, target]) for (_, target), sources in joins.items()),
        "branches": sorted(" > ".join(way if way[1:] else [*way, "?"]) for way in chosen.values()),
        "ends": sorted(map(" > ".join, ends.values())),
    }


def told(graph: FlowGraph, choice: str | None) -> set[str]:
    """The targets that the builder is told of a choice at the start."""
    cases = next(router.cases for router in graph.routers if router.choice == choice)
    return set((cases or {}).values())


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("0.2.57", ["ineffective-field", "invalid-definition"]),
        ("1.3.7", ["invalid-definition"]),
        ("1.7.3", []),
    ],
)
def test_what_a_release_does_not_know_yet(
    version: str, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("package.json").write_text(f'{{"dependencies": {{"@langchain/langgraph": "{version}"}}}}')
    Path("flow.js").write_text(
        f"""{PRELUDE}
        const flow = new StateGraph(State)
          .setNodeDefaults({{}})
          .addNode("a", a, {{ defer: true }})
          .addEdge(START, "a")
          .compile();
        """
    )
    findings = analyse_file("flow.js", ProjectFiles(), ".").findings
    assert sorted(finding.name for finding in findings) == told
    assert all(version in finding.message for finding in findings)


@pytest.mark.skipif("FLOWLINT_LANGGRAPH_JS" not in os.environ, reason="needs @langchain/langgraph")
def test_outcomes_are_those_of_the_library() -> None:
    node = shutil.which("node")
    assert node is not None
    command = [node, str(HERE / "langgraph_js_recorder.mjs"), str(DOCUMENT)]
    home = os.environ["FLOWLINT_LANGGRAPH_JS"]
    run = subprocess.run([*command, home], capture_output=True, text=True, check=True, timeout=300)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert {row["title"]: row["outcome"] for row in rows} == {p.title: p.outcome for p in PROGRAMS}
    assert {row["title"]: row["graphs"] for row in rows} == GRAPHS
