"""HydraFlow §c: what is refused when a flow is made, and what is taken."""

from __future__ import annotations

from typing import Any

import pytest
from flowrt import Edge, Flow, FlowError, FlowValidationError, Node

State = dict[str, Any]


async def go(state: State) -> State:
    return state


def nodes(*names: str) -> list[Node]:
    return [Node(name, go) for name in names]


def faults(*, of: list[Node], edges: list[Edge], entry: Any = "a", **more: Any) -> dict[str, str]:
    """The errors that making a flow raises, as messages by their names."""
    with pytest.raises(FlowValidationError) as caught:
        Flow(nodes=of, edges=edges, entry=entry, **more)
    found = [finding for finding in caught.value.findings if finding.severity == "error"]
    assert all(finding.message.rstrip(".") in str(caught.value) for finding in found)
    return {finding.name: finding.message for finding in found}


@pytest.mark.parametrize(
    ("names", "edges", "entry", "fault", "named"),
    [
        ("aa", [], "a", "duplicate-node", "`a`"),
        ("", [], "a", "empty-flow", "no nodes"),
        ("a", [], "ghost", "unknown-entry", "`ghost`"),
        ("a", [], None, "missing-entry", ""),
        ("a", [Edge("ghost", "a")], "a", "dangling-edge", "`ghost`"),
        ("a", [Edge("a", "ghost")], "a", "dangling-edge", "`ghost`"),
        ("ab", [], "a", "unreachable-node", "`b`"),
    ],
)
def test_hydraflow_c_each_fault_names_what_is_wrong(
    names: str, edges: list[Edge], entry: Any, fault: str, named: str
) -> None:
    found = faults(of=nodes(*names), edges=edges, entry=entry)
    assert named in found[fault]


def test_hydraflow_c_every_unreachable_node_is_told() -> None:
    with pytest.raises(FlowValidationError) as caught:
        Flow(nodes=nodes("a", "z", "b"), edges=[], entry="a")
    assert {finding.node for finding in caught.value.findings} == {"b", "z"}


def test_hydraflow_c_a_validation_error_is_a_flow_error_and_a_value_error() -> None:
    with pytest.raises(FlowValidationError) as caught:
        Flow(nodes=[], edges=[], entry="a")
    assert isinstance(caught.value, FlowError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "given",
    [
        {"entry": "a"},
        {"nodes": nodes("a"), "edges": []},
        {"nodes": nodes("a"), "edges": [], "entry": "a", "retries": 3},
    ],
)
def test_hydraflow_c_missing_and_unknown_options_are_type_errors(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Flow(**given)


async def test_hydraflow_c_a_guard_does_not_count_when_nodes_are_reached() -> None:
    """Whatever a guard would say, what it leads to can be reached."""
    edges = [Edge("a", "b", when=lambda state: False), Edge("a", "c")]
    flow = Flow(nodes=nodes("a", "b", "c"), edges=edges, entry="a")
    assert (await flow.run({})).path == ["a", "c"]
    edges[0].when = "false"
    assert (await Flow(nodes=nodes("a", "b", "c"), edges=edges, entry="a").run({})).path == [
        "a",
        "c",
    ]


async def test_hydraflow_c_resuming_at_an_unknown_node_is_a_validation_error() -> None:
    with pytest.raises(FlowValidationError, match="cannot be resumed at `ghost`"):
        await Flow(nodes=nodes("a"), edges=[], entry="a").resume({}, "ghost")


def test_hydraflow_c_loops_and_gates_that_may_not_end_well_are_taken() -> None:
    guarded = [Edge("a", "a", when=lambda state: state["again"]), Edge("a", "b")]
    loop = Flow(nodes=nodes("a", "b"), edges=guarded, entry="a")
    assert "unbounded-loop" in {finding.name for finding in loop.findings}
    Flow(nodes=nodes("a", "b"), edges=[Edge("a", "b", when=lambda s: s["go"])], entry="a")


@pytest.mark.parametrize("kind", ["gate", "loop"])
def test_hydraflow_c_a_kind_that_does_not_fit_its_edges_is_only_warned_of(kind: str) -> None:
    flow = Flow(nodes=[Node("a", go, kind), *nodes("b")], edges=[Edge("a", "b")], entry="a")
    assert [(found.name, found.severity) for found in flow.findings] == [
        ("kind-mismatch", "warning")
    ]


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"of": [Node("a", go, "banana")], "edges": []}, "unknown-node-kind"),
        ({"of": [Node("", go)], "edges": [], "entry": ""}, "invalid-definition"),
        ({"of": nodes("a"), "edges": [Edge("a", "a")]}, "loop-without-exit"),
        (
            {"of": nodes("a", "b", "c"), "edges": [Edge("a", "b"), Edge("a", "c")]},
            "multiple-outgoing-edges",
        ),
        (
            {
                "of": nodes("a", "b", "c"),
                "edges": [Edge("a", "b"), Edge("a", "c", when=lambda state: True)],
            },
            "shadowed-edge",
        ),
        ({"of": nodes("a", "b"), "edges": [Edge("a", "b", when="false")]}, "unroutable-gate"),
    ],
)
def test_hydraflow_c_what_cannot_be_meant_is_refused(parts: dict[str, Any], fault: str) -> None:
    """HydraFlow takes these, and they do nothing, or never end."""
    assert fault in faults(**parts)


def test_hydraflow_b_an_async_guard_or_kill_switch_is_refused() -> None:
    """HydraFlow never awaits them: the edge is always taken, every run halted."""

    async def later(*_: State) -> bool:
        return False

    edge = Edge("a", "b", when=later)  # type: ignore[arg-type]
    assert "async-guard" in faults(of=nodes("a", "b"), edges=[edge])
    found = faults(of=nodes("a"), edges=[], kill_switch=later)
    assert "`later` is async" in found["wrong-callable"]
