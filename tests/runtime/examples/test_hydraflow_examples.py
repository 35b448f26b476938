"""The pipelines of HydraFlow's ADR, run by the program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from example_runs import (
    EXAMPLES,
    events,
    findings,
    names,
    result,
    resume_example,
    run_example,
)
from flowrt_program import Flowrt

FOLDER = EXAMPLES / "hydraflow"
HOME = {"PYTHONPATH": str(FOLDER)}

ROUND = ["build", "verify", "gate"]
SOURCES = [
    {"name": "runbook", "text": "Deploys run on Tuesdays. Alarms go to the duty phone."},
    {"name": "notes", "text": "A rollback of deploys takes five minutes."},
]

PHASES: dict[str, dict[str, Any]] = {
    "wiki_compilation": {"topic": "deploys", "sources": SOURCES},
    "implement": {"criteria": {"greets": "say hello"}},
    "plan": {"issue": "Login is slow"},
    "review": {"diff": "test and docs"},
    "triage": {"issue": "The login is broken"},
    "adversarial": {"claim": "It is faster: measured and repeated."},
}


def phase(flowrt: Flowrt, name: str, state: Any, *arguments: str) -> dict[str, Any]:
    """Run a pipeline to its end."""
    run = run_example(flowrt, f"hydraflow/{name}.py", state, *arguments)
    assert run.code == 0, run.out
    return result(run)


def write(folder: Path, text: str) -> str:
    """A module with a pipeline of the examples, built with something else in it."""
    (folder / "mine.py").write_text(text)
    return str(folder / "mine.py")


def test_the_pipelines_are_free_of_faults() -> None:
    assert findings("hydraflow") == []


@pytest.mark.parametrize("name", PHASES)
def test_each_pipeline_passes_the_check_of_the_runtime(flowrt: Flowrt, name: str) -> None:
    run = flowrt("check", str(FOLDER / f"{name}.py"))
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(f"No faults found: flow {name} in ")


@pytest.mark.parametrize("name", PHASES)
def test_the_kill_switch_halts_each_pipeline_until_it_is_resumed(
    flowrt: Flowrt, tmp_path: Path, name: str
) -> None:
    (tmp_path / "STOP").touch()
    halted = run_example(flowrt, f"hydraflow/{name}.py", PHASES[name])
    assert halted.code == 4
    entry = result(halted)["halted_at"]
    assert (result(halted)["path"], result(halted)["terminal"]) == ([], None)
    (tmp_path / "STOP").unlink()
    resumed = resume_example(flowrt)
    assert resumed.code == 0
    assert (result(resumed)["path"][0], result(resumed)["terminal"]) == (entry, "done")


class TestImplement:
    def test_it_builds_until_nothing_is_left(self, flowrt: Flowrt, tmp_path: Path) -> None:
        wanted = {"greets": "say hello", "ends": "say goodbye"}
        ended = phase(flowrt, "implement", {"criteria": wanted})
        assert ended["path"] == ["decompose", *ROUND, *ROUND, "open-pr", "done"]
        assert ended["state"]["pull_request"] == "greets: say hello\nends: say goodbye"
        assert ended["state"]["handed_to"] == "review"
        kept = (tmp_path / ".flowrt" / "implement.jsonl").read_text().splitlines()
        assert names(kept) == ended["path"]
        assert json.loads(kept[-1])["state"] == ended["state"]

    def test_no_progress_ends_it_at_once(self, flowrt: Flowrt) -> None:
        wanted = {"greets": "say hello", "is nice": None, "ends": "say goodbye"}
        ended = phase(flowrt, "implement", {"criteria": wanted})
        assert ended["path"] == ["decompose", *ROUND, *ROUND, "done"]
        assert ended["state"]["reason"] == "no progress on: is nice"
        assert ended["state"]["built"] == {"greets": "greets: say hello"}
        assert ended["state"]["handed_to"] == "human"

    def test_nothing_to_build_is_for_a_human(self, flowrt: Flowrt) -> None:
        ended = phase(flowrt, "implement", {})
        assert ended["path"] == ["decompose", "done"]
        assert ended["state"]["handed_to"] == "human"

    def test_telemetry_tells_each_node(self, flowrt: Flowrt) -> None:
        run = run_example(flowrt, "hydraflow/implement.py", {"criteria": {"greets": "hello"}})
        told = [line for line in run.err.splitlines() if line.startswith("[telemetry] ")]
        assert [line.split()[1].rstrip(":") for line in told] == result(run)["path"]

    def test_the_step_limit_is_an_error(self, flowrt: Flowrt, tmp_path: Path) -> None:
        many = {f"part {number}": "do it" for number in range(20)}
        run = run_example(flowrt, "hydraflow/implement.py", {"criteria": many})
        assert run.code == 1
        assert "took its 40 steps (max_steps)" in result(run)["error"]["message"]
        kept = (tmp_path / ".flowrt" / "implement.jsonl").read_text().splitlines()
        assert len(kept) == 40

    def test_a_failed_build_is_not_kept_and_is_tried_again(
        self, flowrt: Flowrt, tmp_path: Path
    ) -> None:
        file = write(tmp_path, FAILING_WORKER)
        given = {"criteria": {"greets": "say hello"}}
        failed = flowrt("run", file, "--run-id", "r1", "--input-json", json.dumps(given), env=HOME)
        assert failed.code == 1
        assert "node `build` of flow `mine` failed: ConnectionError: no agent" in failed.err
        kept = tmp_path / "kept.jsonl"
        assert names(kept.read_text().splitlines()) == ["decompose"]
        (tmp_path / "agent").touch()
        resumed = resume_example(flowrt, env=HOME)
        assert resumed.code == 0
        assert result(resumed)["path"] == ["decompose", *ROUND, "open-pr", "done"]
        assert names(kept.read_text().splitlines()) == result(resumed)["path"]

    def test_it_is_halted_in_the_middle_and_goes_on_there(
        self, flowrt: Flowrt, tmp_path: Path
    ) -> None:
        file = write(tmp_path, STOPPING_WORKER)
        given = ("--run-id", "r1", "--format", "json", "--input-json")
        state = json.dumps({"criteria": {"greets": "say hello"}})
        halted = flowrt("run", file, *given, state, env=HOME)
        assert halted.code == 4
        assert result(halted)["path"] == ["decompose", "build"]
        assert result(halted)["halted_at"] == "verify"
        (tmp_path / "STOP").unlink()
        resumed = resume_example(flowrt, env=HOME)
        assert resumed.code == 0
        ran = [event["node"] for event in events(resumed, "node_completed")]
        assert ran == ["verify", "gate", "open-pr", "done"]
        assert result(resumed)["state"]["pull_request"] == "built"


FAILING_WORKER = """
from pathlib import Path

