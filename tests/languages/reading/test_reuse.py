"""A file that is read again after an edit gives what it would give when read for the first time."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from flowlint.languages.python.evaluation import program
from flowlint.pipeline import FileResult, analyse_file
from flowlint.project.files import ProjectFiles

ROOT = Path(__file__).parents[3]
MODULES = sorted((ROOT / "examples").glob("*/*.py"))
EDITS = int(os.environ.get("FLOWLINT_EDITS", "100"))
"""Edits to each module."""

PIECES = (
    "\n", "    ", "(", ")", '"', "x", "#", "return None\n", "\n\ndef more(state):\n    return {}\n",
    "publish", "END", ", ", "= ", "state", "if True:\n    pass\n", "😋", "[]", "TABLE = {}\n",
    "del x\n",
)  # fmt: skip


def edited(text: str, rng: random.Random) -> str:
    """The text after somebody typed, deleted, pasted or moved something."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((0, 0, 0, 1, 1, 4, 30)))
    lines = text.splitlines(keepends=True)
    match rng.randrange(6):
        case 0 if lines:
            line = rng.randrange(len(lines))
            return "".join((*lines[:line], rng.choice(lines), *lines[line:]))
        case 1 if lines:
            line = rng.randrange(len(lines))
            return "".join((*lines[:line], *lines[line + 1 :]))
        case _:
            return text[:start] + rng.choice(PIECES) + text[end:]


def analysed(path: str, text: str, around: dict[str, bytes]) -> FileResult:
    return analyse_file(path, ProjectFiles({**around, path: text.encode()}), str(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_edits(path: Path) -> None:
    rng = random.Random(path.stem)
    original = path.read_text()
    text, former = original, [original]
    for _ in range(EDITS):
        text = rng.choice(former[-5:]) if rng.random() < 0.2 else edited(text, rng)
        if rng.random() < 0.05:
            text = original
        former.append(text)
        again = analysed(str(path), text, {})
        remembered = dict(program._remembered)
        program._remembered.clear()
        first = analysed(str(path), text, {})
        assert again == first, text
        program._remembered.clear()
        program._remembered.update(remembered)


def test_a_statement_of_the_same_text(tmp_path: Path) -> None:
    path = str(tmp_path / "flow.py")
    around = {str(tmp_path / "helper.py"): b'KEYS = {"a": 1}\n'}
    line = 'builder.add_node("work", work)\n'
    assert not named(analysed(path, FLOW, around), "duplicate-node")
    twice = FLOW.replace(line, f"{line}builder.add_node('more', work)\n{line}")
    (found,) = [
        one for one in analysed(path, twice, around).findings if one.name == "duplicate-node"
    ]
    assert found.span.line == found.related[0].span.line + 2


def test_what_a_function_reads_elsewhere_counts(tmp_path: Path) -> None:
    flow, helper = str(tmp_path / "flow.py"), str(tmp_path / "helper.py")
    text = FLOW
    around = {helper: b'KEYS = {"a": 1}\n'}
    assert not named(analysed(flow, text, around), "unknown-state-key")
    around = {helper: b'KEYS = {"b": 1}\n'}
    assert named(analysed(flow, text + "\n", around), "unknown-state-key")
    around = {helper: b'KEYS = {"a": 1}\n'}
    assert not named(analysed(flow, text, around), "unknown-state-key")


@pytest.mark.parametrize("first", [{}, {"helper.py": b"KEYS = False\n"}], ids=["gone", "there"])
@pytest.mark.parametrize("where", ["top", "function"])
def test_files_that_come_and_go_count(tmp_path: Path, first: dict[str, bytes], where: str) -> None:
    flow = str(tmp_path / "flow.py")
    line = "from helper import KEYS\n"
    text = FLOW.replace("return KEYS", 'if KEYS:\n        return {"a": 1}\n    return {"b": 1}')
    if where == "function":
        text = text.replace(line, "").replace("    if KEYS", f"    {line}    if KEYS")
    text = text.replace('("work", work)', '("work", work).add_node("more", more)')
    text = text.replace(
        "builder =", f"{text[text.index('def work') : text.index('builder =')]}builder =", 1
    )
    text = text.replace("def work", "def more", 1)
    for around in (first, {"helper.py": b"KEYS = True\n"}, first):
        files = {str(tmp_path / name): data for name, data in around.items()}
        again = analysed(flow, text, files)
        remembered = dict(program._remembered)
        program._remembered.clear()
        assert again == analysed(flow, text, files)
        program._remembered.clear()
        program._remembered.update(remembered)
        assert named(again, "unknown-state-key") == (around is first)


def test_what_a_function_names_counts(tmp_path: Path) -> None:
    flow = str(tmp_path / "flow.py")
    around = {str(tmp_path / "helper.py"): b'KEYS = {"a": 1}\n'}
    text = FLOW.replace("return KEYS", "return {NAME: 1}").replace(
        "class", 'NAME = "a"\n\n\nclass', 1
    )
    assert not named(analysed(flow, text, around), "unknown-state-key")
    assert named(
        analysed(flow, text.replace('NAME = "a"', 'NAME = "b"'), around), "unknown-state-key"
    )
    assert not named(analysed(flow, text, around), "unknown-state-key")


def named(result: FileResult, name: str) -> bool:
    return any(finding.name == name for finding in result.findings)


FLOW = """
from typing import TypedDict

from langgraph.graph import END, START, StateGraph

from helper import KEYS


class State(TypedDict):
    a: int


def work(state: State):
    return KEYS


builder = StateGraph(State)
builder.add_node("work", work)
builder.add_edge(START, "work")
builder.add_edge("work", END)
graph = builder.compile()
"""
