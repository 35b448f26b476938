"""Modules that have nothing to do with flows: followed as far as it pays, and never trusted."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowlint.graph.model import FlowGraph
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

LONG = """
    total = 0
    for i in range(400):
        for j in range(400):
            total = (i + j) * (i - j) + total
"""
"""Far more than is evaluated for a whole file."""

FLOW = """
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
import far


class State(TypedDict):
    text: str


def step(state: State):
    return {{"text": "done"}}


def build():
    builder = StateGraph(State)
    builder.add_node("first", step)
    builder.add_edge(START, "first")
    {lines}
    return builder.compile()


graph = build()
"""


def flow(folder: Path, far: str, *lines: str) -> FlowGraph:
    (folder / "far.py").write_text(far)
    path = folder / "flow.py"
    path.write_text(FLOW.format(lines="\n    ".join(lines)))
    (found,) = analyse_file(str(path), ProjectFiles(), str(folder)).graphs
    return found


def test_what_takes_long_there_hides_nothing_here(tmp_path: Path) -> None:
    graph = flow(tmp_path, f"def client():\n{LONG}    return total\n", "model = far.client()")
    assert graph.complete
    assert [node.name for node in graph.nodes] == ["first"]


def test_names_that_come_from_there_are_known(tmp_path: Path) -> None:
    far = "def names():\n    return [f'step_{i}' for i in range(3)]\n"
    graph = flow(tmp_path, far, "for name in far.names():", "    builder.add_node(name, step)")
    assert graph.complete
    assert [node.name for node in graph.nodes] == ["first", "step_0", "step_1", "step_2"]


def test_a_name_that_takes_too_long_is_not_known(tmp_path: Path) -> None:
    far = f"def name():\n{LONG}    return 'second'\n"
    graph = flow(tmp_path, far, "builder.add_node(far.name(), step)")
    assert "far.name" not in [node.name for node in graph.nodes]
    assert [gap.hides for gap in graph.gaps] == [{"nodes"}]


@pytest.mark.parametrize("long", ["", LONG])
def test_a_builder_that_is_handed_there_may_have_been_changed(tmp_path: Path, long: str) -> None:
    far = (
        f"def extend(graph, what='add_'):\n{long}    getattr(graph, what + 'node')('more', print)\n"
    )
    graph = flow(tmp_path, far, "far.extend(builder)")
    names = [node.name for node in graph.nodes]
    assert names == ["first", "more"] or graph.hides("nodes")


def test_what_is_called_back_from_there_is_followed(tmp_path: Path) -> None:
    far = f"def each(hook):\n    for name in ('second', 'third'):\n        hook(name)\n{LONG}"
    graph = flow(tmp_path, far, "far.each(lambda name: builder.add_node(name, step))")
    assert {node.name for node in graph.nodes} == {"first", "second", "third"}


def test_flows_that_are_made_on_the_way_there_stay_open(tmp_path: Path) -> None:
    far = f"def make(maker):\n    made = maker()\n{LONG}    return made\n"
    (tmp_path / "far.py").write_text(far)
    path = tmp_path / "flow.py"
    path.write_text(
        "from langgraph.graph import START, StateGraph\nimport far\n\n\n"
        "def maker():\n    return StateGraph(dict)\n\n\n"
        "builder = far.make(maker)\nbuilder.add_node('a', print)\nbuilder.add_edge(START, 'a')\n"
        "graph = builder.compile()\n"
    )
    graphs = analyse_file(str(path), ProjectFiles(), str(tmp_path)).graphs
    assert all(graph.hides("nodes") for graph in graphs)
