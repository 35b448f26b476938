"""Decisions as nodes of a flow: modes, weights, rounds, escalation (agentsflow §g, decision)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from agentsflow_flows import flow, same
from flowrt import Edge, FlowValidationError, Node
from flowrt.nodes.voting import Ballot
from flowrt.stores.memory import MemoryStore


def votes(**said: Any) -> dict[str, Any]:
    return {name: lambda ballot, value=value: value for name, value in said.items()}


async def decided(config: dict[str, Any], **services: Any) -> dict[str, Any]:
    """The output of a flow of one decision."""
    node = Node("gate", kind="decision", config={"question": "?", **config})
    result = await flow([node], []).run({}, services=services)
    assert result.failed == {}
    output: dict[str, Any] = result.outputs["gate"]
    return output


async def test_agentsflow_g_a_coordinator_decides_alone() -> None:
    """There it is the first of the agents, whoever that is; here it has a field of its own."""
    result = await decided(
        {"mode": "coordinator", "coordinator": "boss"}, voters=votes(boss="NO", other="YES")
    )
    assert (result["decision"], result["mode"]) == ("NO", "coordinator")
    assert [vote["voter"] for vote in result["votes"]] == ["boss"]


async def test_agentsflow_g_the_voters_of_a_ballot_are_asked_at_the_same_time() -> None:
    all_asked = asyncio.Barrier(3)

    async def vote(ballot: Ballot) -> str:
        await asyncio.wait_for(all_asked.wait(), 30)
        return "YES"

    result = await decided(
        {"mode": "ballot", "voters": ["a", "b", "c"]}, voters=dict.fromkeys("abc", vote)
    )
    assert (result["decision"], result["distribution"]) == ("YES", {"YES": 3.0})


@pytest.mark.parametrize(
    ("weights", "decision", "distribution"),
    [
        ("equal", "YES", {"NO": 1.0, "YES": 2.0}),
        ("seniority", "NO", {"NO": 1.0, "YES": 1 / 2 + 1 / 3}),
        ({"a": 5, "b": 1, "c": 2}, "NO", {"NO": 5.0, "YES": 3.0}),
    ],
)
async def test_agentsflow_g_votes_have_weights(
    weights: Any, decision: str, distribution: dict[str, float]
) -> None:
    config = {"mode": "ballot", "voters": ["a", "b", "c"], "weights": weights}
    result = await decided(config, voters=votes(a="NO", b="YES", c="YES"))
    assert result["decision"] == decision
    assert result["distribution"] == pytest.approx(distribution)


def test_agentsflow_g_there_is_no_weight_by_confidence() -> None:
    """There it means the same as equal."""
    config = {"mode": "ballot", "question": "?", "voters": ["a"], "weights": "confidence"}
    with pytest.raises(FlowValidationError, match="weights"):
        flow([Node("gate", kind="decision", config=config)], [])


async def test_agentsflow_g_a_consensus_has_rounds_in_which_voters_see_each_other() -> None:
    rounds: list[tuple[int, list[str]]] = []

    def doubter(ballot: Ballot) -> str:
        rounds.append((ballot.round, [vote.decision for vote in ballot.others]))
        return "NO" if ballot.round < 3 else "YES"

    config = {"mode": "consensus", "voters": ["a", "b", "doubter"], "rounds": 5}
    result = await decided(config, voters={**votes(a="YES", b="YES"), "doubter": doubter})
    assert (result["decision"], result["consensus"], result["rounds"]) == ("YES", "unanimous", 3)
    assert rounds == [(1, []), (2, ["YES", "YES", "NO"]), (3, ["YES", "YES", "NO"])]


async def test_agentsflow_g_a_coordinator_ends_a_consensus_that_stays_divided() -> None:
    config = {"mode": "consensus", "voters": ["a", "b"], "coordinator": "boss", "rounds": 2}
    asked: list[int] = []

    def boss(ballot: Ballot) -> str:
        asked.append(len(ballot.others))
        return "NO"

    result = await decided(config, voters={**votes(a="YES", b="NO"), "boss": boss})
    assert (result["decision"], result["consensus"], asked) == ("NO", "deadlock", [2])
    agreed = await decided(config, voters={**votes(a="YES", b="YES"), "boss": boss})
    assert (agreed["decision"], asked) == ("YES", [2])


@pytest.mark.parametrize(
    ("said", "level", "decision"),
    [
        ("YYYY", "unanimous", "YES"),
        ("YYYYN", "strong_majority", "YES"),
        ("YYYNN", "majority", "YES"),
        ("NNYY", "deadlock", "NO"),
        ("YNNN", "majority", "NO"),
    ],
)
async def test_agentsflow_g_how_far_voters_agree_and_the_first_of_a_tie(
    said: str, level: str, decision: str
) -> None:
    names = "abcde"[: len(said)]
    words = {"Y": "YES", "N": "NO"}
    given = {name: words[letter] for name, letter in zip(names, said, strict=True)}
    result = await decided({"mode": "ballot", "voters": list(names)}, voters=votes(**given))
    assert (result["consensus"], result["decision"]) == (level, decision)


async def test_agentsflow_g_voters_of_several_minds_without_a_majority_are_divided() -> None:
    config = {
        "mode": "ballot",
        "result": "choice",
        "options": ["x", "y", "z"],
        "voters": ["a", "b", "c", "d"],
    }
    result = await decided(config, voters=votes(a="x", b="y", c="y", d="z"))
    assert (result["consensus"], result["decision"]) == ("divided", "y")


async def test_agentsflow_g_an_escalation_waits_for_a_human_and_keeps_the_votes() -> None:
    """There the fallback is always taken, as nobody can be asked."""
    asked: list[str] = []

    def unsure(ballot: Ballot) -> dict[str, Any]:
        asked.append(ballot.voter)
        return {"decision": "YES", "confidence": 0.4}

    config = {
        "mode": "coordinator",
        "question": "Refund?",
        "coordinator": unsure,
        "escalate": {"below": 0.75, "to": ["finance"]},
    }
    edges = [
        Edge("gate", "pay", "output.decision == 'YES'"),
        Edge("gate", "refuse", "output.decision == 'NO' && output.escalated"),
    ]
    nodes = [Node("gate", kind="decision", config=config), Node("pay", same), Node("refuse", same)]
    made = flow(nodes, edges)
    store = MemoryStore()
    first = await made.run({}, store=store, run_id="r1")
    assert (first.status, first.waiting_on, first.path) == ("waiting", ["gate"], [])
    result = await made.resume_run("r1", store, signals={"gate": "NO"})
    assert (result.status, result.path) == ("completed", ["gate", "refuse"])
    assert asked == ["unsure"]


async def test_agentsflow_g_a_fallback_decides_when_no_human_answers_in_time() -> None:
    async def asleep(question: Any) -> str:
        await asyncio.sleep(60)
        return "YES"

    config = {
        "mode": "coordinator",
        "coordinator": "boss",
        "escalate": {"below": 0.75, "timeout": 0.01, "fallback": "NO"},
    }
    unsure = {"decision": "YES", "confidence": 0.4}
    result = await decided(config, voters=votes(boss=unsure), ask=asleep)
    assert (result["decision"], result["escalated"]) == ("NO", True)
    assert "the fallback was taken" in result["reason"]


async def test_agentsflow_g_split_voters_are_escalated() -> None:
    config = {"mode": "ballot", "voters": ["a", "b"], "escalate": {"on_split": True}}
    result = await decided(config, voters=votes(a="YES", b="NO"), ask=lambda question: "NO")
    assert (result["decision"], result["reason"]) == ("NO", "the voters are in deadlock")


async def test_agentsflow_g_a_ballot_without_enough_votes_fails_its_node_and_blocks_the_rest() -> (
    None
):
    """There a ballot of nobody is completed with nothing."""
    config = {"mode": "ballot", "question": "?", "voters": ["a", "b"]}
    nodes = [Node("gate", kind="decision", config=config), Node("pay", same)]
    made = flow(nodes, [Edge("gate", "pay")])
    result = await made.run({}, services={"voters": votes(a="YES", b="PERHAPS")})
    assert (result.status, result.blocked) == ("failed", ["pay"])
    assert "got 1 valid votes and needs 2" in result.failed["gate"]


@pytest.mark.parametrize(
    "config",
    [
        {"mode": "coordinator"},
        {"mode": "ballot", "voters": []},
        {"mode": "consensus", "coordinator": "a"},
        {"mode": "ballot", "voters": ["a"], "weights": {"b": 1}},
        {"mode": "cio", "voters": ["a"]},
    ],
)
def test_agentsflow_g_a_decision_that_cannot_work_is_refused_before_it_runs(
    config: dict[str, Any],
) -> None:
    """There such rules exist, and are never asked."""
    with pytest.raises(FlowValidationError):
        flow([Node("gate", kind="decision", config={"question": "?", **config})], [])
