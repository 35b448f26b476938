"""What nodes are declared to give is what they give."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import pytest
from flowrt import Edge, Flow, Node, Region
from flowrt.errors import FlowValidationError
from flowrt_fakes import value

from flowlint.graph.node_outputs import Output, output_of

BALLOT = {"mode": "ballot", "question": "?", "voters": ["a", "b"]}
TYPED = {
    "type": "object",
    "properties": {"grade": {"enum": ["good", "bad"]}, "marks": {"type": "integer"}, "more": {}},
    "additionalProperties": False,
}


def said(answer: Any) -> dict[str, Any]:
    """Services where everybody says the same."""
    voters = {name: lambda _: answer for name in "ab"}
    return {"services": {"ask": lambda _: answer, "voters": voters}}


SPLIT = {"services": {"ask": lambda _: "no", "voters": {"a": lambda _: "YES", "b": lambda _: "NO"}}}


@pytest.mark.parametrize(
    ("kind", "config", "world"),
    [
        ("ask", {"question": "?", "options": ["yes", "no"]}, said("no")),
        ("ask", {"question": "?", "options": ["Yes", "no"]}, said("YES")),
        ("ask", {"question": "?", "answer": {"type": "string"}}, said("so")),
        ("ask", {"question": "?", "answer": {"type": "number"}}, said(2.5)),
        ("ask", {"question": "?", "answer": TYPED}, said({"grade": "bad", "marks": 3})),
        ("decision", BALLOT, said("yes")),
        ("decision", {**BALLOT, "result": "approval"}, said("REVISE")),
        ("decision", {**BALLOT, "result": "choice", "options": ["x", "y"]}, said("y")),
        ("decision", {**BALLOT, "result": "custom", "answer": {"type": "integer"}}, said(3)),
        ("decision", {**BALLOT, "escalate": {"below": 1}}, SPLIT),
        ("wait", {"seconds": 0}, {}),
        ("shell", {"command": sys.executable, "args": ["-c", "print(1)"]}, {}),
        ("shell", {"command": sys.executable, "args": ["-c", "print(1)"], "parse": "text"}, {}),
    ],
)  # fmt: skip
async def test_they_give_what_is_declared(
    kind: str, config: dict[str, Any], world: dict[str, Any]
) -> None:
    declared = output_of(kind, config, [])
    assert declared is not None
    assert_holds(declared, await value(kind, config, **world))


@pytest.mark.parametrize(
    ("config", "regions"),
    [
        ({"over": [1, 2]}, ["body"]),
        ({"over": [1, 2], "max_iterations": 1, "on_limit": "stop"}, ["body"]),
        ({}, ["try"]),
        ({}, ["try", "catch"]),
    ],
)
@pytest.mark.parametrize("fails", [False, True])
async def test_so_do_nodes_with_regions(
    config: dict[str, Any], regions: list[str], fails: bool
) -> None:
    kind = "repeat" if "body" in regions else "attempt"

    async def run(state: dict[str, Any]) -> dict[str, Any]:
        if fails and "catch" in regions and "tried" not in state:
            raise RuntimeError("no")
        return state

    def region(slot: str) -> Region:
        function = run if slot != "catch" else lambda state: state
        return Region([Node(f"in_{slot}", function)], [], f"in_{slot}")

    node = Node("it", kind=kind, config=config, regions={slot: region(slot) for slot in regions})
    result = await Flow(nodes=[node], edges=[], entry="it").run({})
    declared = output_of(kind, config, [])
    assert declared is not None
    assert_holds(declared, result.outputs["it"])


def assert_holds(declared: Output, given: Any) -> None:
    """A value is as it is declared."""
    if declared.values is not None:
        assert declared.values.admits(given)
    if declared.fields is None:
        return
    assert isinstance(given, Mapping)
    assert set(given) <= dict(declared.fields).keys()
    for name, values in declared.fields:
        if values is not None and name in given:
            assert values.admits(given[name]), name


@pytest.mark.parametrize(
    ("kind", "config", "after"),
    [
        ("ask", {"question": "?", "options": ["a"], "multiple": True}, []),
        ("ask", {"question": "?"}, []),
        ("ask", {"question": "?", "answer": {"type": ["string", "null"]}}, []),
        ("ask", {"question": "?", "answer": {"enum": ["a", 1]}}, []),
        ("ask", {"question": "?", "answer": {"$ref": "#/x"}}, []),
        ("ask", {"question": "?", "options": ["a"]}, [{"type": "transform", "expression": "1"}]),
        ("ask", {"question": "?", "options": ["a"]}, [{"type": "acme.other"}]),
        ("shell", {"command": "x", "parse": "strict"}, []),
        ("agent", {"prompt": "x", "parse": "fenced"}, []),
        ("step", {}, []),
        ("acme.kind", {}, []),
    ],
)
def test_of_others_nothing_is_known(kind: str, config: dict[str, Any], after: list[Any]) -> None:
    assert output_of(kind, config, after) is None


def flow(when: str) -> Flow:
    ask = {"question": "?", "options": ["yes", "no"]}
    return Flow(
        nodes=[Node("asked", kind="ask", config=ask), Node("end", kind="end")],
        edges=[Edge("asked", "end", when=when), Edge("asked", "end")],
        entry="asked",
    )


def test_flows_whose_guards_never_hold_are_refused() -> None:
    with pytest.raises(FlowValidationError, match="`output` is `yes` or `no`"):
        flow("output == 'yess'")
    with pytest.raises(FlowValidationError, match="which has no fields"):
        flow("output.choice == 'yes'")
    flow("output == 'yes'")


def test_what_a_failed_node_gives_is_not_declared() -> None:
    ask = {"question": "?", "options": ["yes", "no"], "timeout": 1}
    Flow(
        nodes=[Node("asked", kind="ask", config=ask), Node("end", kind="end")],
        edges=[
            Edge("asked", "end", when="output != 'maybe'", outcome="timed_out"),
            Edge("asked", "end"),
        ],
        entry="asked",
    )
