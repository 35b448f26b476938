"""HydraFlow's classes under other names, declared in settings, read as the dialect reads its own.

FLOWLINT_CHECKOUTS names the folder that holds HydraFlow's repository; the test on it is skipped
where it is not there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from flow_cases import Case, cases

from flowlint.cli.main import main

HERE = Path(__file__).parent
PROGRAMS = [
    *cases(HERE / "hydraflow" / "definitions.md"),
    *cases(HERE / "hydraflow" / "own-package.md"),
]

DECLARED = """\
[[systems]]
name = "works"
title = "HydraFlow"
flow = ["Process", "works.Process", "works.flow.Process", "src.works.Process"]
limit = "max_steps"
stop = "kill_switch"
reads = ["run", "resume"]
entry = { argument = "entry" }

[systems.nodes]
argument = "nodes"
class = ["Stage", "works.Stage", "works.flow.Stage", "src.works.Stage"]
name = ["name", 0]
run = ["run", 1]
kind = ["kind", 2]

[systems.edges]
argument = "edges"
class = ["Link", "works.Link", "works.flow.Link", "src.works.Link"]
source = ["src", 0]
target = ["dst", 1]
guard = ["when", 2]

[systems.semantics]
routing = "first"
unmatched-route = "raises"
on-unreachable = "rejected"
on-unknown-name = "rejected"
on-duplicate-node = "rejected"
on-missing-entry = "rejected"
on-empty = "rejected"
on-duplicate-edge = "silent"
guards = "sync"
kinds-document-shape = true
step-bound-name = "max_steps"
"""

_OTHER = {"Flow": "Process", "Node": "Stage", "Edge": "Link", "flows": "works"}
_WORDS = re.compile(r"\b(?:Flow|Node|Edge|flows)\b")


def renamed(text: str) -> str:
    return _WORDS.sub(lambda found: _OTHER[found[0]], text)


def twin(folder: Path) -> Path:
    """A copy of a folder of Python with other names, and the settings that declare them."""
    made = folder.with_name(f"{folder.name}-twin")
    for path in sorted(folder.rglob("*")):
        inner = made / renamed(str(path.relative_to(folder)))
        if path.is_dir():
            inner.mkdir(parents=True, exist_ok=True)
        elif path.suffix in (".py", ".ipynb"):
            inner.parent.mkdir(parents=True, exist_ok=True)
            inner.write_text(renamed(path.read_text("utf-8")), "utf-8")
    (made / "flowlint.toml").write_text(DECLARED)
    return made


def told(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[list[Any], list[Any]]:
    """All that is read and found in a folder but for the columns, by other names."""
    os.chdir(folder)
    main(("graph", ".", "--format", "json"))
    graphs = [
        {
            "place": (renamed(graph["path"]), graph["range"]["start"]["line"]),
            "nodes": [(node["name"], node["kind"]) for node in graph["nodes"]],
            "edges": [
                (edge["source"], edge["target"], edge["kind"], edge["certain"])
                for edge in graph["edges"]
            ],
            "entry": graph["entry"],
            "complete": graph["complete"],
        }
        for graph in json.loads(capsys.readouterr().out or '{"graphs": []}')["graphs"]
    ]
    main(("check", ".", "--format", "json", "--no-cache"))
    findings = [
        (
            renamed(one["path"]),
            one["range"]["start"]["line"],
            one["name"],
            one["severity"],
            None if one["name"] == "unresolved-flow" else renamed(one["message"]),
        )
        for one in json.loads(capsys.readouterr().out or "[]")
    ]
    return graphs, sorted(findings, key=repr)


def check_twin(folder: Path, capsys: pytest.CaptureFixture[str]) -> int:
    own = told(folder, capsys)
    other = told(twin(folder), capsys)
    assert other == own
    return len(own[0])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda case: case.title)
def test_programs(
    program: Case,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "own"
    folder.mkdir()
    program.write(folder)
    assert check_twin(folder, capsys) > 0 or program.graphs == ["none"]


def test_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Path(os.environ.get("FLOWLINT_CHECKOUTS", ""), "T-rav+hydraflow")
    if not (source / "src" / "flows").is_dir():
        pytest.skip("HydraFlow's repository is not there")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "own"
    for path in sorted(source.rglob("*.py")):
        if re.search(rb"\bFlow\b|\bNode\b|\bEdge\b", path.read_bytes()):
            copied = folder / path.relative_to(source)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copied)
    assert check_twin(folder, capsys) >= 3
