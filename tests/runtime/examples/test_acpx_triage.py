"""The triage of pull requests, run by the program along every edge of its graph."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from acpx_shapes import PR_TRIAGE
from example_runs import events, result
from flowrt_program import Flowrt, until
from triage_runs import ESCALATE, READY, Triage, demo_forge

BEGIN = ["load_pr", "prepare_workspace", "extract_intent", "judge_solution"]
CHECKED = [*BEGIN, "check_initial_conflicts"]
RESOLVED = [*CHECKED, "judge_initial_conflicts", "resolve_initial_conflicts"]
BUG = ["bug_or_feature", "reproduce_bug_and_test_fix", "judge_refactor"]
REVIEW = ["collect_review_state", "review_loop"]
CI = ["collect_ci_state", "fix_ci_failures"]
FINAL = "check_final_conflicts"
CONFLICT = [FINAL, "judge_final_conflicts", "resolve_final_conflicts"]
LANDING = [FINAL, READY, "post_ready_for_landing_comment", "finalize"]
HUMAN = [ESCALATE, "post_needs_judgment_comment", "finalize"]

NOT_MENDED = {"answer": {"route": FINAL, "reason": "I think it is fine"}}
NOT_RESOLVED = {"answer": {"route": "collect_ci_state", "reason": "I think it is fine"}}
AGAIN = {"answer": {"route": "collect_review_state", "reason": "look again"}}


@dataclass(frozen=True)
class Way:
    """A complete way: what the site is like, what the agent answers, where that leads."""

    path: list[str]
    site: tuple[str, ...] = ()
    answers: dict[str, Any] = field(default_factory=dict)


def human(path: list[str], *site: str, **answers: Any) -> Way:
    """A way that ends with a human because the last node of `path` says so."""
    return Way([*path, *HUMAN], site, {**answers, path[-1]: ESCALATE})


WAYS = {
    "nothing to mend": Way([*CHECKED, *BUG, *REVIEW, *CI, *LANDING]),
    "a review asks for changes": Way(
        [*CHECKED, *BUG, *REVIEW, *REVIEW, *CI, *LANDING], ("untidy",)
    ),
    "the tests are red": Way([*CHECKED, *BUG, *REVIEW, *CI, *LANDING], ("red",)),
    "the base conflicts": Way([*RESOLVED, *BUG, *REVIEW, *CI, *LANDING], ("conflict",)),
    "a feature that needs tidying": Way(
        [
            *CHECKED,
            "bug_or_feature",
            "test_feature_directly",
            "judge_refactor",
            "do_superficial_refactor",
            *REVIEW,
            *CI,
            *LANDING,
        ],
        answers={
            "bug_or_feature": "test_feature_directly",
            "judge_refactor": "do_superficial_refactor",
        },
    ),
    "the tests were not mended": Way(
        [*CHECKED, *BUG, *REVIEW, *CI, *CONFLICT, *CI, *LANDING],
        ("red",),
        {"fix_ci_failures": NOT_MENDED},
    ),
    "nothing settles it": Way(
        [*CHECKED, *BUG, *REVIEW, *CI, *CONFLICT, *CI, *CONFLICT, *HUMAN],
        ("red",),
        {"fix_ci_failures": NOT_MENDED, "resolve_final_conflicts": NOT_RESOLVED},
    ),
    "reviews without end": Way(
        [*CHECKED, *BUG, *REVIEW, *REVIEW, *REVIEW, *HUMAN], answers={"review_loop": AGAIN}
    ),
    "no good": Way(
        [*BEGIN, "comment_and_close_pr", "post_close_pr", "finalize"],
        answers={"judge_solution": "close_pr"},
    ),
    "a question of taste": human(BEGIN),
    "a conflict for humans": human(RESOLVED[:-1], "conflict"),
    "a conflict that cannot be resolved": human(RESOLVED, "conflict"),
    "neither bug nor feature": human([*CHECKED, "bug_or_feature"]),
    "a bug that is not there": human([*CHECKED, *BUG[:-1]]),
    "a feature that does not work": human(
        [*CHECKED, "bug_or_feature", "test_feature_directly"],
        bug_or_feature="test_feature_directly",
    ),
    "to be built in another way": human([*CHECKED, *BUG]),
    "a review for humans": human([*CHECKED, *BUG, *REVIEW]),
    "tests for humans": human([*CHECKED, *BUG, *REVIEW, *CI]),
    "a last conflict for humans": human(
        [*CHECKED, *BUG, *REVIEW, *CI, *CONFLICT[:-1]], "red", fix_ci_failures=NOT_MENDED
    ),
    "a last conflict that cannot be resolved": human(
        [*CHECKED, *BUG, *REVIEW, *CI, *CONFLICT], "red", fix_ci_failures=NOT_MENDED
    ),
}


@pytest.fixture
def triage(tmp_path: Path) -> Triage:
    return Triage(tmp_path)


def test_the_ways_take_every_edge() -> None:
    taken = {edge for way in WAYS.values() for edge in pairwise(way.path)}
    cases = {
        (source, target)
        for source, switch in PR_TRIAGE.switches.items()
        for target in switch.values()
    }
    assert taken == {*PR_TRIAGE.direct, *cases}


@pytest.mark.parametrize("name", WAYS)
def test_a_way_through(triage: Triage, name: str) -> None:
    way = WAYS[name]
    run = triage.run(*way.site, **way.answers)
    assert run.code == 0, run.out + run.err
    ended = result(run)
    assert (ended["status"], ended["path"]) == ("completed", way.path)
    state = {READY: "ready for landing", ESCALATE: "needs judgment"}.get(way.path[-3], "closed")
    assert triage.outcome is not None
    assert triage.outcome["state"] == state
    assert ended["state"]["report"] == {"number": 7, **triage.outcome}


def test_the_human_is_told_who_asks_and_why(triage: Triage) -> None:
    triage.run(bug_or_feature=ESCALATE)
    assert triage.outcome is not None
    said = "since at bug_or_feature it was found: bug_or_feature says so"
    assert said in triage.outcome["comment"]


def test_loops_end_with_the_number_of_rounds(triage: Triage) -> None:
    """The agent would go on for ever; what bounds it is in the flow."""
    triage.run(review_loop=AGAIN)
    assert triage.outcome is not None
    assert "3 rounds did not settle it; the last: look again" in triage.outcome["comment"]


def test_what_the_agent_mends_is_committed(triage: Triage) -> None:
    triage.run("conflict", "untidy")
    assert "if not numbers:\n" in triage.code
    assert "map(float, numbers)" in triage.code


def test_a_resolution_is_seen_and_not_believed(triage: Triage) -> None:
    claims = {"answer": {"route": "bug_or_feature", "reason": "all resolved"}}
    run = triage.run("conflict", resolve_initial_conflicts=claims)
    assert run.code == 1
    assert "conflict markers are left" in result(run)["error"]["message"]
    assert triage.outcome is None
    assert events(run, "node_failed")[-1]["node"] == "collect_review_state"


def test_a_route_that_is_none_ends_the_run(triage: Triage) -> None:
    run = triage.run(judge_solution="merge_it")
    assert run.code == 1
    assert "has no case `merge_it`" in result(run)["error"]["message"]
    assert triage.outcome is None


@pytest.mark.parametrize("grant", ["--approve-reads", "--deny-all"])
def test_acpx_permissions_nothing_runs_without_the_grant(triage: Triage, grant: str) -> None:
    """acpx.md b, permissions: the runner checks before the first node."""
    run = triage.run(grant=grant)
    assert run.code == 2
    assert "needs the permission `approve-all`" in run.err
    assert not (triage.folder / "forge" / "workspaces").exists()


def test_killed_in_the_middle_and_gone_on_with(triage: Triage, flowrt: Flowrt) -> None:
    """While the run is dead the base moves on: the last check, which is still to come, sees it."""
    go = triage.folder / "go"
    held = {"answer": {"route": "collect_ci_state", "reason": "all is fine"}, "hold": str(go)}
    process = triage.start(review_loop=held)
    until(lambda: triage.memory.exists() and triage.asked["review_loop"])
    process.kill()
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL
    demo_forge.land(triage.folder / "forge")
    go.touch()
    run = triage.resume()
    assert run.code == 0, run.out + run.err
    path = [*CHECKED, *BUG, *REVIEW, *CI, *CONFLICT, *CI, *LANDING]
    assert result(run)["path"] == path
    assert "if not numbers:\n" in triage.code
    assert "map(float, numbers)" in triage.code
    events_ = [
        json.loads(line) for line in flowrt("replay", "r1", "--format", "json").out.splitlines()
    ]
    done = [event["node"] for event in events_ if event["type"] == "node_completed"]
    assert done == path
    assert triage.asked["review_loop"] == 2
    assert triage.asked["judge_solution"] == 1
    assert len(json.loads(triage.memory.read_text())) == 1
