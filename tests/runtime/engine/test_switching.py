"""By which text a switch finds a value, and what it does not hide (acpx §b)."""

from __future__ import annotations

from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, Node, Retry, Switch
from flowrt.definition.load import from_yaml

State = dict[str, Any]


async def step(state: State) -> State:
    return state


def flow(value: Any, *, on: str = "$.x", **cases: str) -> Flow:
    def give(context: Any) -> Any:
        if isinstance(value, Exception):
            raise value
        return {"x": value}

    nodes = [Node("a", give, kind="compute"), Node("b", step)]
    return Flow(nodes=nodes, edges=[Switch("a", on, cases)], entry="a")


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (1, "1"),
        (1.0, "1"),
        (-0.0, "0"),
        (1.5, "1.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (True, "true"),
        (False, "false"),
        ("1.0", "1.0"),
    ],
)
async def test_a_number_has_one_text_however_it_was_written(value: Any, label: str) -> None:
    assert (await flow(value, **{label: "b"}).run({})).path == ["a", "b"]


@pytest.mark.parametrize(("value", "case"), [(3, 3), (True, True), (2.0, 2), ("7", 7)])
async def test_in_python_a_case_may_be_the_value_itself(value: Any, case: Any) -> None:
    def give(context: Any) -> Any:
        return {"x": value}

    cases: Any = {"other": "c", case: "b"}
    nodes = [Node("a", give, kind="compute"), Node("b", step), Node("c", step)]
    switched = Flow(nodes=nodes, edges=[Switch("a", "$.x", cases)], entry="a")
    assert (await switched.run({})).path == ["a", "b"]
    missed = Flow(nodes=nodes[:2], edges=[Switch("a", "$.x", {9: "b"})], entry="a")  # type: ignore[dict-item]
    with pytest.raises(FlowError, match=r"no case `\w+`, only `9`"):
        await missed.run({})


async def test_a_case_of_yaml_has_the_same_text() -> None:
    text = """
flowrt: 1
name: f
entry: a
nodes: [{name: a, kind: compute, config: {expression: input}}, {name: b, kind: start}]
edges: [{from: a, switch: {on: $.x, cases: {1.0: b}}}]
"""
    assert (await from_yaml(text).run({"x": 1})).path == ["a", "b"]


@pytest.mark.parametrize("on", ["$result.output.x", "$result.error.0", "$result.outcome"])
async def test_a_failure_is_not_hidden_by_a_switch_that_leads_nowhere(on: str) -> None:
    """The run ends with what went wrong, not with where it could not go on."""
    with pytest.raises(ValueError, match="boom"):
        await flow(ValueError("boom"), on=on, ok="b").run({})


async def test_after_success_a_switch_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(FlowError, match="no case `2`"):
        await flow(2, **{"1": "b"}).run({})


async def test_other_edges_are_tried_after_a_switch_that_does_not_apply() -> None:
    nodes = flow(ValueError("boom"), ok="b").nodes
    edges: list[Edge | Switch] = [
        Switch("a", "$result.output.x", {"1": "b"}),
        Edge("a", "b", outcome="failed"),
    ]
    assert (await Flow(nodes=nodes, edges=edges, entry="a").run({})).path == ["b"]


@pytest.mark.parametrize(
    "guard",
    [
        "result.attempts == 2",
        "result.node == 'first'",
        "result.output.x == 1",
        "result['output'].x == 1",
        "result.outcome == 'ok' && result.error == ''",
    ],
)
async def test_a_condition_sees_the_whole_result(guard: str) -> None:
    tries: list[int] = []

    async def first(state: State) -> State:
        tries.append(1)
        if len(tries) < 2:
            raise OSError("not yet")
        return {"x": 1}

    made = Flow(
        nodes=[Node("first", first, retry=Retry(2, 0.0)), Node("yes", step), Node("no", step)],
        edges=[Edge("first", "yes", guard), Edge("first", "no")],
        entry="first",
    )
    assert (await made.run({})).path == ["first", "yes"]


async def test_an_output_that_cel_cannot_hold_is_no_matter_where_nobody_asks_for_it() -> None:
    async def holds_a_client(state: State) -> State:
        return {"client": object()}

    made = Flow(
        nodes=[Node("first", holds_a_client), Node("yes", step), Node("no", step)],
        edges=[Edge("first", "yes", "result.attempts == 1"), Edge("first", "no")],
        entry="first",
    )
    assert (await made.run({})).path == ["first", "yes"]
