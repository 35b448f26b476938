"""One place that builds several flows: what is wrong with any of them is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import RunFlowlint

MAKING = """from flows import Edge, Flow, Node


def run(state):
    return state


def make(target):
    return Flow(
        nodes=[Node("a", run), Node("b", run)],
        edges=[Edge("a", target)],
        entry="a",
    )


"""
GOOD, BAD = 'X = make("b")\n', 'Y = make("nowhere")\n'


@pytest.mark.parametrize("calls", [GOOD + BAD, BAD + GOOD, GOOD + BAD + GOOD])
@pytest.mark.parametrize("cache", [(), ("--no-cache",)])
def test_an_error_of_one_call_is_told(
    flowlint: RunFlowlint, tmp_path: Path, calls: str, cache: tuple[str, ...]
) -> None:
    (tmp_path / "flow.py").write_text(MAKING + calls)
    for _ in range(2):
        run = flowlint("check", "--format", "concise", *cache, ".")
        assert run.code == 1
        assert [line.split()[1] for line in run.out.splitlines()[:-1]] == ["FL105"]


BUILDING = """from langgraph.graph import StateGraph

from routers import after

builder = StateGraph(dict)
builder.add_node("draft", lambda state: state)
builder.set_entry_point("draft")
builder.add_conditional_edges("draft", after, {"done": "draft"})
graph = builder.compile()
"""


def test_one_cause_in_several_flows_is_told_once(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "routers.py").write_text('def after(state):\n    return "nowhere"\n')
    for name in "abcde":
        (tmp_path / f"{name}.py").write_text(BUILDING)
    run = flowlint("check", "--format", "json", "--no-cache", "--select", "unhandled-route")
    (found,) = json.loads(run.out)
    assert found["path"] == "routers.py"
    assert [place["path"] for place in found["related"]] == [f"{name}.py" for name in "abcde"]


def test_causes_that_differ_are_told_in_one_order(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "routers.py").write_text('def after(state):\n    return "nowhere"\n')
    for name in "abcdefg":
        flow = BUILDING.replace("graph =", f"{name} =").replace("builder", f"build_{name}")
        (tmp_path / f"{name}.py").write_text(flow)
    run = flowlint("check", "--format", "json", "--no-cache", "--select", "unhandled-route")
    told = [found["related"][0]["path"] for found in json.loads(run.out)]
    assert told == [f"{name}.py" for name in "abcdefg"]
