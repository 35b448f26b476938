"""ObjectStack's structured flows, written as data, run by the program."""

from __future__ import annotations

import json
from typing import Any

import pytest
from example_runs import (
    EXAMPLES,
    events,
    findings,
    inside,
    regions,
    result,
    resume_example,
    run_example,
)
from flowrt_program import Flowrt, Run

FLOWS = sorted(path.name for path in (EXAMPLES / "objectstack").glob("*.yaml"))


def run_flow(flowrt: Flowrt, name: str, state: Any) -> Run:
    return run_example(flowrt, f"objectstack/{name}.yaml", state, "--module", "workplace")


def test_the_flows_are_free_of_faults() -> None:
    assert len(FLOWS) == 5
    assert findings("objectstack") == []


@pytest.mark.parametrize("name", FLOWS)
def test_each_flow_passes_the_check_of_the_runtime(flowrt: Flowrt, name: str) -> None:
    run = flowrt("check", str(EXAMPLES / "objectstack" / name), "--module", "workplace")
    assert (run.code, run.err) == (0, "")


def test_without_its_module_a_flow_names_functions_that_are_not_there(flowrt: Flowrt) -> None:
    run = run_example(flowrt, "objectstack/resilient_sync.yaml", {})
    assert run.code == 2
    assert "names the function `push_to_warehouse`, which is registered nowhere" in run.err


class TestBatchReminders:
    def test_each_item_goes_through_the_body(self, flowrt: Flowrt) -> None:
        run = run_flow(flowrt, "batch_reminders", {})
        assert run.code == 0
        assert regions(run) == [("loop-body", "each_project", number) for number in range(3)]
        assert inside(run, "/each_project#1:loop-body[0]") == ["check", "remind", "next"]
        assert inside(run, "/each_project#1:loop-body[1]") == ["check", "note_muted", "next"]
        state = result(run)["state"]
        assert state["reminders"] == ["Ann: Atlas is 2 days late", "Dee: Dune is 5 days late"]
        assert state["muted"] == ["Corona"]
        assert not {"project", "index"} & state.keys()
        assert "INFO: 3 projects were looked at" in run.err

    def test_an_empty_collection_is_no_iteration(self, flowrt: Flowrt) -> None:
        run = run_flow(flowrt, "batch_reminders", {"projects": []})
        assert (run.code, regions(run)) == (0, [])
        assert result(run)["path"] == ["find_late", "each_project", "report"]

    def test_too_large_a_collection_fails_before_the_first_item(self, flowrt: Flowrt) -> None:
        many = [{"name": f"P{number}", "owner": "Ann", "muted": True} for number in range(51)]
        run = run_flow(flowrt, "batch_reminders", {"projects": many})
        assert (run.code, regions(run)) == (1, [])
        assert "51 items to go over, more than the 50" in result(run)["error"]["message"]


class TestFanOut:
    def test_what_branches_wrote_is_merged_as_declared(self, flowrt: Flowrt) -> None:
        begun = {"team": "red", "sent": ["letter"], "messages": 1}
        run = run_flow(flowrt, "fan_out_notify", begun)
        assert run.code == 0
        assert result(run)["state"] == {
            "team": "red",
            "sent": ["letter", "mail", "chat", "phone", "phone"],
            "messages": 5,
            "last_way": "phone",
            "closed": True,
        }
        assert {(kind, parent) for kind, parent, _ in regions(run)} == {
            ("parallel-branch", "announce")
        }
        assert inside(run, ":parallel-branch.phone[2]") == ["send_text", "send_again"]

    def test_a_failing_branch_fails_the_node_when_all_have_ended(self, flowrt: Flowrt) -> None:
        run = run_flow(flowrt, "fan_out_notify", {})
        assert run.code == 1
        failed = [event["node"] for event in events(run, "node_failed")]
        assert failed == ["send_chat", "announce"]
        assert inside(run, ":parallel-branch.phone[2]") == ["send_text", "send_again"]
        assert result(run)["error"]["message"] == "no team, no channel"
        assert "done" not in [event["node"] for event in events(run, "node_completed")]


class TestResilientSync:
    @pytest.mark.parametrize(("outage", "tries"), [(0, 1), (1, 2), (2, 3)])
    def test_it_is_tried_until_it_succeeds(self, flowrt: Flowrt, outage: int, tries: int) -> None:
        run = run_flow(flowrt, "resilient_sync", {"outage": outage})
        assert run.code == 0
        assert regions(run) == [("try", "sync", number) for number in range(1, tries + 1)]
        assert result(run)["path"] == ["push", "sync", "done"]
        state = result(run)["state"]
        assert (state["synced_as"], state["noted"]) == (f"W-{tries}", 1)

    def test_what_stays_down_is_caught(self, flowrt: Flowrt) -> None:
        run = run_flow(flowrt, "resilient_sync", {"outage": 3})
        assert run.code == 0
        assert regions(run) == [*[("try", "sync", number) for number in (1, 2, 3)],
                                ("catch", "sync", None)]  # fmt: skip
        state = result(run)["state"]
        assert state["queued"] == "push: the warehouse does not answer"
        assert not {"synced_as", "noted", "error"} & state.keys()
        failures = [event["data"]["error"] for event in events(run, "node_failed")]
        assert failures == ["ConnectionError: the warehouse does not answer"] * 3


