"""Of a flow of ObjectStack as data the same is told as of it in TypeScript."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from flow_mutants import Flow, mutants, node, seeds
from recorded_flows import DEFINITIONS, RUNS

from flowlint.graph.model import FlowGraph
from flowlint.pipeline import FileResult, analyse_file
from flowlint.project.files import ProjectFiles
from flowlint.project.scan import may_hold_flow

MUTANTS = {f"mutant {number}": flow for number, (_, flow) in enumerate(mutants(120, 11))}
FLOWS = {
    **{f"seed {number}": flow for number, flow in enumerate(seeds())},
    **{name: one.flow for name, one in {**DEFINITIONS, **RUNS}.items()},
    **MUTANTS,
}
TYPED = 'import type { Flow } from "@objectstack/spec/automation";\nexport const flow: Flow = '


def analysed(name: str, text: str) -> FileResult:
    Path(name).write_text(text)
    return analyse_file(name, ProjectFiles(), ".")


def told(result: FileResult) -> list[str]:
    return sorted(f"{one.severity} {one.name} {one.message} {one.help}" for one in result.findings)


def graphs(result: FileResult) -> list[object]:
    return [parts(graph) for graph in result.graphs]


def parts(graph: FlowGraph) -> object:
    """A graph without the places in it."""
    nodes = [
        (one.name, one.kind, one.asks, {name: parts(held) for name, held in one.regions.items()})
        for one in graph.nodes
    ]
    edges = [
        (one.source, one.target, one.kind, one.label, one.guard and one.guard.text, one.back)
        for one in graph.edges
    ]
    gaps = [(gap.reason, gap.hides, gap.told) for gap in graph.gaps]
    return graph.name, [entry.name for entry in graph.entries], nodes, edges, gaps


@pytest.mark.parametrize("name", FLOWS)
def test_a_flow_is_the_same_in_every_form(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flow = FLOWS[name]
    code = analysed("flow.ts", TYPED + json.dumps(flow, indent=2) + ";\n")
    for file, text in (
        ("order.flow.json", json.dumps(flow, indent=2)),
        ("order.flow.yml", yaml.safe_dump(flow, sort_keys=False)),
    ):
        data = analysed(file, text)
        assert graphs(data) == graphs(code)
        assert told(data) == told(code)


def test_flows_stand_in_lists_and_stacks_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, held in (
        ("all.json", seeds()),
        ("stack.json", {"manifest": {"id": "app"}, "flows": seeds(), "objects": []}),
    ):
        text = json.dumps(held)
        assert may_hold_flow(text.encode(), name)
        found = analysed(name, text).graphs
        assert [graph.name for graph in found] == [flow["name"] for flow in seeds()]


@pytest.mark.parametrize(
    "data",
    [
        {"nodes": [{"id": "a"}], "edges": [{"source": "a", "target": "a"}]},
        {"type": "graph", "nodes": [node("s", "start")], "edges": []},
        {"type": "screen", "label": "Main", "children": []},
        {"flows": [{"name": "water", "rate": 3}]},
        {"flows": "none"},
        [1, 2, {"type": "api", "nodes": {}, "edges": {}}],
    ],
)
def test_what_only_looks_like_one_is_none(
    data: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = analysed("other.json", json.dumps(data))
    assert (result.graphs, result.findings) == ((), ())


def test_a_file_that_is_called_a_flow_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flow: Flow = {**seeds()[0], "type": "autolaunch"}
    text = json.dumps(flow)
    assert may_hold_flow(text.encode(), "order.flow.json")
    assert "`autolaunch`" in analysed("order.flow.json", text).findings[0].message
    assert not analysed("order.json", text).findings
