"""step, gate, loop, compute, start, end and action nodes."""

from __future__ import annotations

from typing import Any

import pytest
from flowrt import Edge, register_callable
from flowrt.errors import FlowError, FlowValidationError, NodeResultError
from flowrt_fakes import context, execute, value


@pytest.mark.parametrize("kind", ["step", "gate", "loop"])
async def test_run_gives_the_new_state(kind: str) -> None:
    async def slow(state: dict[str, Any]) -> dict[str, Any]:
        return {**state, "a": 1}

    for run in (slow, lambda state: {**state, "a": 1}):
        output = await execute(context(kind, run=run, state={"b": 2}))
        assert output.state == output.value == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("returned", "said"),
    [(None, "returned nothing"), ("x", "returned a str"), ([1], "returned a list")],
)
async def test_what_is_no_state_is_refused_with_the_cure(returned: Any, said: str) -> None:
    with pytest.raises(NodeResultError) as caught:
        await value("step", run=lambda state: returned)
    assert said in str(caught.value)
    assert "node `n` of flow `test flow`" in str(caught.value)
    assert "Return the state" in str(caught.value)


async def test_gates_and_loops_need_nothing_to_run_and_steps_do() -> None:
    assert await value("gate", state={"a": 1}) == {"a": 1}
    assert await value("loop", state={"a": 1}) == {"a": 1}
    with pytest.raises(FlowError, match="nothing to run"):
        await value("step")


async def test_acpx_a_compute_gets_the_context_and_gives_a_value() -> None:
    async def run(world: Any) -> Any:
        return world.outputs["before"] + 1

    output = await execute(context("compute", run=run, outputs={"before": 1}))
    assert (output.value, output.state) == (2, None)


async def test_compute_by_path_and_by_cel() -> None:
    world = {"state": {"rows": [1, 2], "o": {"x": 1}}, "outputs": {"a": {"n": 2}}}
    assert await value("compute", {"expression": "rows"}, **world) == [1, 2]
    assert await value("compute", {"expression": "outputs.a.n"}, **world) == 2
    assert await value("compute", {"expression": "size(state.rows) + outputs.a.n"}, **world) == 4
    with pytest.raises(FlowError, match="no `missing` in a mapping with `rows`, `o`"):
        await value("compute", {"expression": "state.missing"}, **world)
    with pytest.raises(FlowError, match="cannot be evaluated"):
        await value("compute", {"expression": "1 + state.o.x + 'a'"}, **world)
    with pytest.raises(FlowError, match="nothing to run"):
        await value("compute")


async def test_a_path_leads_to_the_very_object() -> None:
    marker = object()
    assert await value("compute", {"expression": "state.m"}, state={"m": marker}) is marker


async def test_cel_only_needs_what_it_mentions() -> None:
    state = {"n": 1, "unspeakable": object()}
    assert await value("compute", {"expression": "state.n + 1"}, state=state) == 2
    assert await value("compute", {"expression": "has(state.z)"}, state=state) is False


async def test_maps_from_cel_are_in_the_order_of_their_keys() -> None:
    inner = dict.fromkeys("hgfe", 0)
    text = "{'d': 1, 'c': [state.m], 'b': 2, 'a': 3, 10: 4, 9: 5}"
    given = await value("compute", {"expression": text}, state={"m": inner})
    assert list(given) == [9, 10, "a", "b", "c", "d"]
    assert list(given["c"][0]) == ["e", "f", "g", "h"]


async def test_agentsflow_b_start_and_end_pass_on() -> None:
    """agentsflow.md b: start gives the task, end what the node before it gave."""
    assert await value("start", input={"x": 1}) == {"x": 1}
    assert await value("end", incoming=Edge("a", "n"), outputs={"a": 5}) == 5
    assert await value("end") is None


async def test_unknown_config_fields_are_named() -> None:
    """agentsflow.md a drops misspelt options; here they are refused."""
    with pytest.raises(FlowValidationError, match="`expresion`: Extra inputs"):
        await value("compute", {"expresion": "1"})


async def test_action_node_runs_an_action() -> None:
    output = await execute(
        context("action", {"action": "set_context", "with": {"key": "a", "value": 1}})
    )
    assert output.state == {"a": 1}
    config = {"action": "transform", "with": {"expression": "result * 2"}, "value_from": "n"}
    assert await value("action", config, state={"n": 4}) == 8
    with pytest.raises(FlowError, match=r"has the action `nope`, but there are only .*`log`"):
        await value("action", {"action": "nope"})


async def test_acpx_a_action_node_runs_a_function() -> None:
    assert await value("action", run=lambda world: world.input, input=3) == 3
    with pytest.raises(FlowError, match="nothing to run"):
        await value("action")
    with pytest.raises(FlowError, match="both"):
        await value("action", {"action": "log", "with": {"message": "x"}}, run=lambda world: 1)


async def test_callables_have_to_be_registered() -> None:
    register_callable("tests.double", lambda value: value * 2)
    config = {"action": "transform", "with": {"function": "tests.double"}, "value_from": "n"}
    assert await value("action", config, state={"n": 4}) == 8
    config = {"action": "transform", "with": {"function": "nobody"}, "value_from": "n"}
    with pytest.raises(FlowError, match="callable `nobody`, but none is registered"):
        await value("action", config, state={"n": 4})
