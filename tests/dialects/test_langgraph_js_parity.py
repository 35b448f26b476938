"""Builders of LangGraph.js made at random: it refuses those of which we say that it does.

Runs where a folder with the package is named by `FLOWLINT_LANGGRAPH_JS`.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from flowlint.findings.model import Finding
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

pytestmark = pytest.mark.skipif(
    "FLOWLINT_LANGGRAPH_JS" not in os.environ, reason="needs @langchain/langgraph"
)

PRELUDE = """
import { Annotation, Command, END, START, StateGraph } from "@langchain/langgraph";
const State = Annotation.Root({
  text: Annotation,
  log: Annotation({ reducer: (x, y) => x.concat(y), default: () => [] }),
});
const step = (state) => ({ log: ["x"] });
"""
RUNNER = """
const outcomes = [];
const tried = (build) => {
  try {
    build();
    outcomes.push(null);
  } catch (error) {
    outcomes.push(error.message);
  }
};
"""
WRONG = ('"zz"', "START", "END", '"END"', '"a:b"', '"text"')
COUNT = 400


def test_what_is_refused_is_told_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(7)
    programs = [builder(chance) for _ in range(COUNT)]
    monkeypatch.chdir(tmp_path)
    outcomes = run(programs, tmp_path)
    refused = 0
    for program, outcome in zip(programs, outcomes, strict=True):
        Path("flow.mjs").write_text(f"{PRELUDE}export const flow = {program};\n")
        findings = analyse_file("flow.mjs", ProjectFiles(), ".").findings
        names = {finding.name for finding in findings if refuses(finding)}
        # Without an entry nothing runs, whether or not some node is refused for that.
        wanted = outcome is not None or names == {"missing-entry"}
        assert bool(names) == wanted, f"{outcome}\n{program}\n{names}"
        refused += outcome is not None
    assert COUNT // 4 < refused < COUNT * 3 // 4


def refuses(finding: Finding) -> bool:
    builds = ("compile()", "addNode()", "addEdge()", "addConditionalEdges()", "adding the second")
    is_refusal = any(f"{what} " in finding.message for what in builds) and (
        "raises" in finding.message
    )
    return finding.severity == "error" and (is_refusal or finding.name == "missing-entry")


def run(programs: list[str], folder: Path) -> list[str | None]:
    """What LangGraph.js says to each, None where it takes it."""
    home = Path(os.environ["FLOWLINT_LANGGRAPH_JS"])
    (folder / "node_modules").symlink_to(home / "node_modules")
    tried = "".join(f"tried(() => {program});\n" for program in programs)
    end = "console.log(JSON.stringify(outcomes));\nprocess.exit(0);\n"
    (folder / "all.mjs").write_text(PRELUDE + RUNNER + tried + end)
    node = shutil.which("node")
    assert node is not None
    done = subprocess.run([node, "all.mjs"], capture_output=True, text=True, check=True)
    outcomes: list[str | None] = json.loads(done.stdout)
    return outcomes


def builder(chance: random.Random) -> str:
    names = chance.sample("abcdefg", chance.randint(2, 5))
    calls = [*nodes(chance, names), *edges(chance, names)]
    if chance.random() < 0.15:
        chance.shuffle(calls)
    options = f"{{ interruptBefore: [{name(chance, names)}] }}" if chance.random() < 0.1 else ""
    return "\n  .".join(["new StateGraph(State)", *calls, f"compile({options})"])


def name(chance: random.Random, names: list[str], wrong: float = 0.03) -> str:
    return chance.choice(WRONG) if chance.random() < wrong else f'"{chance.choice(names)}"'


def target(chance: random.Random, names: list[str]) -> str:
    return "END" if chance.random() < 0.25 else name(chance, names)


def nodes(chance: random.Random, names: list[str]) -> Iterator[str]:
    for one in names:
        ends = ", ".join(target(chance, names) for _ in range(chance.randint(1, 2)))
        options = f", {{ ends: [{ends}] }}" if chance.random() < 0.2 else ""
        yield f"addNode({name(chance, [one])}, step{options})"
    if chance.random() < 0.05:
        yield f'addNode("{chance.choice(names)}", step)'


def edges(chance: random.Random, names: list[str]) -> Iterator[str]:
    if chance.random() < 0.95:
        yield f"addEdge(START, {name(chance, names[:2])})"
    for source, following in itertools.pairwise(names):
        if chance.random() < 0.85:
            yield f'addEdge("{source}", {name(chance, [following])})'
    for _ in range(chance.randint(0, 3)):
        source = name(chance, names)
        targets = [target(chance, names) for _ in range(chance.randint(1, 3))]
        router = f"(state) => (state.text ? {targets[0]} : {targets[-1]})"
        cases = ", ".join(f"[{one}]: {one}" for one in targets)
        yield chance.choice(
            (
                f"addEdge({source}, {target(chance, names)})",
                f"addEdge([{source}, {name(chance, names)}], {name(chance, names)})",
                f"addConditionalEdges({source}, {router})",
                f"addConditionalEdges({source}, {router}, [{', '.join(targets)}])",
                f"addConditionalEdges({source}, {router}, {{ {cases} }})",
                f"setFinishPoint({source})",
            )
        )
