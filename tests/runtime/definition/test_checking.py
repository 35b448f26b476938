"""The checker of flows that are objects: every finding, with its code, and nothing run."""

from __future__ import annotations

import dataclasses
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flowrt import Edge, Flow, FlowValidationError, Node, Region, Retry, Switch
from flowrt.checking import check_flow, find_faults
from flowrt.definition.load import from_json
from hypothesis import given, settings
from hypothesis import strategies as st

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

Data = dict[str, Any]


async def go(state: Data) -> Data:
    raise AssertionError("nothing runs while a flow is checked")


def guard(state: Data) -> bool:
    raise AssertionError("nothing runs while a flow is checked")


async def slow(state: Data) -> bool:
    return True


class Called:
    async def __call__(self, state: Data) -> bool:
        return True

    def method(self, state: Data) -> bool:
        return True


def found(nodes: Any, edges: Any, entry: Any = "a", **more: Any) -> list[str]:
    faults = find_faults(name="x", nodes=nodes, edges=edges, entry=entry, **more)
    return sorted(finding.code for finding in faults)


A, B = Node("a", go), Node("b", go)


def test_every_finding_is_in_the_message_on_a_line_of_its_own() -> None:
    with pytest.raises(FlowValidationError) as caught:
        Flow(
            nodes=[A, Node("b", go, kind="stpe"), A],
            edges=[Edge("a", "nobody"), Edge("a", "b", slow)],
            entry="a",
            name="broken",
        )
    lines = str(caught.value).splitlines()
    assert lines[0] == "flow `broken` has 5 errors:"
    codes = [line.split()[1] for line in lines[1:]]
    assert codes == ["FL104", "FL105", "FL203", "FL208", "FL703", "FL207"]
    assert len(caught.value.findings) == 6
    assert isinstance(caught.value, ValueError)


def test_warnings_are_kept_with_the_flow() -> None:
    edges = [Edge("a", "b"), Edge("b", "a")]
    flow = Flow(nodes=[A, B], edges=edges, entry="a", max_steps=5)
    assert [(finding.code, finding.severity) for finding in flow.findings] == [("FL301", "warning")]
    assert check_flow(name="x", nodes=[A], edges=[], entry="a") == ()


def test_a_loop_without_exit_needs_something_that_ends_it() -> None:
    edges = [Edge("a", "b"), Edge("b", "a")]
    assert found([A, B], edges) == ["FL301"]
    (finding,) = find_faults(name="x", nodes=[A, B], edges=edges, entry="a")
    assert finding.severity == "error"
    stopped = find_faults(name="x", nodes=[A, B], edges=edges, entry="a", kill_switch=lambda: False)
    assert [finding.severity for finding in stopped] == ["warning"]


def test_edges_of_other_ends_do_not_compete() -> None:
    assert found([A, B], [Edge("a", "b"), Edge("a", "b", outcome="failed")]) == []
    assert found([A, B], [Edge("a", "b", outcome="failed")] * 2) == ["FL108"]
    # When all goes well the run ends at `a`, so this is no loop without exit.
    assert found([A, B], [Edge("a", "b", outcome="failed"), Edge("b", "a")]) == ["FL302"]


def test_priority_is_the_order_in_which_edges_are_tried() -> None:
    gate = Node("a", go, "gate")
    assert found([gate, B], [Edge("a", "b"), Edge("a", "a", guard)]) == ["FL203"]
    assert found([gate, B], [Edge("a", "b"), Edge("a", "a", guard, priority=1)]) == ["FL302"]


def test_where_all_edges_are_taken_nothing_may_go_round() -> None:
    edges = [Edge("a", "b"), Edge("b", "a")]
    assert found([A, B], edges, routing="all", max_steps=3) == ["FL303"]
    assert found([A, B], [Edge("a", "b"), Edge("a", "b", guard)], routing="all") == []


def test_guards_that_are_async_are_found_whatever_they_are() -> None:
    gate = Node("a", go, "gate")
    for when in (slow, partial(slow), Called()):
        assert found([gate, B], [Edge("a", "b", when)]) == ["FL208"], when
    for when in (guard, Called().method, lambda state: True, partial(guard)):
        assert found([gate, B], [Edge("a", "b", when)]) == [], when


def test_the_same_guard_twice_is_the_same_edge_twice() -> None:
    gate, called = Node("a", go, "gate"), Called()
    assert found([gate, B], [Edge("a", "b", guard), Edge("a", "b", guard)]) == ["FL108"]
    twins = [lambda state, n=n: state["n"] == n for n in (1, 2)]
    assert found([gate, B], [Edge("a", "b", twins[0]), Edge("a", "b", twins[1])]) == []
    del called


