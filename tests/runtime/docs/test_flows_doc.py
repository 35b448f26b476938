"""What docs/runtime/flows.md says: its tables are those of the checker, its snippets run."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from flow_tables import DOC, TABLE, written
from flowrt.actions import all_actions
from flowrt.registry import BUILT_IN_KINDS, find_kind
from flowrt_program import run_flowrt

TEXT = DOC.read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
NAMED = {
    match[1]: code for _, code in BLOCKS if (match := re.match(r"# (\w+\.py)\n", code)) is not None
}
PAIRS = [
    (one[1], other[1])
    for one, other in pairwise(BLOCKS)
    if (one[0], other[0]) == ("python", "yaml")
]
SCRIPTS = [code for language, code in BLOCKS if language == "python"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the modules that other snippets import."""
    for name, code in NAMED.items():
        (tmp_path / name).write_text(code)
    return tmp_path


def test_there_is_something_to_see() -> None:
    assert len(PAIRS) >= 10
    assert len(PAIRS) == sum(language == "yaml" for language, _ in BLOCKS)
    assert sorted(NAMED) == ["acme.py", "steps.py"]


def test_the_tables_are_those_of_the_checker() -> None:
    """They are written anew by `python tests/runtime/docs/flow_tables.py`."""
    assert written(TEXT) == TEXT


def test_every_kind_and_action_is_told() -> None:
    marks = {match["what"] for match in TABLE.finditer(TEXT)}
    kinds = [find_kind(name) for name in BUILT_IN_KINDS]
    configured = {f"config {kind.name}" for kind in kinds if kind and kind.config}
    plain = {f"config {name}" for name in ("step", "gate", "loop", "start", "end")}
    assert configured - plain <= marks
    assert {f"action {a.name}" for a in all_actions() if "." not in a.name} <= marks
    kinds_table = TEXT.partition("### Kinds")[2].partition("Functions may")[0]
    assert [name for name in BUILT_IN_KINDS if f"`{name}`" not in kinds_table] == []


@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_what_stands_side_by_side_is_the_same_flow(folder: Path, number: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SAME, *PAIRS[number]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


SAME = """
import sys
from pathlib import Path

from flowrt import Flow, to_dict
from flowrt.definition.load import load_file

sys.path.insert(0, ".")
import steps

Path("made.py").write_text(sys.argv[1])
Path("data.yaml").write_text(sys.argv[2])
import made

flows = {value.name: value for value in vars(made).values() if isinstance(value, Flow)}
assert flows
for name, flow in flows.items():
    ours, theirs = to_dict(flow), to_dict(load_file(f"data.yaml:{name}"))
    assert ours == theirs, f"{ours}\\n{theirs}"
"""


@pytest.mark.parametrize("number", range(len(SCRIPTS)))
def test_what_is_python_runs(folder: Path, number: int) -> None:
    (folder / "script.py").write_text(SCRIPTS[number])
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_module_of_functions_is_enough_for_the_program(folder: Path) -> None:
    (folder / "triage.yaml").write_text(PAIRS[0][1])
    checked = run_flowrt("check", "triage.yaml", "--module", "steps", cwd=folder)
    assert (checked.code, checked.err) == (0, ""), checked.out
    ran = run_flowrt(
        "run", "triage.yaml", "--module", "steps", "--input-json", '{"text": "hi"}', cwd=folder
    )
    assert ran.state == {"text": "hi", "urgent": False, "answer": "soon"}
