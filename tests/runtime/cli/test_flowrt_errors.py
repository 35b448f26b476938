"""What is told of failures beside nodes: which flow, node and edge, and each thing once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flowrt_program import Flowrt, Run, write_flow

PAIR = 'Node("a", a), Node("b", b)'
CYCLE = """
async def turns(state):
    state["s"] = state
    return state


def says(text):
    async def run(state):
        raise RuntimeError(text)
    return run


async def empty(state):
    return None
"""


def said(run: Run) -> list[str]:
    """What stands at the end, from the error on."""
    lines = run.err.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("error: "))
    return [line for line in lines[first:] if not line.startswith("go on with: ")]


@pytest.mark.parametrize(
    ("edges", "lines"),
    [
        (
            'Edge("a", "b", lambda state: state["nope"])',
            [
                "error: KeyError: 'nope'",
                "  in the guard on the edge from `a` to `b` of flow `demo`",
            ],
        ),
        (
            'Edge("a", "b", "state.zz == 1"), Edge("a", "b")',
            [
                "error: the guard on the edge from `a` to `b` of flow `demo`: `state.zz == 1` "
                "cannot be evaluated: there is no `zz`"
            ],
        ),
        (
            'Edge("a", "b", "state.a"), Edge("a", "b")',
            [
                "error: the guard on the edge from `a` to `b` of flow `demo`: `state.a` gives 1, "
                "which is neither true nor false"
            ],
        ),
        (
            'Switch("a", "$.y", {"x": "b"})',
            [
                "error: the switch after `a` of flow `demo`: `$.y` leads nowhere: there is no `y` "
                "in a mapping with "
            ],
        ),
        (
            'Switch("a", "$.a", {"x": "b"})',
            ["error: the switch after `a` of flow `demo`: `$.a` has no case `1`, only `x`"],
        ),
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_what_fails_on_an_edge_names_flow_and_edge(
    flowrt: Flowrt, tmp_path: Path, edges: str, lines: list[str], inside: bool
) -> None:
    nodes = PAIR
    lines = list(lines)
    if inside:
        body = f'Region([{nodes}], [{edges}], "a")'
        nodes = f'Node("each", kind="repeat", config={{"over": [1]}}, regions={{"body": {body}}})'
        edges = ""
    write_flow(tmp_path, "flow.py", nodes=nodes, edges=edges)
    run = flowrt("run", "flow.py", "--run-id", "r1")
    assert run.code == 1
    told = said(run)
    if inside:
        lines[0] = lines[0].replace("error: ", "error: node `each` of flow `demo` failed: ")
    assert told[0].startswith(lines[0])
    assert told[1 : len(lines)] == lines[1:]
    assert all(line.startswith("  at flow.py:") for line in told[len(lines) :])
    assert "of flow `demo`" in flowrt("list").out


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ("on_node=lambda node, state: 1 / 0", "in a hook after node `a` of flow `demo`"),
        ("checkpoint=lambda node, state: 1 / 0", "in a hook after node `a` of flow `demo`"),
        ("kill_switch=lambda: 1 / 0", "in the kill switch of flow `demo`"),
    ],
)
def test_what_fails_beside_a_node_is_named(
    flowrt: Flowrt, tmp_path: Path, more: str, where: str
) -> None:
    write_flow(tmp_path, "flow.py", nodes=PAIR, edges='Edge("a", "b")', more=more)
    run = flowrt("run", "flow.py")
    assert said(run)[:2] == ["error: ZeroDivisionError: division by zero", f"  {where}"]
    *_, result = flowrt("run", "flow.py", "--format", "json").lines
    assert result["error"]["notes"] == [where]


async def test_guards_and_hooks_are_named_without_a_store_too() -> None:
    from flowrt import Edge, Flow, Node

    async def passes(state: dict[str, Any]) -> dict[str, Any]:
        return state

    def breaks(*_: Any) -> bool:
        raise KeyError("nope")

    nodes = [Node("a", passes), Node("b", passes)]
    edges = [Edge("a", "b", breaks)]
    for made, where in (
        ({"edges": edges}, "in the guard on the edge from `a` to `b` of flow `demo`"),
        ({"edges": [Edge("a", "b")], "on_node": breaks}, "in a hook after node `a` of flow `demo`"),
        ({"edges": [Edge("a", "b")], "kill_switch": breaks}, "in the kill switch of flow `demo`"),
    ):
        with pytest.raises(KeyError) as caught:
            await Flow(nodes=nodes, entry="a", name="demo", **made).run({})  # type: ignore[arg-type]
        assert caught.value.__notes__ == [where]


def test_a_flow_that_goes_on_tells_where_each_node_failed(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("a", a), Node("x", fails), Node("y", says("no"))',
        edges='Edge("a", "x"), Edge("a", "y")',
        more='routing="all"',
        functions=CYCLE,
    )
    lines = said(flowrt("run", "flow.py"))
    assert lines[0] == "error: node `x` failed: ValueError: no luck today"
    assert lines[1].startswith("  at flow.py:")
    assert lines[1].endswith('in fails: raise ValueError("no luck today")')
    assert lines[2] == "error: node `y` failed: RuntimeError: no"
    assert lines[3].endswith("in run: raise RuntimeError(text)")


def test_a_state_that_cannot_be_kept_names_the_node_and_is_told_short(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("turns", turns)', functions=CYCLE)
    (line,) = said(flowrt("run", "flow.py"))
    assert line.startswith("error: node `turns` of flow `demo`: state['s']['s']")
    assert line.endswith("it is nested more than 200 deep, or contains itself")
    assert len(line) < 300


@pytest.mark.parametrize(
    ("node", "says"),
    [
        ('Node("n", empty)', "it returned nothing: a step has to return the state"),
        ('Node("n", kind="wait", config={"seconds": 9}, timeout=0.1)', "it took longer than"),
        ('Node("n", kind="shell", config={"command": "false"})', "`false` ended with exit code 1"),
    ],
)
@pytest.mark.parametrize("more", ["", 'routing="all"'])
def test_a_node_is_named_once(
    flowrt: Flowrt, tmp_path: Path, node: str, says: str, more: str
) -> None:
    write_flow(tmp_path, "flow.py", nodes=node, functions=CYCLE, more=more)
    run = flowrt("run", "flow.py")
    (line,) = said(run)
    of_flow = "" if more else " of flow `demo`"
    assert line.startswith(f"error: node `n`{of_flow} failed: {says}")
    (progress,) = [
        line for line in run.err.splitlines() if line[8:].startswith("  n ") and says in line
    ]
    assert "node `n`" not in progress


def test_json_keeps_the_whole_message(flowrt: Flowrt, tmp_path: Path) -> None:
    node = 'Node("n", kind="shell", config={"command": "false"})'
    write_flow(tmp_path, "flow.py", nodes=node)
    *_, result = flowrt("run", "flow.py", "--format", "json").lines
    assert result["error"]["message"] == "node `n` of flow `demo`: `false` ended with exit code 1"


def test_what_evaluates_guards_is_loaded_before_the_first_node(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    source = "import sys\n\nasync def looks(state):\n    return {'loaded': 'cel' in sys.modules}\n"
    for guard, is_loaded in (('"state.loaded"', True), ("lambda state: True", False)):
        write_flow(
            tmp_path,
            "flow.py",
            nodes='Node("looks", looks), Node("end", one)',
            edges=f'Edge("looks", "end", {guard})',
            functions=source,
        )
        assert flowrt("run", "flow.py").state["loaded"] is is_loaded
