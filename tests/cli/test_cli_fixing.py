"""`flowlint check --fix`, `--unsafe-fixes` and `--diff`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from flow_sources import DANGLING, GOOD, LANGGRAPH
from support import PROGRAM, RunFlowlint

from flowlint.check import Options, check
from flowlint.findings.model import Finding, Fix
from flowlint.fixing import fix
from flowlint.project.replacing import replace_file
from flowlint.source import Edit

TWICE = GOOD.replace(
    'Edge("collect", "publish")', 'Edge("collect", "publish"), Edge("collect", "publish")'
)
UNREACHED = GOOD.replace('edges=[Edge("collect", "publish")]', "edges=[]")


def test_safe_fixes_are_written(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    run = flowlint("check", "--fix")
    fixed = "No faults found: 1 flow in 1 file.\nFixed 1 finding in 1 file.\n"
    assert (run.code, run.out, run.err) == (0, fixed, "")
    assert (tmp_path / "flow.py").read_text() == GOOD


def test_without_fix_nothing_is_written_and_the_hint_tells(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    (tmp_path / "other.py").write_text(UNREACHED)
    run = flowlint("check")
    assert run.code == 1
    assert run.out.endswith("\n1 finding fixable with --fix, 1 more with --unsafe-fixes.\n")
    run = flowlint("check", "--format", "json")
    assert (len(json.loads(run.out)), run.err) == (2, "")
    assert (tmp_path / "flow.py").read_text() == DANGLING


def test_unsafe_fixes_are_asked_for(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(UNREACHED)
    run = flowlint("check", "--fix")
    assert run.code == 1
    assert (tmp_path / "flow.py").read_text() == UNREACHED
    run = flowlint("check", "--fix", "--unsafe-fixes")
    assert run.code == 0
    assert 'nodes=[Node("collect", collect)],' in (tmp_path / "flow.py").read_text()


def test_what_is_left_is_reported(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    (tmp_path / "other.py").write_text(UNREACHED)
    run = flowlint("check", "--fix", "--format", "json")
    assert run.code == 1
    assert [found["name"] for found in json.loads(run.out)] == ["unreachable-node"]


def test_a_second_run_changes_nothing(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    flowlint("check", "--fix")
    before = (tmp_path / "flow.py").stat()
    run = flowlint("check", "--fix")
    assert (run.code, run.out) == (0, "No faults found: 1 flow in 1 file.\n")
    after = (tmp_path / "flow.py").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_exit_non_zero_on_fix(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    assert flowlint("check", "--fix", "--exit-non-zero-on-fix").code == 1
    assert flowlint("check", "--fix", "--exit-non-zero-on-fix").code == 0


def test_fixes_that_touch_each_other_are_all_made(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(TWICE.replace('"publish")', '"publihs")'))
    run = flowlint("check", "--fix")
    assert run.code == 0
    assert (tmp_path / "flow.py").read_text() == GOOD


def test_diff_shows_a_patch_and_writes_nothing(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    run = flowlint("check", "--diff")
    assert run.code == 1
    assert '-        edges=[Edge("collect", "publihs")],' in run.out
    assert '+        edges=[Edge("collect", "publish")],' in run.out
    assert run.err == "Would fix 1 finding in 1 file.\n"
    assert (tmp_path / "flow.py").read_text() == DANGLING


def test_diff_of_what_is_clean(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(UNREACHED)
    run = flowlint("check", "--diff")
    assert (run.code, run.out, run.err) == (0, "", "Nothing to fix.\n")


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("end", ["", "\n", "# end"])
def test_git_can_apply_the_patch(flowlint: RunFlowlint, tmp_path: Path, end: str) -> None:
    (tmp_path / "sub").mkdir()
    text = DANGLING.replace("\n", "\r\n").rstrip() + end
    (tmp_path / "sub" / "flow.py").write_bytes(text.encode())
    patch = subprocess.run(
        [PROGRAM, "check", "--diff"], cwd=tmp_path, capture_output=True, check=False
    ).stdout
    subprocess.run(["git", "apply", "-p1"], cwd=tmp_path, input=patch, check=True)
    fixed = (tmp_path / "sub" / "flow.py").read_bytes()
    assert fixed == text.replace("publihs", "publish").encode()


@pytest.mark.parametrize(
    "original",
    [
        DANGLING.replace("\n", "\r\n").encode(),
        DANGLING.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + DANGLING.encode(),
        DANGLING.replace("    ", "\t").encode(),
        DANGLING.rstrip().encode(),
        ("# -*- coding: latin-1 -*-\n# \xe9\n" + DANGLING).encode("latin-1"),
        (
            "# \u00e9\U0001f60b\n" + DANGLING.replace("edges=[", "edges=['\U0001f60b'][:0] + [")
        ).encode(),
        (DANGLING + "\n\n\n   \n# end  \n\x0c\n").encode(),
    ],
    ids=["crlf", "cr", "bom", "tabs", "no newline", "latin-1", "wide", "odd blanks"],
)
def test_bytes_outside_of_the_edit_stay(
    flowlint: RunFlowlint, tmp_path: Path, original: bytes
) -> None:
    (tmp_path / "flow.py").write_bytes(original)
    assert flowlint("check", "--fix").code == 0
    assert (tmp_path / "flow.py").read_bytes() == original.replace(b"publihs", b"publish")


def test_a_removed_line_takes_its_own_line_end(flowlint: RunFlowlint, tmp_path: Path) -> None:
    edge = '            Edge("collect", "publish"),\n'
    good = GOOD.replace('[Edge("collect", "publish")]', f"[\n{edge}        ]")
    bad = good.replace(edge, edge * 2)
    (tmp_path / "flow.py").write_bytes(bad.replace("\n", "\r\n").encode())
    assert flowlint("check", "--fix").code == 0
    assert (tmp_path / "flow.py").read_bytes() == good.replace("\n", "\r\n").encode()


def test_permissions_and_links_stay(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "flow.py"
    real.write_text(DANGLING)
    real.chmod(0o754)
    (tmp_path / "flow.py").symlink_to("real/flow.py")
    assert flowlint("check", "flow.py", "--fix").code == 0
    assert (tmp_path / "flow.py").is_symlink()
    assert real.read_text() == GOOD
    assert real.stat().st_mode & 0o777 == 0o754
    assert os.listdir(tmp_path / "real") == ["flow.py"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_what_cannot_be_written_is_an_error(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    (tmp_path / "flow.py").chmod(0o444)
    run = flowlint("check", "--fix")
    assert run.code == 2
    assert "flow.py: cannot be written: Permission denied" in run.err
    assert (tmp_path / "flow.py").read_text() == DANGLING


def test_a_text_from_standard_input_is_the_output(tmp_path: Path) -> None:
    done = subprocess.run(
        [PROGRAM, "check", "--fix", "-"],
        cwd=tmp_path,
        input=DANGLING.replace("\n", "\r\n").encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout == GOOD.replace("\n", "\r\n").encode()
    assert b"Fixed 1 finding" in done.stderr
    assert os.listdir(tmp_path) == []


def notebook(lines: list[str], **others: object) -> dict[str, object]:
    return {
        "cells": [
            {"cell_type": "markdown", "source": ["# Caf\u00e9 \U0001f60b\n"], "metadata": {}},
            {"cell_type": "code", "source": lines, "metadata": {}, **others},
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


@pytest.mark.parametrize("ensure_ascii", [True, False])
@pytest.mark.parametrize("indent", [None, 1])
def test_cells_of_notebooks(
    flowlint: RunFlowlint, tmp_path: Path, indent: int | None, ensure_ascii: bool
) -> None:
    text = 'label = "\u00e9\U0001f60b"\n' + DANGLING
    lines = text.splitlines(keepends=True)
    raw = json.dumps(notebook(lines, outputs=[]), indent=indent, ensure_ascii=ensure_ascii)
    (tmp_path / "flow.ipynb").write_text(raw)
    assert flowlint("check", "--fix").code == 0
    assert (tmp_path / "flow.ipynb").read_text() == raw.replace("publihs", "publish")


@pytest.mark.parametrize("place", ["first", "middle"])
def test_lines_of_cells_that_go(flowlint: RunFlowlint, tmp_path: Path, place: str) -> None:
    line = 'builder.add_edge("draft", "review")\n'
    rest = LANGGRAPH.partition(line)[2] if place == "middle" else ""
    good = LANGGRAPH.partition(line)[0] + line + rest
    tail = "" if rest else LANGGRAPH.partition(line)[2]
    cells = [good.replace(line, line * 2), tail]
    data = notebook(cells[0].splitlines(keepends=True))
    data["cells"].append({"cell_type": "code", "source": cells[1], "metadata": {}})  # type: ignore[attr-defined]
    (tmp_path / "flow.ipynb").write_text(json.dumps(data, indent=1))
    assert flowlint("check", "--fix", "--select", "duplicate-edge").code == 0
    after = json.loads((tmp_path / "flow.ipynb").read_text())
    assert "".join(after["cells"][1]["source"]) == good
    assert "".join(after["cells"][2]["source"]) == tail


DATA = {
    "flowrt": 1,
    "name": "release",
    "entry": "draft",
    "nodes": [
        {"name": "draft", "kind": "step", "run": "steps:draft", "timout": 3},
        {"name": "review", "kind": "step", "run": "steps:review"},
        {"name": "idle", "kind": "step", "run": "steps:review"},
    ],
    "edges": [{"from": "draft", "to": "reveiw"}, {"from": "draft", "to": "reveiw"}],
}
CURED = {
    **DATA,
    "nodes": [
        {"name": "draft", "kind": "step", "run": "steps:draft", "timeout": 3},
        {"name": "review", "kind": "step", "run": "steps:review"},
    ],
    "edges": [{"from": "draft", "to": "review"}],
}


@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_definitions_in_json(
    flowlint: RunFlowlint, tmp_path: Path, indent: int | str | None
) -> None:
    (tmp_path / "steps.py").write_text("async def draft(s): ...\nasync def review(s): ...\n")
    (tmp_path / "flow.json").write_text(json.dumps(DATA, indent=indent))
    run = flowlint("check", "--fix", "--unsafe-fixes")
    assert run.code == 0, run.out
    assert (tmp_path / "flow.json").read_text() == json.dumps(CURED, indent=indent)


@pytest.mark.parametrize("flow_style", [True, False])
def test_definitions_in_yaml(flowlint: RunFlowlint, tmp_path: Path, flow_style: bool) -> None:
    (tmp_path / "steps.py").write_text("async def draft(s): ...\nasync def review(s): ...\n")
    text = "# kept\n" + yaml.safe_dump(DATA, default_flow_style=flow_style, sort_keys=False)
    (tmp_path / "flow.yaml").write_text(text)
    run = flowlint("check", "--fix", "--unsafe-fixes")
    assert run.code == 0, run.out
    after = (tmp_path / "flow.yaml").read_text()
    assert yaml.safe_load(after) == CURED
    assert after.startswith("# kept\n")


def test_a_file_that_changed_meanwhile_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flow = tmp_path / "flow.py"
    flow.write_text(DANGLING)
    result = check(["."], Options(jobs=1))
    flow.write_text("# " + DANGLING)
    fixed = fix(["."], Options(jobs=1), {"safe"}, result=result)
    assert fixed.after == {}
    assert fixed.refused == {"flow.py": "was changed while it was checked, so it is not written"}


def test_what_changed_before_it_is_written_is_kept(tmp_path: Path) -> None:
    flow = tmp_path / "flow.py"
    flow.write_text("new")
    with pytest.raises(OSError, match="was changed"):
        replace_file(str(flow), b"fixed", b"old")
    assert flow.read_text() == "new"
    assert os.listdir(tmp_path) == ["flow.py"]


def test_a_fix_that_breaks_a_file_is_not_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flow.py").write_text(DANGLING)
    result = check(["."], Options(jobs=1))
    broken = [replace(found, fix=_unsound(found)) for found in result.findings]
    fixed = fix(["."], Options(jobs=1), {"safe"}, result=replace(result, findings=tuple(broken)))
    assert fixed.after == {}
    assert "please report" in fixed.refused["flow.py"]


def _unsound(finding: Finding) -> Fix:
    assert finding.fix is not None
    return replace(finding.fix, edits=(Edit(finding.span, '"('),))


def test_fixes_for_display_are_never_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flow.py").write_text(DANGLING)
    result = check(["."], Options(jobs=1))
    shown = [
        replace(found, fix=replace(found.fix, safety="display-only"))
        for found in result.findings
        if found.fix is not None
    ]
    assert shown
    fixed = fix(
        ["."], Options(jobs=1), {"safe", "unsafe"}, result=replace(result, findings=tuple(shown))
    )
    assert fixed.after == {}