from flowrt import jsonl_checkpoint
from implement import ImplementPhase


class Worker:
    async def build(self, criterion, spec):
        if not Path("agent").exists():
            raise ConnectionError("no agent")
        return spec


flow = ImplementPhase(Worker()).build_implement_flow(checkpoint=jsonl_checkpoint("kept.jsonl"))
"""

STOPPING_WORKER = """
from implement import ImplementPhase
from stopping import KILL_SWITCH, asked_to_halt


class Worker:
    async def build(self, criterion, spec):
        KILL_SWITCH.touch()
        return "built"


flow = ImplementPhase(Worker()).build_implement_flow(kill_switch=asked_to_halt)
"""


class TestWiki:
    def test_claims_become_a_page(self, flowrt: Flowrt) -> None:
        ended = phase(flowrt, "wiki_compilation", PHASES["wiki_compilation"])
        assert ended["path"] == ["extract", "verify", "synthesize", "validate", "done"]
        assert ended["state"]["page"].splitlines() == [
            "# deploys",
            "- Deploys run on Tuesdays [runbook]",
            "- A rollback of deploys takes five minutes [notes]",
        ]
        assert (ended["state"]["dropped"], ended["state"]["valid"]) == (0, True)

    def test_sources_that_say_nothing_end_it(self, flowrt: Flowrt) -> None:
        ended = phase(flowrt, "wiki_compilation", {"topic": "holidays", "sources": SOURCES})
        assert ended["path"] == ["extract", "done"]
        assert ended["state"]["reason"] == "no source says anything"

    def test_what_was_invented_never_reaches_the_page(self, flowrt: Flowrt, tmp_path: Path) -> None:
        file = write(tmp_path, INVENTING_READER)
        state = json.dumps(PHASES["wiki_compilation"])
        run = flowrt("run", file, "--format", "json", "--input-json", state, env=HOME)
        assert run.code == 0
        assert result(run)["path"] == ["extract", "verify", "synthesize", "done"]
        assert result(run)["state"]["reason"] == "no claim is backed by its source"
        assert result(run)["state"]["dropped"] == 2


INVENTING_READER = """
from wiki_compilation import WikiCompiler


