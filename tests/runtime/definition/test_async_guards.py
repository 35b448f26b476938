"""A guard that has to be awaited is refused, and says nothing else about the flow."""

from __future__ import annotations

from pathlib import Path

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

SOURCE = """
from flowrt import Edge, Flow, Node

async def step(state):
    return state

async def slow(state):
    return bool(state)

flow = Flow(
    nodes=[Node("draft", step)],
    edges=[Edge("draft", "draft"), Edge("draft", "draft", when=slow)],
    entry="draft",
)
"""


def test_a_loop_past_a_refused_guard_is_not_proven_endless(tmp_path: Path) -> None:
    path = tmp_path / "flow.py"
    path.write_text(SOURCE)
    found = analyse_file(str(path), ProjectFiles(), str(tmp_path)).findings
    told = {finding.code: finding.severity for finding in found}
    assert (told.get("FL208"), told.get("FL301")) == ("error", "warning")
