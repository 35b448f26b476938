"""What nodes give, who sees it, and what a run gives (agentsflow §b, results; §g, context)."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from agentsflow_flows import State, flow, same, writes
from flowrt import Edge, FlowValidationError, Node, Switch
from pydantic import BaseModel

AGENT = [sys.executable, str(Path(__file__).parents[1] / "agents" / "echo_agent.py")]


def gives(value: Any) -> Any:
    return lambda context: value


async def test_agentsflow_b_what_a_node_gives_is_handed_on_as_it_is_and_not_as_text() -> None:
    """There the values of `deps` are texts, whatever the node gave."""
    seen: list[Any] = []
    value = {"n": 1, "rows": [1, 2]}

    def looks(context: Any) -> None:
        seen.append(context.outputs["a"])

    nodes = [Node("a", gives(value), "compute"), Node("b", looks, "compute")]
    await flow(nodes, [Edge("a", "b")]).run({})
    assert seen == [value]


async def test_agentsflow_b_nothing_is_kept_as_nothing() -> None:
    """There it becomes an empty text, and is not kept."""
    seen: list[Any] = []

    def looks(context: Any) -> None:
        seen.append(dict(context.outputs))

    nodes = [Node("a", gives(None), "compute"), Node("b", looks, "compute")]
    result = await flow(nodes, [Edge("a", "b")]).run({})
    assert seen == [{"a": None}]
    assert result.outputs == {"a": None, "b": None}


class Report(BaseModel):
    score: int


@dataclass
class Record:
    score: int


@pytest.mark.parametrize("given", [Report(score=5), Record(5), {"score": 5}])
async def test_agentsflow_b_models_and_dataclasses_are_read_by_edges_as_their_fields(
    given: Any,
) -> None:
    edges = [
        Edge("a", "b", "output.score > 3 && outputs.a.score == 5"),
        Edge("a", "c", "output.score <= 3"),
        Switch("a", "$.score", {"5": "d"}, default="c"),
    ]
    nodes = [Node("a", gives(given), "compute"), *(Node(name, same) for name in "bcd")]
    result = await flow(nodes, edges).run({})
    assert (result.path, result.skipped) == (["a", "b", "d"], ["c"])


async def test_agentsflow_b_a_guard_needs_nothing_of_the_state_that_it_does_not_name() -> None:
    edges = [Edge("a", "b", "state.n > 3"), Edge("a", "c", "state.n <= 3")]
    state = {"n": 5, "client": object()}
    assert (await flow("abc", edges).run(state)).path == ["a", "b"]


async def test_agentsflow_b_start_gives_the_input_and_end_what_came_last() -> None:
    nodes = [Node("in", kind="start"), Node("a", gives(7), "compute"), Node("out", kind="end")]
    result = await flow(nodes, [Edge("in", "a"), Edge("a", "out")]).run({"task": "x"})
    assert result.outputs == {"in": {"task": "x"}, "a": 7, "out": 7}


async def test_agentsflow_b_one_leaf_is_the_terminal_and_of_several_each_has_its_output() -> None:
    nodes = [Node("a", same), *(Node(name, gives(name), "compute") for name in "bc")]
    several = await flow(nodes, [Edge("a", "b"), Edge("a", "c")]).run({})
    assert several.terminal is None
    assert (several.outputs["b"], several.outputs["c"]) == ("b", "c")
    one = await flow(nodes, [Edge("a", "b"), Edge("b", "c")]).run({})
    assert (one.terminal, one.outputs["c"]) == ("c", "c")


async def test_agentsflow_b_the_output_is_that_of_the_path_taken() -> None:
    edges = [Edge("a", "b", when=lambda s: s["go"]), Edge("a", "c", when=lambda s: not s["go"])]
    nodes = [Node("a", same), *(Node(name, gives(name), "compute") for name in "bc")]
    result = await flow(nodes, edges).run({"go": False})
    assert (result.terminal, "b" in result.outputs) == ("c", False)


async def test_agentsflow_b_the_result_of_a_decision_is_one_object_that_guards_read() -> None:
    """There it depends on which of two nodes of a name it was; one of them gives a text."""
    config = {"mode": "ballot", "question": "?", "voters": ["x", "y", "z"]}
    votes = {"x": "YES", "y": "YES", "z": "NO"}
    voters = {name: lambda ballot, said=said: said for name, said in votes.items()}
    edges = [
        Edge("ask", "yes", "output.decision == 'YES' && output.consensus == 'majority'"),
        Edge("ask", "no", "output.decision == 'NO'"),
    ]
    nodes = [Node("ask", kind="decision", config=config), Node("yes", same), Node("no", same)]
    result = await flow(nodes, edges).run({}, services={"voters": voters})
    assert result.path == ["ask", "yes"]
    assert set(result.outputs["ask"]) == {
        *("mode", "decision", "confidence", "votes", "distribution", "consensus"),
        *("escalated", "reason", "rounds", "missing"),
    }


async def test_agentsflow_b_an_interactive_decision_is_a_question_with_options() -> None:
    config = {"question": "Pizza or sushi?", "options": ["pizza", "sushi"]}
    edges = [Edge("food", "p", "output == 'pizza'"), Edge("food", "s", "output == 'sushi'")]
    nodes = [Node("food", kind="ask", config=config), Node("p", same), Node("s", same)]
    services = {"ask": lambda question: question.options[1]}
    assert (await flow(nodes, edges).run({}, services=services)).path == ["food", "s"]


async def test_agentsflow_b_the_prompt_of_an_agent_holds_what_came_before_as_far_as_it_asks() -> (
    None
):
    """Consequence 7: there it has nothing of it, or the whole result as Python shows it."""
    nodes = [
        Node("market", gives("prices rise"), "compute"),
        Node("tech", gives({"signal": "buy"}), "compute"),
        Node(
            "analyst",
            kind="agent",
            config={"prompt": "{outputs.market}; {outputs.tech.signal}; {state.task}"},
            join="all",
        ),
        Node("start", kind="start"),
    ]
    edges = [Edge("start", "market"), Edge("start", "tech")]
    edges += [Edge("market", "analyst"), Edge("tech", "analyst")]
    made = flow(nodes, edges, entry="start")
    result = await made.run({"task": "advise"}, services={"agent": AGENT})
    assert result.outputs["analyst"] == "echo: prices rise; buy; advise"


async def test_agentsflow_b_the_instruction_of_an_edge_reaches_the_agent_it_leads_to() -> None:
    """It is declared and has no effect there."""
    nodes = [
        Node("a", kind="gate"),
        Node("agent", kind="agent", config={"prompt": "Answer.", "parse": "text"}),
    ]
    made = flow(nodes, [Edge("a", "agent", prompt="Be short.")])
    result = await made.run({}, services={"agent": AGENT})
    assert "Be short." in result.outputs["agent"]
    assert "Answer." in result.outputs["agent"]


async def test_agentsflow_g_a_node_sees_input_state_outputs_results_and_services() -> None:
    seen: dict[str, Any] = {}

    def looks(context: Any) -> None:
        seen.update(
            input=context.input,
            state=dict(context.state),
            outputs=dict(context.outputs),
            outcome=context.results["a"].outcome,
            service=context.services["client"],
            flow=context.flow,
        )

    nodes = [Node("a", writes("a")), Node("b", looks, "compute")]
    made = flow(nodes, [Edge("a", "b")], name="seen")
    await made.run({"task": "x"}, services={"client": 5})
    assert seen == {
        "input": {"task": "x"},
        "state": {"task": "x", "a": True},
        "outputs": {"a": {"task": "x", "a": True}},
        "outcome": "ok",
        "service": 5,
        "flow": "seen",
    }


async def test_agentsflow_g_branches_do_not_share_what_they_write() -> None:
    """There `shared_data` is one for all."""
    seen: list[State] = []

    async def looks(state: State) -> State:
        seen.append(dict(state))
        return {**state, "x": len(seen)}

    nodes = [Node("s", same), Node("a", looks), Node("b", looks), Node("end", same)]
    edges = [Edge("s", "a"), Edge("s", "b"), Edge("a", "end"), Edge("b", "end")]
    result = await flow(nodes, edges, merge={"x": "add"}).run({"x": 0})
    assert seen == [{"x": 0}, {"x": 0}]
    assert result.state == {"x": 3}


@pytest.mark.parametrize("option", ["timeout_seconds", "prompts"])
def test_agentsflow_b_unknown_options_of_a_node_are_refused(option: str) -> None:
    with pytest.raises(FlowValidationError, match=option):
        flow([Node("a", kind="agent", config={"prompt": "x", option: 3})], [])
