"""What cannot be read leaves open the flows around it, and no others."""

from __future__ import annotations

from pathlib import Path

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

SOURCE = """
from langgraph.graph import StateGraph, START, END


def step(state):
    return {}


def broken():
    g = StateGraph(dict)
    g.add_node("a", step)
    g.add_node("b",
    g.add_edge(START, "a")
    g.add_edge("a", "b")
    return g.compile()


def sound():
    g = StateGraph(dict)
    g.add_node("a", step)
    g.add_edge(START, "ghost")
    return g.compile()
"""


def test_a_half_typed_statement_makes_no_false_finding(tmp_path: Path) -> None:
    path = tmp_path / "flow.py"
    path.write_text(SOURCE)
    result = analyse_file(str(path), ProjectFiles({}), str(tmp_path))
    told = {(finding.name, finding.flow) for finding in result.findings}
    assert {name for name, _ in told} == {"syntax-error", "unresolved-flow", "unknown-entry"}
    complete = {graph.symbol: graph.complete for graph in result.graphs}
    assert complete == {"broken": False, "sound": True}
