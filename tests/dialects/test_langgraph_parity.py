"""The flows in the Markdown files, once as they are read and once as the real LangGraph runs them.

Runs where langgraph can be imported, or with the interpreter that FLOWLINT_LANGGRAPH_PYTHON names.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from flow_cases import cases
from langgraph_parity import differences, record

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

HERE = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(HERE.glob("langgraph/*.md")), ids=lambda path: path.stem)
def test_parity(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runnable = [case for case in cases(path) if case.runs]
    folders = [tmp_path / str(number) for number in range(len(runnable))]
    for case, folder in zip(runnable, folders, strict=True):
        case.write(folder)
    problems: list[str] = []
    for case, folder, real in zip(runnable, folders, record(folders), strict=True):
        monkeypatch.chdir(folder)
        result = analyse_file(case.main, ProjectFiles(), str(folder))
        found = differences(result.graphs, real["graphs"])
        if real["error"]:
            found.insert(0, f"it raises {real['error']}")
        problems += [f"{path.stem}:{case.line} {case.title}: {problem}" for problem in found]
    assert not problems, "\n".join(problems)
