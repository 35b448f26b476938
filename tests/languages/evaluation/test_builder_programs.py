"""Random programs are read as the flows that Python would build; nothing is ever executed."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path

import pytest
from builder_programs import Graph, Program, programs
from hypothesis import HealthCheck, given, settings

from flowlint.graph.model import START, FlowGraph, Presence
from flowlint.languages.python.frontend import RECURSION_LIMIT
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

PATH = "flow.py"

# Analysis raises it for itself; a property is not to see it change halfway.
sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))


class OneFile:
    """A project that holds one text."""

    def __init__(self, text: str) -> None:
        self.text = text.encode()

    def read(self, path: str) -> bytes:
        if path != PATH:
            raise FileNotFoundError(path)
        return self.text

    def is_file(self, path: str) -> bool:
        return path == PATH

    def is_dir(self, path: str) -> bool:
        return False


def read(program: Program) -> FlowGraph:
    result = analyse_file(PATH, OneFile(program.text()), ".")
    assert not result.faults
    (graph,) = result.graphs
    return graph


def under(graph: FlowGraph, outcomes: dict[str, bool]) -> Graph:
    """The flow as it is for these outcomes of the tests it depends on."""

    def there(presence: Presence) -> bool:
        return all(outcomes[test] == outcome for test, outcome in presence)

    edges: set[tuple[str, str]] = set()
    cases: set[tuple[str, str]] = set()
    joins: dict[str, tuple[set[str], str]] = {}
    for edge in graph.edges:
        if not there(edge.presence):
            continue
        if edge.group is not None:
            joins.setdefault(edge.group, (set(), edge.target))[0].add(edge.source)
        else:
            (edges if edge.kind == "always" else cases).add((edge.source, edge.target))
    edges |= {(START, entry.name) for entry in graph.entries if there(entry.presence)}
    return Graph(
        frozenset(node.name for node in graph.nodes if there(node.presence)),
        frozenset(edges),
        frozenset((frozenset(sources), target) for sources, target in joins.values()),
        frozenset(cases),
    )


def is_part(seen: Graph, whole: Graph) -> bool:
    """Whether everything that was seen is in the whole."""
    return (
        seen.nodes <= whole.nodes
        and seen.edges <= whole.edges
        and seen.joins <= whole.joins
        and seen.cases <= whole.cases
    )


def asked_by(graph: FlowGraph) -> list[str]:
    parts = [part.presence for part in (*graph.nodes, *graph.edges, *graph.entries)]
    return sorted({test for presence in parts for test, _ in presence})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs(unknown=False))
def test_known_programs_are_read_exactly(program: Program) -> None:
    graph = read(program)
    assert graph.complete, program.text()
    assert [under(graph, {})] == program.graphs(), program.text()


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs(unknown=True))
def test_every_outcome_of_unknown_tests_is_allowed(program: Program) -> None:
    graph = read(program)
    tests = asked_by(graph)
    allowed = {
        under(graph, dict(zip(tests, outcomes, strict=True)))
        for outcomes in itertools.product((True, False), repeat=len(tests))
    }
    # What a list loses under an unknown test is not followed.
    assert not graph.gaps or ".pop(" in program.text(), program.text()
    for real in program.graphs():
        assert any(seen == real or (graph.gaps and is_part(seen, real)) for seen in allowed), (
            program.text()
        )


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
def test_nothing_is_executed(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "trace"
    code = f"""
import os
import pathlib

from langgraph.graph import START, StateGraph

open({str(trace)!r}, "w").write("written")
pathlib.Path({str(trace)!r}).touch()
os.system("touch {trace}")
exec("open({str(trace)!r}, 'w')")
__import__("subprocess").run(["touch", {str(trace)!r}])


class Noisy(type):
    def __new__(mcs, *arguments):
        open({str(trace)!r}, "w").close()
        return super().__new__(mcs, *arguments)


class Step(metaclass=Noisy):
    def __del__(self):
        os.remove(__file__)


builder = StateGraph(dict)
builder.add_node("a", print)
builder.add_edge(START, "a")
raise SystemExit(3)
"""
    (tmp_path / "helper.py").write_text(code)
    text = code + "import helper\n"
    if suffix == ".ipynb":
        cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": text}
        text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (tmp_path / f"flow{suffix}").write_text(text)
    monkeypatch.chdir(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    result = analyse_file(f"flow{suffix}", ProjectFiles(), str(tmp_path))
    assert [node.name for graph in result.graphs for node in graph.nodes] == ["a"]
    assert sorted(path.name for path in tmp_path.iterdir()) == before
