"""Tiny programs of LangGraph.js in the file beside this one, with what became of them and is told.

Where a folder with the package is named by `FLOWLINT_LANGGRAPH_JS`, the programs run once more, and
have to come out as the file says.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

pytest.importorskip("tree_sitter_typescript")

HERE = Path(__file__).parent
DOCUMENT = HERE / "langgraph_js_programs.md"
COUNT = 111

_PRELUDE = re.compile(r"```js prelude\n(.*?)```", re.DOTALL)
_PROGRAM = re.compile(r"^## (.*)\n\n(.*)\n\n```js\n((?:.*\n)*?)```$", re.MULTILINE)
_EXPECTED = re.compile(r" (error|warning|info): \[([a-z-]+)\]")


@dataclass(frozen=True)
class Program:
    title: str
    outcome: str
    code: str

    @property
    def raises(self) -> bool:
        return self.outcome.startswith("raises")

    def expected(self, first: int) -> list[tuple[int, str, str]]:
        return [
            (number, severity, name)
            for number, line in enumerate(self.code.splitlines(), start=first)
            for severity, name in _EXPECTED.findall(line)
        ]


TEXT = DOCUMENT.read_text()
PRELUDE = _PRELUDE.findall(TEXT)[0] + "\n"
PROGRAMS = [Program(*found) for found in _PROGRAM.findall(TEXT)]
FIRST = PRELUDE.count("\n") + 1


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.title.replace(" ", "-"))
def test_told(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flow.js").write_text(PRELUDE + program.code)
    findings = analyse_file("flow.js", ProjectFiles(), ".").findings
    told = sorted((f.span.line, f.severity, f.name) for f in findings)
    assert told == sorted(program.expected(FIRST))


def test_all_that_raises_is_told() -> None:
    assert len(PROGRAMS) == COUNT
    untold = [p.title for p in PROGRAMS if p.raises and not p.expected(1)]
    assert untold == []


@pytest.mark.skipif("FLOWLINT_LANGGRAPH_JS" not in os.environ, reason="needs @langchain/langgraph")
def test_outcomes_are_those_of_the_library() -> None:
    node = shutil.which("node")
    assert node is not None
    command = [node, str(HERE / "langgraph_js_recorder.mjs"), str(DOCUMENT)]
    home = os.environ["FLOWLINT_LANGGRAPH_JS"]
    run = subprocess.run([*command, home], capture_output=True, text=True, check=True, timeout=300)
    outcomes = {row["title"]: row["outcome"] for row in map(json.loads, run.stdout.splitlines())}
    assert outcomes == {program.title: program.outcome for program in PROGRAMS}
