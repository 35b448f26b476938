"""Reads the flows in the Markdown files beside this one and compares their graphs.

`FLOWLINT_UPDATE=1 pytest tests/dialects` writes the expected graphs anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from flow_cases import Case, cases, replace_graphs
from graph_text import NOTHING, shown

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

HERE = Path(__file__).parent

ALL_CASES = [
    pytest.param(path, index, case, id=f"{path.parent.name}/{path.stem}:{case.title}")
    for path in sorted(HERE.glob("*/*.md"))
    for index, case in enumerate(cases(path))
]


@pytest.mark.parametrize(("path", "index", "case"), ALL_CASES)
def test_pattern(
    path: Path, index: int, case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    result = analyse_file(case.main, ProjectFiles(), str(tmp_path))
    assert not result.faults
    found = [shown(graph) for graph in result.graphs] or [NOTHING]
    if os.environ.get("FLOWLINT_UPDATE"):
        replace_graphs(path, index, found)
        return
    # Compared as lists of lines, which pytest shows as a readable difference.
    assert "\n\n".join(found).splitlines() == "\n\n".join(case.graphs).splitlines()
