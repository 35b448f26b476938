"""What the program prints: full, concise, JSON; graphs as JSON and Mermaid."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD, LANGGRAPH
from support import PROGRAM, RunFlowlint

KEYS = {
    "code",
    "name",
    "severity",
    "message",
    "help",
    "path",
    "range",
    "flow",
    "node",
    "related",
    "fix",
    "url",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "lang.py").write_text(LANGGRAPH)


def test_full_shows_the_place_the_reason_and_the_cure(flowlint: RunFlowlint) -> None:
    run = flowlint("check", "bad.py")
    assert run.out.startswith("error[dangling-edge] FL105: ")
    assert " --> bad.py:15:32\n" in run.out
    line = '        edges=[Edge("collect", "publihs")],'
    assert f"15 | {line}\n" in run.out
    indent = " " * line.index('"publihs"')
    assert f"   | {indent}^^^^^^^^^\n" in run.out
    assert "= help: " in run.out
    assert "\n\nFound 1 error in 1 flow (1 file checked).\n" in run.out


def test_colour_only_when_asked_for(flowlint: RunFlowlint) -> None:
    assert "\x1b[" not in flowlint("check", "bad.py").out
    assert "\x1b[" in flowlint("check", "bad.py", "--color", "always").out
    assert "\x1b[" not in flowlint("check", "bad.py", "--color", "never").out


def test_concise_is_one_line_each(flowlint: RunFlowlint) -> None:
    lines = flowlint("check", "bad.py", "--output-format", "concise").out.splitlines()
    assert re.fullmatch(r"bad\.py:15:32: FL105 \[dangling-edge\] error: .+", lines[0])


def test_json_keeps_its_contract(flowlint: RunFlowlint) -> None:
    run = flowlint("check", "bad.py", "--output-format", "json")
    assert run.code == 1
    (finding,) = json.loads(run.out)
    assert set(finding) == KEYS
    assert finding["code"] == "FL105"
    assert finding["path"] == "bad.py"
    assert finding["range"] == {
        "start": {"line": 15, "column": 32},
        "end": {"line": 15, "column": 41},
    }
    assert finding["url"] is None


def test_json_without_findings_is_an_empty_list(flowlint: RunFlowlint) -> None:
    run = flowlint("check", "good.py", "--format", "json")
    assert (run.code, json.loads(run.out)) == (0, [])


def test_paths_are_named_as_the_user_named_them(flowlint: RunFlowlint, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    for path in (str(tmp_path / "bad.py"), "../bad.py"):
        run = flowlint("check", path, "--format", "json", cwd=inner)
        assert {finding["path"] for finding in json.loads(run.out)} == {path}
    run = flowlint("check", "..", "--format", "json", cwd=inner)
    assert {finding["path"] for finding in json.loads(run.out)} == {f"..{os.sep}bad.py"}


def test_selection_by_name_code_category_and_prefix(flowlint: RunFlowlint) -> None:
    for select in ("dangling-edge", "FL105", "fl1", "structure", "FL2,FL105"):
        assert flowlint("check", "bad.py", "--select", select).code == 1, select
    for ignore in ("dangling-edge", "FL1", "structure"):
        assert flowlint("check", "bad.py", "--ignore", ignore).code == 0, ignore
    assert flowlint("check", "bad.py", "--select", "FL1", "--ignore", "FL105").code == 0


def test_graph_json(flowlint: RunFlowlint) -> None:
    run = flowlint("graph", "lang.py", "good.py", "--format", "json")
    assert (run.code, run.err) == (0, "")
    document = json.loads(run.out)
    assert document["schema"] == "flowlint.graph/1"
    good, lang = document["graphs"]
    assert good["dialect"] == "hydraflow"
    assert (good["path"], good["entry"], good["exits"]) == ("good.py", ["collect"], ["publish"])
    assert [node["name"] for node in good["nodes"]] == ["collect", "publish"]
    assert good["complete"] is True
    assert good["gaps"] == []
    assert lang["dialect"] == "langgraph"
    assert (lang["entry"], lang["exits"]) == (["draft"], ["review"])
    assert [(edge["source"], edge["target"]) for edge in lang["edges"]] == [
        ("__start__", "draft"),
        ("draft", "review"),
        ("review", "__end__"),
        ("review", "draft"),
    ]
    assert [edge["label"] for edge in lang["edges"]] == [None, None, "yes", "no"]
    assert set(lang["edges"][0]) == {
        "source",
        "target",
        "kind",
        "label",
        "certain",
        "group",
        "range",
    }


def test_graph_mermaid(flowlint: RunFlowlint) -> None:
    run = flowlint("graph", "lang.py", "--format", "mermaid")
    assert run.code == 0
    assert run.out.startswith("flowchart TD\n")
    assert '["draft"]' in run.out
    assert '-->|"yes"|' in run.out


def test_rules_explain_themselves(flowlint: RunFlowlint) -> None:
    by_name = flowlint("rule", "dangling-edge", "--format", "markdown")
    assert by_name.code == 0
    assert by_name.out.startswith("# dangling-edge (FL105)\n")
    assert flowlint("rule", "fl105", "--format", "markdown") == by_name
    text = flowlint("rule", "FL105").out
    assert text.startswith("dangling-edge (FL105)\n=====")
    assert "```" not in text


def test_a_reader_that_leaves_is_no_fault(flowlint: RunFlowlint, tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"bad{number}.py").write_text(DANGLING)
    done = subprocess.run(
        f'"{PROGRAM}" check . | head -n 1',
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1
