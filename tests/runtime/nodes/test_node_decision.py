"""Decision nodes (agentsflow.md b and g, Decision)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from flowrt import Flow, Node, Region
from flowrt.engine.context import Pause, Signal
from flowrt.errors import FlowError, FlowValidationError
from flowrt.nodes.voting import Ballot, Vote, count
from flowrt_fakes import value
from pydantic import BaseModel


def saying(said: Any) -> Any:
    return lambda ballot: said


def votes(*cast: Any) -> dict[str, Any]:
    """A service of voters a, b, c … that say one thing each."""
    names = "abcdefghij"[: len(cast)]
    return {"voters": {name: saying(said) for name, said in zip(names, cast, strict=True)}}


async def ballot(*cast: Any, **config: Any) -> dict[str, Any]:
    names = list("abcdefghij"[: len(cast)])
    given = {"mode": "ballot", "question": "?", "voters": names, **config}
    result: dict[str, Any] = await value("decision", given, services=votes(*cast))
    return result


async def test_coordinator_decides_alone() -> None:
    """agentsflow.md g: CIO."""
    seen: list[Ballot] = []

    async def boss(ballot: Ballot) -> dict[str, Any]:
        seen.append(ballot)
        return {"decision": "no", "confidence": 0.9, "reason": "too much"}

    config = {"mode": "coordinator", "question": "Refund {state.sum}?", "coordinator": boss}
    result = await value("decision", config, state={"sum": 99})
    assert result == {
        "mode": "coordinator",
        "decision": "NO",
        "confidence": 0.9,
        "votes": [
            {"voter": "boss", "decision": "NO", "confidence": 0.9, "reason": "too much",
             "weight": 1.0}
        ],
        "distribution": {"NO": 1.0},
        "consensus": "unanimous",
        "escalated": False,
        "reason": None,
        "rounds": 1,
        "missing": {},
    }  # fmt: skip
    assert seen[0].question == "Refund 99?"
    assert '"decision": "YES" | "NO"' in seen[0].prompt()


async def test_ballot_equal_weights() -> None:
    result = await ballot("YES", "NO", "YES")
    assert (result["decision"], result["consensus"]) == ("YES", "majority")
    assert result["confidence"] == pytest.approx(2 / 3)
    assert result["distribution"] == {"YES": 2, "NO": 1}


async def test_ballot_seniority_is_one_over_place() -> None:
    """agentsflow.md g: seniority 1/(i+1)."""
    result = await ballot("NO", "YES", "YES", weights="seniority")
    assert result["decision"] == "NO"
    assert result["distribution"] == {"NO": 1, "YES": pytest.approx(1 / 2 + 1 / 3)}


async def test_ballot_custom_weights() -> None:
    result = await ballot("NO", "YES", weights={"a": 1, "b": 3})
    assert (result["decision"], result["confidence"]) == ("YES", 0.75)
    with pytest.raises(FlowValidationError, match="a weight for each voter"):
        await ballot("NO", "YES", weights={"a": 1})
    with pytest.raises(FlowValidationError, match="negative"):
        await ballot("NO", "YES", weights={"a": 1, "b": -1})


async def test_confidence_of_votes_counts_in_the_result_not_in_who_wins() -> None:
    half = {"decision": "YES", "confidence": 0.5}
    result = await ballot(half, half, "NO")
    assert result["decision"] == "YES"
    assert result["confidence"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("cast", "level", "decision"),
    [
        ("YYYY", "unanimous", "Y"),
        ("YYYYN", "strong_majority", "Y"),
        ("YYYNN", "majority", "Y"),
        ("NNYY", "deadlock", "N"),
        ("NYYA", "divided", "Y"),
        ("ANY", "deadlock", "A"),
    ],
)
def test_levels_and_ties(cast: str, level: str, decision: str) -> None:
    """agentsflow.md g: unanimous, ≥ .8, ≥ .6, deadlock, divided; a tie goes to the first."""
    counted = count([Vote(str(place), said) for place, said in enumerate(cast)])
    assert (counted.level, counted.decision) == (level, decision)


async def test_consensus_voters_see_the_round_before() -> None:
    seen: dict[str, list[list[str]]] = {}

    def voter(name: str, *decisions: str) -> Any:
        def vote(ballot: Ballot) -> str:
            seen.setdefault(name, []).append([vote.decision for vote in ballot.others])
            return decisions[ballot.round - 1]

        vote.__name__ = name
        return vote

    config = {
        "mode": "consensus",
        "question": "?",
        "rounds": 3,
        "voters": [voter("a", "YES", "YES"), voter("b", "NO", "YES"), voter("c", "YES", "YES")],
    }
    result = await value("decision", config)
    assert (result["decision"], result["consensus"], result["rounds"]) == ("YES", "unanimous", 2)
    assert seen["b"] == [[], ["YES", "NO", "YES"]]


async def test_consensus_coordinator_brings_it_together() -> None:
    services = votes("YES", "NO", "NO")
    services["voters"]["boss"] = lambda ballot: (
        "YES" if [vote.voter for vote in ballot.others] == ["a", "b", "c"] else "NO"
    )
    config = {
        "mode": "consensus",
        "question": "?",
        "voters": ["a", "b", "c"],
        "coordinator": "boss",
        "rounds": 1,
    }
    result = await value("decision", config, services=services)
    assert (result["decision"], result["consensus"]) == ("YES", "majority")
    assert result["votes"][-1]["voter"] == "boss"


class Plan(BaseModel):
    name: str
    days: int


async def test_typed_results() -> None:
    assert (await ballot("reject", result="approval"))["decision"] == "REJECT"
    choice = await ballot("B", "b", result="choice", options=["A", "B"])
    assert choice["decision"] == "B"
    text = 'I would say\n```json\n{"decision": "A", "confidence": 0.5, "reason": "x"}\n```'
    assert (await ballot(text, result="choice", options=["A", "B"]))["votes"][0]["reason"] == "x"
    plan = {"name": "x", "days": 2}
    custom = await ballot({"decision": plan}, Plan(**plan), result="custom", answer=Plan)
    assert (custom["decision"], custom["consensus"]) == (plan, "unanimous")


async def test_votes_that_do_not_count_fail_unless_fewer_are_enough() -> None:
    """agentsflow.md c: without a quorum a ballot of nobody completed with nothing; never here."""
    with pytest.raises(FlowError, match="got 1 valid votes and needs 2") as caught:
        await ballot("YES", "PERHAPS")
    assert "`b` does not count: expected `YES`, `NO`, not 'PERHAPS'" in str(caught.value)

    def broken(ballot: Ballot) -> str:
        raise OSError("gone")

    result = await value(
        "decision",
        {"mode": "ballot", "question": "?", "voters": [broken, "a"], "minimum_votes": 1},
        services=votes("NO"),
    )
    assert (result["decision"], result["missing"]) == ("NO", {"broken": "OSError: gone"})


@pytest.mark.parametrize(
    "config",
    [
        {"mode": "coordinator"},
        {"mode": "ballot"},
        {"mode": "consensus", "coordinator": "a"},
        {"mode": "ballot", "voters": ["a", "a"]},
        {"mode": "ballot", "voters": ["a"], "result": "choice"},
        {"mode": "ballot", "voters": ["a"], "result": "custom"},
        {"mode": "ballot", "voters": ["a"], "minimum_votes": 2},
        {"mode": "ballot", "voters": ["a"], "options": ["x"]},
        {"mode": "vote", "voters": ["a"]},
    ],
)
async def test_configs_that_cannot_work_are_refused(config: dict[str, Any]) -> None:
    """agentsflow.md c: its `_validate_config` is never called; here every rule holds."""
    with pytest.raises(FlowValidationError):
        await value("decision", {"question": "?", **config}, services=votes("YES"))


async def test_unknown_voters_are_named() -> None:
    with pytest.raises(FlowError, match="no voter `z`"):
        await value("decision", {"mode": "ballot", "question": "?", "voters": ["z"]})


class TestEscalation:
    RULE = {"below": 0.75, "to": ["finance"], "timeout": 60}  # noqa: RUF012

    def config(self, **more: Any) -> dict[str, Any]:
        escalate = {**self.RULE, **more}
        return {"mode": "coordinator", "question": "?", "coordinator": "a", "escalate": escalate}

    async def test_a_human_decides_below_a_confidence(self) -> None:
        unsure = {"decision": "YES", "confidence": 0.5}
        services = {**votes(unsure), "ask": lambda question: "no"}
        result = await value("decision", self.config(), services=services)
        assert (result["decision"], result["escalated"]) == ("NO", True)
        assert result["reason"] == "confidence 0.50 is below 0.75"
        assert result["votes"][0]["decision"] == "YES"

    async def test_a_sure_coordinator_is_left_alone(self) -> None:
        result = await value("decision", self.config(), services=votes("YES"))
        assert (result["escalated"], result["reason"]) == (False, None)

    async def test_the_votes_are_kept_while_the_run_waits(self) -> None:
        unsure = {"decision": "YES", "confidence": 0.5}
        with pytest.raises(Pause) as caught:
            await value("decision", self.config(), services=votes(unsure))
        world = {"paused_before": True, "pause_data": caught.value.data}
        assert caught.value.data["to"] == ["finance"]
        result = await value("decision", self.config(), signal=Signal("n", "NO"), **world)
        assert (result["decision"], result["escalated"]) == ("NO", True)
        assert result["votes"][0]["confidence"] == 0.5

    async def test_the_question_to_the_human_is_filled_in(self) -> None:
        services = votes({"decision": "YES", "confidence": 0.5})
        world = {"services": services, "state": {"sum": 99}}
        with pytest.raises(Pause) as caught:
            await value("decision", self.config(question="Pay {state.sum}?"), **world)
        assert caught.value.reason == "Pay 99?"
        by_function = self.config(question=lambda context: f"Really {context.state['sum']}?")
        with pytest.raises(Pause) as caught:
            await value("decision", by_function, **world)
        assert caught.value.reason == "Really 99?"

    async def test_the_fallback_is_taken_when_no_human_answers(self) -> None:
        """agentsflow.md f: there it always is, as the human part does not exist."""
        world = {"paused_before": True, "pause_data": {"until": 1.0}}
        config = self.config(fallback="NO")
        services = votes({"decision": "YES", "confidence": 0.5})
        result = await value("decision", config, services=services, **world)
        assert (result["decision"], result["escalated"]) == ("NO", True)
        assert "no human answered in time" in result["reason"]

    async def test_split_votes(self) -> None:
        services = {**votes("YES", "NO"), "ask": lambda question: "NO"}
        config = {
            "mode": "ballot", "question": "?", "voters": ["a", "b"], "escalate": {"on_split": True}
        }  # fmt: skip
        result = await value("decision", config, services=services)
        assert (result["decision"], result["reason"]) == ("NO", "the voters are in deadlock")


async def test_agents_that_vote_begin_each_visit_with_a_new_session(tmp_path: Path) -> None:
    """Also in a loop, where every visit is the first one of its iteration."""
    said = {"decision": "YES", "reason": "asked {turn} times in this session"}
    (tmp_path / "answers.json").write_text(json.dumps([{"when": "Pay?", "answer": said}]))
    program = Path(__file__).parents[3] / "examples" / "flowrt" / "agents" / "scripted_agent.py"
    command = [sys.executable, str(program), "--script", str(tmp_path / "answers.json")]
    config = {"mode": "coordinator", "coordinator": "approver", "question": "Pay?", "into": "vote"}
    body = Region([Node("gate", kind="decision", config=config)], [], "gate")
    each = {"over": [1, 2], "collect": "state.vote.votes.0.reason"}
    flow = Flow(
        nodes=[Node("each", kind="repeat", config=each, regions={"body": body})],
        edges=[],
        entry="each",
    )
    result = await flow.run({}, services={"agents": {"approver": command}})
    assert result.outputs["each"]["outputs"] == ["asked 1 times in this session"] * 2
