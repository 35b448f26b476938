"""Which file an import means where there is more than one."""

from __future__ import annotations

from pathlib import Path

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

FLOW = """
from flows import Edge, Flow, Node

from parts.nodes import LAST

nodes = [Node("first", print), Node("last", print)]
FLOW = Flow(nodes=nodes, edges=[Edge("first", LAST)], entry="first")
"""


def test_a_package_goes_before_a_module(tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    (parts / "nodes").mkdir(parents=True)
    (tmp_path / "flow.py").write_text(FLOW)
    (parts / "nodes.py").write_text('LAST = "nowhere"\n')
    found = analyse_file(str(tmp_path / "flow.py"), ProjectFiles(), str(tmp_path)).findings
    assert "dangling-edge" in {finding.name for finding in found}
    (parts / "nodes" / "__init__.py").write_text('LAST = "last"\n')
    found = analyse_file(str(tmp_path / "flow.py"), ProjectFiles(), str(tmp_path)).findings
    assert "dangling-edge" not in {finding.name for finding in found}
