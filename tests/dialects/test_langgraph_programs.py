"""Tiny programs with what the real LangGraph made of them, kept as facts in a file beside this one.

Each line holds a program with its outcome: what it `raises`, or its `result`; whether it `logs` a
warning; and the `fault` of one that goes wrong without either. `told` is all that is found in it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from langgraph_parity import outcomes

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

PRELUDE = """
import enum, operator
from typing import *
from typing_extensions import TypedDict
from langgraph.graph import StateGraph, START, END, MessagesState
from langgraph.types import Command, Send, interrupt, Overwrite
from langgraph.errors import *


class S(TypedDict, total=False):
    x: int
    l: Annotated[list, operator.add]


def n(name, **upd):
    def f(s: S): return {"l":[name], **upd}
    f.__name__=name
    return f


def rep(name, f):
    return f()


"""
FACTS = Path(__file__).with_name("langgraph_programs.jsonl")
ROWS: list[dict[str, Any]] = [json.loads(line) for line in FACTS.read_text("utf-8").splitlines()]
COUNT = 96


def program(row: dict[str, Any], *, runs: bool) -> str:
    """The whole program, whose `run` ends as the row says; it may also be called."""
    code = row["code"]
    head = re.match(r"def (\w+)\((\w*)\)", code)
    if head is None:
        run = "def run():\n    return " + code.strip() + "\n"
    elif head[2]:
        run = (
            f"{code}\n\ndef run():\n    g = StateGraph(S)\n    {head[1]}(g)\n"
            "    return g.compile().invoke({'l': []})\n"
        )
    else:
        run = f"{code}\n\ndef run():\n    return {head[1]}()\n"
    return PRELUDE + row.get("before", "") + "\n\n" + run + ("\n\nrun()\n" if runs else "")


def goes_wrong(row: dict[str, Any]) -> bool:
    return "raises" in row or "logs" in row or "fault" in row


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["case"].replace(" ", "-"))
def test_told(row: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flow.py").write_text(program(row, runs=True))
    findings = analyse_file("flow.py", ProjectFiles(), ".").findings
    assert sorted({f"{f.severity} {f.name}" for f in findings}) == row["told"]


def test_all_that_goes_wrong_is_told_and_nothing_else() -> None:
    assert len(ROWS) == COUNT
    told = [any(not found.startswith("info ") for found in row["told"]) for row in ROWS]
    assert told == [goes_wrong(row) for row in ROWS]


def test_what_raises_while_it_is_built_is_an_error() -> None:
    """What only goes wrong in the run may be a warning."""
    building = ("ValueError", "TypeError", "RuntimeError")
    for row in ROWS:
        if row.get("raises") in building:
            assert any(found.startswith("error ") for found in row["told"]), row["case"]


def test_the_real_one_does_so_still() -> None:
    for row, real in zip(ROWS, outcomes([program(r, runs=False) for r in ROWS]), strict=True):
        assert real["raises"] == row.get("raises"), row["case"]
        assert bool(real["logs"]) == row.get("logs", False), row["case"]
        if "result" in row:
            result = re.sub(r"0x[0-9a-f]+|id='[0-9a-f]+'", "…", real["result"])
            assert _without_modules(result) == _without_modules(row["result"]), row["case"]


def _without_modules(result: str) -> str:
    return re.sub(r"<[\w.]+ object", "<object", result)