class Reader:
    async def claims(self, topic, text):
        return [f"{topic} never fail"]


flow = WikiCompiler(Reader()).build_compile_flow()
"""


class TestPlan:
    def test_the_council_sends_the_draft_back_until_it_is_content(self, flowrt: Flowrt) -> None:
        ended = phase(flowrt, "plan", {"issue": "Login is slow"})
        again = ["draft", "council"]
        assert ended["path"] == ["prepass", *again, *again, "route", "write-records", "done"]
        assert ended["state"]["records"] == [
            "Login is slow",
            "Steps: one change at a time.",
            "Tests: a failing one comes first.",
        ]
        assert ended["state"]["label"] == "planned"

    def test_an_empty_issue_ends_it(self, flowrt: Flowrt) -> None:
        ended = phase(flowrt, "plan", {"issue": "  "})
        assert ended["path"] == ["prepass", "done"]
        assert ended["state"]["label"] == "needs-human"

    def test_a_council_that_cannot_be_pleased_has_three_rounds(
        self, flowrt: Flowrt, tmp_path: Path
    ) -> None:
        text = "from plan import PlanPhase\nfrom adversarial import demanding\n"
        file = write(tmp_path, f"{text}\nflow = PlanPhase(demanding('budget')).build_plan_flow()\n")
        run = flowrt("run", file, "--format", "json", "--input-json", '{"issue": "x"}', env=HOME)
        assert run.code == 0
        assert result(run)["path"] == ["prepass", *["draft", "council"] * 3, "route", "done"]
        assert result(run)["state"]["reason"] == "the council still misses: budget"


@pytest.mark.parametrize(
    ("state", "path", "verdict"),
    [
        ({"diff": "test, docs"}, ["checks", "attack", "verdict", "approve", "done"], "approved"),
        (
            {"diff": "docs", "offered": {"test": "a test"}},
            ["checks", "attack", "fix", "checks", "attack", "verdict", "approve", "done"],
            "approved",
        ),
        (
            {"diff": "docs"},
            [*["checks", "attack", "fix"] * 2, "checks", "attack", "verdict",
             "request-changes", "done"],
            "changes requested: test",
        ),
        (
            {"diff": "docs", "offered": {"test": "a test with a syntax error"}},
            ["checks", "attack", "fix", "checks", "done"],
            None,
        ),
        ({"diff": "syntax error"}, ["checks", "done"], None),
    ],
)  # fmt: skip
def test_review(flowrt: Flowrt, state: Any, path: list[str], verdict: str | None) -> None:
    ended = phase(flowrt, "review", state)
    assert ended["path"] == path
    assert ended["state"].get("verdict") == verdict
    assert ended["state"].get("_stop", False) is (verdict is None)


@pytest.mark.parametrize(
    ("issue", "way", "touchpoints", "label"),
    [
        ("Buy now: cheap logins", None, None, None),
        ("The login is broken", "plan", ["login", "session", "audit", "cache"], "needs-plan"),
        ("The invoice is broken", "implement", ["invoice", "tax"], "ready"),
        ("I wish for a darker invoice", "ask-human", ["invoice", "tax"], "needs-human"),
    ],
)
def test_triage(
    flowrt: Flowrt, issue: str, way: str | None, touchpoints: list[str] | None, label: str | None
) -> None:
    ended = phase(flowrt, "triage", {"issue": issue})
    middle = ["touchpoint-expand", "route", way] if way else []
    assert ended["path"] == ["classify", "screen", *middle, "done"]
    assert ended["state"].get("touchpoints") == touchpoints
    assert ended["state"].get("label") == label


@pytest.mark.parametrize(
    ("evidence", "rounds", "verdict"),
    [
        ({"measured": "measured twice and repeated"}, 2, "accepted"),
        ({"measured": "measured", "repeated": "repeated"}, 3, "accepted"),
        ({"measured": "measured"}, 3, "escalated"),
        ({}, 3, "escalated"),
    ],
)
def test_the_adversarial_loop(
    flowrt: Flowrt, evidence: dict[str, str], rounds: int, verdict: str
) -> None:
    ended = phase(flowrt, "adversarial", {"claim": "It is faster.", "evidence": evidence})
    end = ["judge", "accept" if verdict == "accepted" else "escalate", "done"]
    assert ended["path"] == [*["author", "attack"] * rounds, *end]
    assert ended["state"]["verdict"] == verdict