def test_regions_are_checked_as_flows_are() -> None:
    inner = Region([A, Node("c", go)], [Edge("a", "z")], "a")
    outer = Region(
        [Node("a", kind="repeat", config={"over": "items"}, regions={"body": inner})], [], "a"
    )
    whole = Node("a", kind="attempt", regions={"try": outer})
    faults = find_faults(name="x", nodes=[whole], edges=[], entry="a")
    assert sorted((finding.code, finding.flow) for finding in faults) == [
        ("FL105", "x.a.try.a.body"),
        ("FL106", "x.a.try.a.body"),
    ]


def test_a_condition_in_cel_is_decided() -> None:
    gate = Node("a", go, "gate")
    edges = [Edge("a", "b", "state.x > 1"), Edge("a", "a", "state.x < 1")]
    (first, *_) = find_faults(name="x", nodes=[gate, B], edges=edges, entry="a")
    assert "when `state.x == 1`" in first.message


@pytest.mark.parametrize(
    ("node", "code"),
    [
        (Node("a"), "FL705"),
        (Node("a", "go"), "FL705"),  # type: ignore[arg-type]
        (Node("a", go, timeout=0), "FL802"),
        (Node("a", go, timeout="soon"), "FL802"),  # type: ignore[arg-type]
        (Node("a", go, timeout=float("inf")), "FL802"),
        (Node("a", go, timeout=10**400), "FL802"),
        (Node("a", go, heartbeat=-1), "FL802"),
        (Node("a", go, retry=Retry(0)), "FL802"),
        (Node("a", go, retry=Retry(jitter=2)), "FL802"),
        (Node("a", go, retry=3), "FL701"),  # type: ignore[arg-type]
        (Node("a", go, join="al"), "FL701"),  # type: ignore[arg-type]
        (Node("a", kind="repeat", config={"over": "x"}), "FL405"),
        (Node("a", kind="parallel"), "FL405"),
        (Node("a", go, regions={"x": Region([A], [], "a")}), "FL405"),
        (Node("a", kind="wait", config={"second": 3}), "FL702"),
        (Node("a", kind="acme.unheard"), "FL703"),
        (Node("", go), "FL701"),
    ],
)
def test_what_is_wrong_with_a_node(node: Node, code: str) -> None:
    assert code in found([node], [])


JUNK: tuple[Any, ...] = (None, 3, "text", True, [], {}, [1], {"a": 1}, object(), go, float("nan"))
PARTS = (
    Node("a", go),
    Edge("a", "b"),
    Switch("a", "$.x", {"y": "b"}),
    Node("b", kind="attempt", retry=Retry(), regions={"try": Region([A], [], "a")}),
)


@settings(max_examples=500, deadline=None)
@given(st.data())
def test_no_value_whatever_breaks_the_checker(data: st.DataObject) -> None:
    parts: list[Any] = [dataclasses.replace(part) for part in PARTS]
    for _ in range(data.draw(st.integers(1, 3))):
        part = data.draw(st.sampled_from(parts))
        if data.draw(st.booleans()):
            inner = [value for value in vars_of(part).values() if isinstance(value, Retry)]
            inner += list(part.regions.values()) if isinstance_regions(part) else []
            part = data.draw(st.sampled_from(inner)) if inner else part
        if not dataclasses.is_dataclass(part):
            continue
        field = data.draw(st.sampled_from(dataclasses.fields(part)))
        setattr(part, field.name, data.draw(st.sampled_from(JUNK)))
    more = {
        key: data.draw(st.sampled_from((good, good, *JUNK)))
        for key, good in (("entry", "a"), ("routing", "first"), ("max_steps", 3), ("merge", {}))
    }
    nodes = [parts[0], parts[3], *data.draw(st.lists(st.sampled_from(JUNK), max_size=1))]
    for finding in find_faults(name="x", nodes=nodes, edges=[parts[1], parts[2]], **more):
        assert finding.code != "FL906", finding.message


def vars_of(part: Any) -> Data:
    return {field.name: getattr(part, field.name) for field in dataclasses.fields(part)}


def isinstance_regions(part: Any) -> bool:
    return isinstance(getattr(part, "regions", None), dict)


@pytest.mark.parametrize(("depth", "code"), [(64, []), (65, ["FL701"])])
def test_how_deep_regions_may_stand_is_told_alike_before_and_when_built(
    depth: int, code: list[str], tmp_path: Path
) -> None:
    node: dict[str, Any] = {"name": "t", "kind": "gate"}
    for _ in range(depth):
        node = {"name": "t", "kind": "attempt", "try": {"entry": "t", "nodes": [node]}}
    text = json.dumps({"flowrt": 1, "name": "deep", "entry": "t", "nodes": [node]})
    (tmp_path / "flow.json").write_text(text)
    static = analyse_file(str(tmp_path / "flow.json"), ProjectFiles(), str(tmp_path)).findings
    assert [finding.code for finding in static] == code
    try:
        built: Any = from_json(text).findings
    except FlowValidationError as error:
        built = error.findings
    assert [finding.message for finding in built] == [finding.message for finding in static]
