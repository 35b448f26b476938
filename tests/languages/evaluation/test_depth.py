"""How deep code is nested never decides what is read of it, whatever was read before it."""

from __future__ import annotations

import sys
from pathlib import Path

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

LINKS = 1_500


def test_a_long_chain_of_calls_is_read_and_the_interpreter_left_as_it_was(tmp_path: Path) -> None:
    chain = "".join(f".add_node('n{i}', print)" for i in range(LINKS))
    flow = tmp_path / "flow.py"
    flow.write_text(f"from langgraph.graph import StateGraph\ng = StateGraph(dict)\ng{chain}\n")
    before = sys.getrecursionlimit()
    analysis = analyse_file(str(flow), ProjectFiles(), str(tmp_path))
    (graph,) = analysis.graphs
    assert len([node for node in graph.nodes if node.name.startswith("n")]) == LINKS
    assert sys.getrecursionlimit() == before