class TestEscalation:
    CRITICAL = {"severity": "critical", "on_duty": ["Ann", "Bob", "Cem"]}  # noqa: RUF012

    def test_what_is_not_critical_goes_past_it_all(self, flowrt: Flowrt) -> None:
        run = run_flow(flowrt, "project_escalation", {"severity": "low"})
        assert (run.code, regions(run)) == (0, [])
        assert result(run)["path"] == ["triage", "notify_normal", "converge"]

    def test_a_loop_in_a_try_in_a_branch(self, flowrt: Flowrt) -> None:
        given = {**self.CRITICAL, "awake": ["Bob"], "outage": 1}
        run = run_flow(flowrt, "project_escalation", given)
        assert run.code == 0
        state = result(run)["state"]
        assert (state["rung"], state["answered_by"]) == (["Ann", "Bob"], "Bob")
        assert (state["sent"], state["messages"]) == (["mail", "phone"], 2)
        assert state["synced_as"] == "W-2"
        deep = "/alert#1:parallel-branch.on_duty[1]/reach#1:try[1]/ring#1:loop-body[1]"
        assert inside(run, deep) == ["check", "dial", "next"]
        assert inside(run, deep.replace("[1]/ring#1:loop-body[1]", "[1]")) == [
            "ring",
            "outcome",
            "reached",
        ]
        entered = regions(run)
        assert [kind for kind, parent, _ in entered if parent == "ring"] == ["loop-body"] * 3
        assert [n for kind, parent, n in entered if parent == "push_incident"] == [1, 2]

    def test_both_tries_can_end_in_their_catch(self, flowrt: Flowrt) -> None:
        given = {**self.CRITICAL, "awake": [], "outage": 9}
        run = run_flow(flowrt, "project_escalation", given)
        assert run.code == 0
        state = result(run)["state"]
        assert state["alarm"] == "nobody on duty answered"
        assert state["queued"] == "push: the warehouse does not answer"
        assert state["sent"] == ["mail"]
        assert state["closed"] is True
        caught = [parent for kind, parent, _ in regions(run) if kind == "catch"]
        assert caught == ["reach", "push_incident"]


class TestSignOff:
    def begun(self, flowrt: Flowrt) -> Run:
        run = run_flow(flowrt, "contract_signoff", {"contract": "C-1", "clauses": ["a", "b"]})
        assert run.code == 3
        return run

    def test_both_branches_wait_at_once(self, flowrt: Flowrt) -> None:
        run = self.begun(flowrt)
        assert sorted(result(run)["waiting_on"]) == ["ask_legal", "budget_confirmed"]
        shown = flowrt("show", "r1").out
        assert "ask_legal: Is this clause acceptable: a?" in shown
        assert "options: accept, strike" in shown

    @pytest.mark.parametrize(("second", "end"), [("accept", "sign"), ("strike", "renegotiate")])
    def test_a_loop_goes_on_from_pause_to_pause(
        self, flowrt: Flowrt, second: str, end: str
    ) -> None:
        self.begun(flowrt)
        finance = resume_example(flowrt, "--signal", "budget_confirmed=5000")
        assert finance.code == 3
        assert result(finance)["waiting_on"] == ["ask_legal"]
        one = resume_example(flowrt, "--signal", 'ask_legal="accept"')
        assert one.code == 3
        asked = [event["data"]["reason"] for event in events(one, "node_waiting")]
        assert asked == ["Is this clause acceptable: b?"]
        assert "budget" not in [event["node"] for event in events(one, "node_started")]
        two = resume_example(flowrt, "--signal", f"ask_legal={json.dumps(second)}")
        assert two.code == 0
        assert result(two)["terminal"] == end
        assert result(two)["state"]["legal_agrees"] is (second == "accept")
        assert result(two)["state"]["budget"]["payload"] == 5000

    def test_an_answer_that_is_no_option_is_asked_for_again(self, flowrt: Flowrt) -> None:
        self.begun(flowrt)
        run = resume_example(flowrt, "--signal", 'ask_legal="perhaps"')
        assert run.code == 3
        assert "expected `accept`, `strike`, not 'perhaps'" in flowrt("show", "r1").out
