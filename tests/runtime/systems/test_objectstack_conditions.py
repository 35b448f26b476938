"""What conditions and texts of a flow can say (objectstack §b and §g)."""

from __future__ import annotations

from typing import Any

import pytest
from flowrt import Edge, FlowError, FlowValidationError, Node
from flowrt.stores.memory import MemoryStore
from objectstack_flows import chain, compute, flow, step, steps


def guarded(condition: str, **options: Any) -> Any:
    """A gate that leads to `yes` where a condition holds, to `no` otherwise."""
    nodes = [Node("a", kind="gate"), *(step(name) for name in ("yes", "no", "rescue"))]
    edges = [
        Edge("a", "yes", when=condition),
        Edge("a", "no"),
        Edge("a", "rescue", outcome="failed"),
    ]
    return flow(nodes, edges, **options)


@pytest.mark.parametrize(
    ("state", "way"), [({}, "no"), ({"x": 1}, "no"), ({"x": 2}, "yes"), ({"x": None}, "no")]
)
async def test_objectstack_b_has_asks_for_a_variable_without_a_fault(state: Any, way: str) -> None:
    made = guarded("has(state.x) && state.x != null && state.x > 1")
    assert (await made.run(state)).path == ["a", way]


@pytest.mark.parametrize("state", [{}, {"x": None}, {"x": "text"}])
async def test_objectstack_b_a_fault_in_a_condition_ends_the_run_and_is_not_false(
    state: Any,
) -> None:
    store = MemoryStore()
    with pytest.raises(FlowError, match=r"`state\.x > 1` cannot be evaluated"):
        await guarded("state.x > 1").run(state, store=store, run_id="r")
    assert store.manifest("r").status == "failed"
    assert {event.node for event in store.trace("r").events} == {"", "a"}


async def test_objectstack_b_a_fault_in_a_condition_takes_no_edge_where_all_are_taken() -> None:
    result = await guarded("state.x > 1", routing="all").run({})
    assert (result.status, result.path) == ("failed", ["a"])
    assert "`state.x > 1` cannot be evaluated" in result.failed["a"]
    assert sorted(result.blocked) == ["no", "rescue", "yes"]


@pytest.mark.parametrize("value", [1, "true", [], None])
async def test_objectstack_b_a_condition_has_to_be_true_or_false(value: Any) -> None:
    with pytest.raises(FlowError, match="neither true nor false"):
        await guarded("state.x").run({"x": value})


@pytest.mark.parametrize("condition", ["", "   ", "{x} == 1", "state.x ==", "state.x = 1"])
def test_objectstack_b_conditions_that_are_empty_or_no_cel_are_refused(condition: str) -> None:
    with pytest.raises(FlowValidationError, match="FL601"):
        guarded(condition)


@pytest.mark.parametrize(
    "condition",
    [
        "state.n == 3",
        "input.n == 1",
        "output == 2",
        "outputs.one == 1 && outputs.two == 2",
        "result.outcome == 'ok' && result.error == ''",
    ],
)
async def test_objectstack_b_what_conditions_can_look_at(condition: str) -> None:
    async def three(state: Any) -> Any:
        return {**state, "n": 3}

    nodes = [step("zero", three), compute("one", "1"), compute("two", "2"), *steps("yn")]
    edges = [
        Edge("zero", "one"),
        Edge("one", "two"),
        Edge("two", "y", when=condition),
        Edge("two", "n"),
    ]
    result = await flow(nodes, edges).run({"n": 1})
    assert result.path[-1] == "y"


async def test_objectstack_b_texts_are_filled_in_and_paths_keep_the_type() -> None:
    said = {"type": "set-context", "key": "said", "value": "{state.n} of {outputs.one.all}"}
    kept = {"type": "set-context", "key": "kept", "value_from": "outputs.one"}
    made = chain(compute("one", "{'all': [1, 2]}"), step("two", after=[said, kept]))
    state = (await made.run({"n": 1})).state
    assert state == {"n": 1, "said": "1 of [1, 2]", "kept": {"all": [1, 2]}}


def saying(text: str) -> Any:
    """A flow that puts a text into its state."""
    return chain(step("one", after=[{"type": "set-context", "key": "said", "value": text}]))


@pytest.mark.parametrize("hole", ["{state.gone}", "{outputs.nobody}", "{nobody.x}"])
async def test_objectstack_b_a_hole_that_cannot_be_filled_is_an_error_and_not_empty(
    hole: str,
) -> None:
    with pytest.raises(FlowError, match=r"leads nowhere|looks at"):
        await saying(hole).run({})


@pytest.mark.parametrize("call", ["{NOW()}", "{TODAY()+1}", "{1+1}"])
async def test_objectstack_b_nothing_is_computed_in_texts(call: str) -> None:
    assert (await saying(call).run({})).state == {"said": call}
