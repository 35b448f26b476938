"""AgentsFlow's refund approval, as data and in Python, with agents that speak ACP over stdio."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from example_runs import EXAMPLES, events, findings, result, resume_example, run_example
from flowrt.definition.export import to_dict
from flowrt.definition.load import load_file
from flowrt_program import Flowrt, Run

FOLDER = EXAMPLES / "agentsflow"
DATA = "agentsflow/refund_approval.yaml"
PYTHON = "agentsflow/refund_approval.py"
LARGE = ["start", "classifier", "large_refund_drafter", "approver_gate"]


def agents(folder: Path) -> list[str]:
    """Options that let one program play all agents; it keeps its sessions in a file."""
    program = [sys.executable, str(EXAMPLES / "agents" / "scripted_agent.py")]
    answers = ["--script", str(FOLDER / "refund_answers.json")]
    command = shlex.join([*program, *answers, "--memory", str(folder / "sessions.json")])
    return ["--agent", command, "--agent", f"approver={command}"]


@pytest.fixture
def told(tmp_path: Path) -> list[str]:
    return agents(tmp_path)


def request(number: int) -> dict[str, Any]:
    return {"request": f"Process refund #{number}"}


def completed(run: Run) -> list[str]:
    return [event["node"] for event in events(run, "node_completed")]


def test_the_flow_is_free_of_faults() -> None:
    assert findings("agentsflow") == []


@pytest.mark.parametrize("file", [DATA, PYTHON])
def test_it_passes_the_check_of_the_runtime(flowrt: Flowrt, file: str) -> None:
    run = flowrt("check", str(EXAMPLES / file))
    assert (run.code, run.err) == (0, "")


def test_data_and_python_say_the_same(flowrt: Flowrt) -> None:
    as_data, in_python = load_file(f"{EXAMPLES / DATA}"), load_file(f"{EXAMPLES / PYTHON}")
    assert to_dict(as_data) == to_dict(in_python)
    graphs = [flowrt("graph", str(EXAMPLES / file), "--format", "json") for file in (DATA, PYTHON)]
    assert [run.code for run in graphs] == [0, 0]
    assert graphs[0].out == graphs[1].out
    assert [edge["target"] for edge in json.loads(graphs[0].out)["graphs"][0]["edges"]][:4] == [
        "classifier",
        "small_refund",
        "large_refund_drafter",
        "recovery",
    ]


@pytest.mark.parametrize(
    ("number", "path", "letter", "decision"),
    [
        (84120, ["start", "classifier", "small_refund", "end"], "We have paid it back.", None),
        (84119, [*LARGE, "end"], "The goods were broken.", "YES"),
        (
            84122,
            [*LARGE, "escalation_handler", "end"],
            "We cannot pay it back. My draft was: The customer says it was never ordered.",
            "NO",
        ),
    ],
)
def test_both_forms_end_alike(
    flowrt: Flowrt,
    told: list[str],
    number: int,
    path: list[str],
    letter: str,
    decision: str | None,
) -> None:
    runs = [
        flowrt("run", str(EXAMPLES / file), "--format", "json", *told,
               "--input-json", json.dumps(request(number)))
        for file in (DATA, PYTHON)
    ]  # fmt: skip
    for run in runs:
        assert run.code == 0, run.out
        assert result(run)["path"] == path
        state = result(run)["state"]
        assert state["letter"] == letter
        assert state.get("approval", {}).get("decision") == decision
        assert state.get("approval", {}).get("escalated", False) is False
        assert "INFO: metric refund.amount=" in run.err
    assert result(runs[0])["state"] == result(runs[1])["state"]
    skipped = {"small_refund", "recovery", "large_refund_drafter", "approver_gate",
               "escalation_handler"} - set(path)  # fmt: skip
    assert set(result(runs[0])["skipped"]) == skipped


@pytest.mark.parametrize(
    ("number", "error"),
    [(84123, 'InvalidValueError: .* "a lot" is not of type "number"'), (7, "ParseError: .*")],
)
def test_a_classifier_that_fails_twice_leads_to_recovery(
    flowrt: Flowrt, told: list[str], number: int, error: str
) -> None:
    run = run_example(flowrt, DATA, request(number), *told)
    assert run.code == 0
    assert result(run)["path"] == ["start", "recovery", "end"]
    assert result(run)["state"] == {**request(number), "letter": "Somebody will write to you."}
    assert [event["attempt"] for event in events(run, "node_failed")] == [2]
    assert re.fullmatch(error, events(run, "node_failed")[0]["data"]["error"])


class TestHuman:
    """The coordinator says yes with a confidence of 0.6, below the 0.75 that it needs."""

    def asked(self, flowrt: Flowrt, told: list[str], file: str = DATA) -> Run:
        run = run_example(flowrt, file, request(84121), *told)
        assert run.code == 3
        assert result(run)["waiting_on"] == ["finance"]
        return run

    def test_nothing_is_decided_until_a_human_answers(
        self, flowrt: Flowrt, told: list[str]
    ) -> None:
        run = self.asked(flowrt, told)
        assert completed(run) == LARGE[:-1]
        shown = flowrt("show", "r1").out
        assert "finance: Refund 900 EUR?" in shown
        assert "options: YES, NO" in shown
        again = resume_example(flowrt)
        assert (again.code, result(again)["waiting_on"]) == (3, ["finance"])

    @pytest.mark.parametrize("file", [DATA, PYTHON])
    def test_yes_pays(self, flowrt: Flowrt, told: list[str], file: str) -> None:
        self.asked(flowrt, told, file)
        run = resume_example(flowrt, "--signal", 'finance="yes"')
        assert run.code == 0
        assert result(run)["path"] == [*LARGE, "end"]
        approval = result(run)["state"]["approval"]
        assert (approval["decision"], approval["escalated"]) == ("YES", True)
        assert approval["reason"] == "confidence 0.60 is below 0.75"
        assert completed(run) == ["approver_gate", "end"]

    @pytest.mark.parametrize("file", [DATA, PYTHON])
    def test_no_tells_the_customer(self, flowrt: Flowrt, told: list[str], file: str) -> None:
        """The handler goes on with the session in which the case was drafted, in a new process."""
        self.asked(flowrt, told, file)
        run = resume_example(flowrt, "--signal", 'finance="NO"')
        assert run.code == 0
        assert result(run)["path"] == [*LARGE, "escalation_handler", "end"]
        assert result(run)["state"]["approval"]["votes"][0]["decision"] == "YES"
        assert result(run)["state"]["letter"] == (
            "We cannot pay it back. My draft was: A good customer has changed their mind."
        )

    def test_silence_is_no(self, flowrt: Flowrt, told: list[str], tmp_path: Path) -> None:
        """The flow as it is, but with a human who has no time at all."""
        text = (EXAMPLES / DATA).read_text()
        hasty = text.replace("timeout: 900", "timeout: 1ms")
        assert hasty != text
        (tmp_path / "hasty.yaml").write_text(hasty)
        self.asked(flowrt, told, str(tmp_path / "hasty.yaml"))
        run = resume_example(flowrt)
        assert run.code == 0
        assert result(run)["path"] == [*LARGE, "escalation_handler", "end"]
        approval = result(run)["state"]["approval"]
        assert (approval["decision"], approval["escalated"]) == ("NO", True)
        assert approval["reason"].endswith("no human answered in time, the fallback was taken")


def test_without_an_approver_nothing_is_paid(flowrt: Flowrt, told: list[str]) -> None:
    run = run_example(flowrt, DATA, request(84119), *told[:2])
    assert run.code == 2
    assert len(run.lines) == 1
    assert "node `approver_gate`" in result(run)["error"]["message"]
    assert "no voter `approver`" in result(run)["error"]["message"]
