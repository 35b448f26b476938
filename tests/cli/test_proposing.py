"""`flowlint init` in projects that have a flow system of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import RunFlowlint

WORK = """

def work(state):
    return state

"""

CLASSES = {
    "objects": (
        """\
from dataclasses import dataclass


@dataclass
class Stage:
    name: str
    run: object


@dataclass
class Arrow:
    src: str
    dst: str
    when: object = None


class Machine:
    def __init__(self, stages: list[Stage], transitions: "list[Arrow]", initial: str):
        self.stages = stages
""",
        'made = Machine([Stage("a", work), Stage("b", work)], [Arrow("a", "b")], initial="a")\n',
        "machine",
    ),
    "tuples and a mapping": (
        """\
class TaskGraph:
    def __init__(self, tasks: dict, edges, *, start):
        self.tasks = tasks

    def run(self, state):
        return state
""",
        'made = TaskGraph({"a": work, "b": work}, [("a", "b")], start="a")\nmade.run({})\n',
        "task-graph",
    ),
    "a builder": (
        """\
class FlowBuilder:
    def add_task(self, name, fn):
        return self

    def add_link(self, source, target, condition=None):
        return self

    def start_at(self, name):
        return self

    def build(self):
        return self
""",
        'made = FlowBuilder().add_task("a", work).add_task("b", work).add_link("a", "b")'
        '.start_at("a").build()\n',
        "flow-builder",
    ),
}


@pytest.fixture
def flowlint(flowlint_inside: RunFlowlint) -> RunFlowlint:
    """No process of its own: there are many runs here."""
    return flowlint_inside


@pytest.mark.parametrize("kind", CLASSES)
def test_what_is_proposed_reads_the_flows(flowlint: RunFlowlint, tmp_path: Path, kind: str) -> None:
    classes, made, name = CLASSES[kind]
    (tmp_path / "own.py").write_text(classes)
    (tmp_path / "flow.py").write_text(f"from own import *{WORK}{made}")
    run = flowlint("init")
    assert (run.code, run.err) == (0, "")
    told = run.out.splitlines()[1]
    assert told.startswith("Declared `") and "of own.py, by which 1 more flow can be read" in told
    (graph,) = json.loads(flowlint("graph", ".", "--format", "json").out)["graphs"]
    assert graph["dialect"] == name
    assert graph["complete"]
    assert graph["entry"] == ["a"]
    assert [node["name"] for node in graph["nodes"]] == ["a", "b"]
    assert [(edge["source"], edge["target"]) for edge in graph["edges"]] == [("a", "b")]
    assert flowlint("check", "--format", "concise").code == 0


def test_nothing_is_proposed_by_which_no_flow_is_read(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    classes, _, _ = CLASSES["objects"]
    (tmp_path / "own.py").write_text(classes)
    # A drawing has nodes and edges, and is none of ours: nobody builds one of these here.
    (tmp_path / "broken.py").write_text("class Graph:\n    def __init__(self, nodes, edges:\n")
    run = flowlint("init")
    assert run.out == "Wrote flowlint.toml: 0 flows found in 2 files.\n"
    assert "systems" not in (tmp_path / "flowlint.toml").read_text()


def test_a_known_system_is_not_proposed_again(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flows.py").write_text(
        "class Node:\n    def __init__(self, name, run, kind='step'):\n        pass\n\n\n"
        "class Edge:\n    def __init__(self, src, dst, when=None):\n        pass\n\n\n"
        "class Flow:\n    def __init__(self, nodes, edges, entry):\n        pass\n"
    )
    (tmp_path / "flow.py").write_text(
        "from flows import Edge, Flow, Node\n\n"
        'flow = Flow(nodes=[Node("a", print)], edges=[Edge("a", "a")], entry="a")\n'
    )
    run = flowlint("init")
    assert run.out == "Wrote flowlint.toml: 1 flow found in 2 files.\n"
