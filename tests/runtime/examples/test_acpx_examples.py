"""acpx's example flows in flowrt: their graphs, and the small ones run by the program."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from acpx_shapes import SHAPES
from example_runs import EXAMPLES, events, findings, result, resume_example, run_example
from flowrt_program import Flowrt, Run

ANSWERS = EXAMPLES / "acpx" / "answers"


def agent(name: str) -> tuple[str, str]:
    """The scripted agent with the answers of an example."""
    program = EXAMPLES / "agents" / "scripted_agent.py"
    return "--agent", f"{sys.executable} {program} --script {ANSWERS / name}.json"


def completed(run: Run) -> dict[str, Any]:
    assert run.code == 0, run.out + run.err
    ended = result(run)
    assert ended["status"] == "completed"
    return ended


def test_the_flows_are_free_of_faults(flowrt: Flowrt) -> None:
    assert findings("acpx") == []
    for file in SHAPES:
        run = flowrt("check", str(EXAMPLES / "acpx" / file))
        assert (run.code, run.err) == (0, "")


@pytest.mark.parametrize("file", SHAPES)
def test_the_graph_is_that_of_acpx(flowrt: Flowrt, file: str) -> None:
    """acpx.md e: nodes with their kinds, edges and cases of its own examples."""
    shape = SHAPES[file]
    path = str(EXAMPLES / "acpx" / file)
    (graph,) = json.loads(flowrt("graph", path, "--format", "json").out)["graphs"]
    assert graph["entry"] == [shape.start]
    assert {node["name"]: node["kind"] for node in graph["nodes"]} == shape.nodes
    drawn = [(edge["source"], edge["target"], edge["label"]) for edge in graph["edges"]]
    cases = [
        (source, target, case)
        for source, switch in shape.switches.items()
        for case, target in switch.items()
    ]
    assert sorted(drawn, key=str) == sorted(
        [(source, target, None) for source, target in shape.direct] + cases, key=str
    )


def test_the_graph_of_triage_has_the_size_that_was_recorded() -> None:
    shape = SHAPES["pr_triage/flow.py"]
    assert (len(shape.nodes), len(shape.direct), len(shape.switches)) == (26, 12, 13)


def test_echo_hands_the_answer_on(flowrt: Flowrt) -> None:
    run = run_example(flowrt, "acpx/echo.yaml", {"request": "hello"}, *agent("branch"))
    ended = completed(run)
    assert ended["path"] == ["reply", "finalize"]
    assert ended["state"]["result"] == {"request": "hello", "reply": "You said: hello"}


def test_echo_without_an_agent_says_what_is_lacking(flowrt: Flowrt) -> None:
    run = run_example(flowrt, "acpx/echo.yaml", {"request": "hello"})
    assert run.code == 2
    assert "needs the default agent" in result(run)["error"]["message"]


def test_branch_goes_on(flowrt: Flowrt) -> None:
    run = run_example(flowrt, "acpx/branch.yaml", {"request": "rename it"}, *agent("branch"))
    ended = completed(run)
    assert ended["path"] == ["classify", "continue_lane"]
    assert ended["state"]["judgement"]["route"] == "continue"
    assert ended["state"]["plan"] == "First I write a test that fails."


def test_branch_waits_for_a_human(flowrt: Flowrt) -> None:
    """acpx.md b, checkpoint: the run waits; here it can be gone on with, too."""
    run = run_example(flowrt, "acpx/branch.yaml", {"request": "drop it"}, *agent("branch"))
    assert run.code == 3
    assert result(run)["status"] == "waiting"
    assert result(run)["path"] == ["classify"]
    assert result(run)["waiting_on"] == ["checkpoint_lane"]
    shown = flowrt("show", "r1").out
    assert "checkpoint_lane: it destroys data that nobody can bring back" in shown
    ended = completed(resume_example(flowrt, "--signal", 'checkpoint_lane={"go": false}'))
    assert ended["path"] == ["classify", "checkpoint_lane"]
    assert ended["state"]["decision"] == {"go": False}
    assert "plan" not in ended["state"]


def test_shell_runs_the_command_itself(flowrt: Flowrt) -> None:
    text = "quiet; please $(touch here)"
    run = run_example(flowrt, "acpx/shell.json", {"text": text})
    ended = completed(run)
    assert ended["path"] == ["transform", "finalize"]
    assert ended["state"]["result"] == {"text": text.upper(), "length": len(text)}


def test_workdir_gives_the_agent_a_folder_of_its_own(flowrt: Flowrt, tmp_path: Path) -> None:
    """acpx.md b, sessions: a cwd for each node, from the output of another."""
    ended = completed(run_example(flowrt, "acpx/workdir.py", {}, *agent("workdir")))
    assert ended["path"] == ["prepare_workspace", "inspect_workspace", "finalize"]
    (workspace,) = (tmp_path / "workspaces").iterdir()
    assert ended["state"]["result"] == {
        "made": f"workspaces/{workspace.name}",
        "seen": {"cwd": str(workspace), "files": "note.txt"},
    }


def test_two_turn_stays_in_one_session(flowrt: Flowrt) -> None:
    """acpx.md b, sessions: one main session for a run."""
    run = run_example(flowrt, "acpx/two_turn.py", {"topic": "exits"}, *agent("two_turn"))
    ended = completed(run)
    first = "1: a small project"
    second = f"2: a note that fits '{first}'"
    third = f"3: an ending is lacking in '{second}'"
    assert ended["state"]["result"] == {"text": f"4: done, as '{third}'"}
    assert ended["path"] == list(SHAPES["two_turn.py"].nodes)
    assert len({event["data"]["session"]["id"] for event in events(run, "session_bound")}) == 1
