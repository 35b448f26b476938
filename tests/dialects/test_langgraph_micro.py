"""Tiny programs that the real LangGraph rejects, each with a twin that it accepts.

Every rejected one must be an error here and no accepted one may be. Where langgraph can be
imported (see `langgraph_parity`), the real one must raise for exactly the same programs.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest
from langgraph_parity import record

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

PRELUDE = """
from enum import Enum
from functools import partial
from typing import Annotated, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command


class State(TypedDict):
    text: str
    more: str


def a(state: State):
    return {"text": "a"}


def b(state: State):
    return {"more": "b"}


async def waiting(state: State):
    return {"text": "waiting"}


def route(state: State):
    return state["text"]


def other_route(state: State):
    return state["text"]


def to_b(state: State) -> Command[Literal["b"]]:
    return Command(goto="b")


def to_nowhere(state: State) -> Command[Literal["nowhere"]]:
    return Command(goto="nowhere")


def routed_nowhere(state: State) -> Literal["nowhere"]:
    return "nowhere"


builder = StateGraph(State)
"""


@dataclass(frozen=True)
class Micro:
    """A program that raises, the twin that does not, and the rule that tells."""

    title: str
    rule: str
    raises: str
    accepted: str


def started(*lines: str) -> str:
    """A flow that begins at `a`, with these lines, compiled."""
    first = ['builder.add_node("a", a)', 'builder.add_edge(START, "a")']
    return "\n".join([*first, *lines, "graph = builder.compile()"])


NODE_B = 'builder.add_node("b", b)'

MICROS = [
    Micro(
        "no schema",
        "invalid-definition",
        "builder = StateGraph()",
        "builder = StateGraph(State)",
    ),
    Micro(
        "duplicate node",
        "duplicate-node",
        started('builder.add_node("a", b)'),
        started(NODE_B),
    ),
    Micro(
        "duplicate inferred node",
        "duplicate-node",
        started("builder.add_node(a)"),
        started("builder.add_node(b)"),
    ),
    Micro(
        "edge out of END",
        "invalid-definition",
        started('builder.add_edge(END, "a")'),
        started('builder.add_edge("a", END)'),
    ),
    Micro(
        "edge into START",
        "invalid-definition",
        started('builder.add_edge("a", START)'),
        started(NODE_B, 'builder.add_edge("a", "b")'),
    ),
    Micro(
        "edge to an unknown node",
        "dangling-edge",
        started('builder.add_edge("a", "nowhere")'),
        started(NODE_B, 'builder.add_edge("a", "b")'),
    ),
    Micro(
        "edge from an unknown node",
        "dangling-edge",
        started('builder.add_edge("nowhere", "a")'),
        started(NODE_B, 'builder.add_edge(START, "b")', 'builder.add_edge("b", "a")'),
    ),
    Micro(
        "the word START instead of the marker",
        "dangling-edge",
        started('builder.add_edge("START", "a")'),
        started('builder.add_edge("__start__", "a")'),
    ),
    Micro(
        "the word END instead of the marker",
        "dangling-edge",
        started('builder.add_edge("a", "END")'),
        started('builder.add_edge("a", "__end__")'),
    ),
    Micro(
        "no entry",
        "missing-entry",
        'builder.add_node("a", a)\nbuilder.add_edge("a", END)\ngraph = builder.compile()',
        started('builder.add_edge("a", END)'),
    ),
    Micro(
        "only conditional edges, none from START",
        "missing-entry",
        'builder.add_node("a", a)\nbuilder.add_conditional_edges("a", route, {"b": "a"})\n'
        "graph = builder.compile()",
        'builder.add_node("a", a)\nbuilder.add_conditional_edges(START, route, {"b": "a"})\n'
        "graph = builder.compile()",
    ),
    Micro(
        "conditional edges out of END",
        "dangling-edge",
        started('builder.add_conditional_edges(END, route, {"b": "a"})'),
        started('builder.add_conditional_edges("a", route, {"b": "a", "c": END})'),
    ),
    Micro(
        "conditional edges from an unknown node",
        "dangling-edge",
        started('builder.add_conditional_edges("nowhere", route, {"b": "a"})'),
        started('builder.add_conditional_edges("a", route, {"b": END})'),
    ),
    Micro(
        "unknown target in a path map",
        "dangling-edge",
        started('builder.add_conditional_edges("a", route, {"b": "nowhere"})'),
        started(NODE_B, 'builder.add_conditional_edges("a", route, {"b": "b"})'),
    ),
    Micro(
        "START in a path map",
        "dangling-edge",
        started('builder.add_conditional_edges("a", route, {"b": START})'),
        started('builder.add_conditional_edges("a", route, {"b": END})'),
    ),
    Micro(
        "unknown target in a list",
        "dangling-edge",
        started('builder.add_conditional_edges("a", route, ["nowhere", END])'),
        started('builder.add_conditional_edges("a", route, ("nowhere", END))'),
    ),
    Micro(
        "unknown target that a router declares",
        "dangling-edge",
        started('builder.add_conditional_edges("a", routed_nowhere)'),
        started('builder.add_conditional_edges("a", routed_nowhere, {"nowhere": END})'),
    ),
    Micro(
        "unknown target that a node declares",
        "dangling-edge",
        started('builder.add_node("c", to_nowhere)', 'builder.add_edge("a", "c")'),
        started(NODE_B, 'builder.add_node("c", to_b)', 'builder.add_edge("a", "c")'),
    ),
    Micro(
        "unknown destination",
        "dangling-edge",
        started('builder.add_node("c", b, destinations=("nowhere",))'),
        started('builder.add_node("c", to_nowhere, destinations=("a",))'),
    ),
    Micro(
        "a colon in a name",
        "invalid-definition",
        started('builder.add_node("b:c", b)'),
        started('builder.add_node("b.c", b)'),
    ),
    Micro(
        "a bar in a name",
        "invalid-definition",
        started('builder.add_node("b|c", b)'),
        started('builder.add_node("b/c", b)'),
    ),
    Micro(
        "a node called like START",
        "invalid-definition",
        started('builder.add_node("__start__", b)'),
        started('builder.add_node("start", b)'),
    ),
    Micro(
        "a node called like END",
        "invalid-definition",
        started('builder.add_node("__end__", b)'),
        started('builder.add_node("end", b)'),
    ),
    Micro(
        "the same router twice",
        "invalid-definition",
        started(
            NODE_B,
            'builder.add_conditional_edges("a", route, ["b"])',
            'builder.add_conditional_edges("a", route, [END])',
        ),
        started(
            NODE_B,
            'builder.add_conditional_edges("a", route, ["b"])',
            'builder.add_conditional_edges("a", other_route, [END])',
        ),
    ),
    Micro(
        "two lambdas",
        "invalid-definition",
        started(
            NODE_B,
            'builder.add_conditional_edges("a", lambda s: "b", ["b"])',
            'builder.add_conditional_edges("a", lambda s: END, [END])',
        ),
        started(
            NODE_B,
            'builder.add_conditional_edges("a", lambda s: "b", ["b"])',
            'builder.add_conditional_edges("b", lambda s: END, [END])',
        ),
    ),
    Micro(
        "a lambda and a partial",
        "invalid-definition",
        started(
            NODE_B,
            'builder.add_conditional_edges("a", lambda s: "b", ["b"])',
            'builder.add_conditional_edges("a", partial(route), [END])',
        ),
        started(
            NODE_B,
            'builder.add_conditional_edges("a", route, ["b"])',
            'builder.add_conditional_edges("a", partial(route), [END])',
        ),
    ),
    Micro(
        "a join before one of its sources",
        "invalid-definition",
        started('builder.add_edge(["a", "b"], END)', NODE_B),
        started(NODE_B, 'builder.add_edge(["a", "b"], END)'),
    ),
    Micro(
        "a join before its target",
        "invalid-definition",
        started('builder.add_edge(["a"], "b")', NODE_B),
        started('builder.add_edge("a", "b")', NODE_B),
    ),
    Micro(
        "a join of an unknown node",
        "dangling-edge",
        started('builder.add_edge(["a", "nowhere"], END)'),
        started(NODE_B, 'builder.add_edge(("a", "b"), END)'),
    ),
    Micro(
        "a join towards an unknown node",
        "dangling-edge",
        started('builder.add_edge(["a"], "nowhere")'),
        started('builder.add_edge(["a"], "a")'),
    ),
    Micro(
        "a join of START",
        "invalid-definition",
        started(NODE_B, 'builder.add_edge([START, "a"], "b")'),
        started(NODE_B, 'builder.add_edge(START, "b")', 'builder.add_edge(["a"], "b")'),
    ),
    Micro(
        "a join of END",
        "invalid-definition",
        started(NODE_B, 'builder.add_edge(["a", END], "b")'),
        started(NODE_B, 'builder.add_edge(["a", "b"], END)'),
    ),
    Micro(
        "a join towards START",
        "invalid-definition",
        started('builder.add_edge(["a"], START)'),
        started('builder.add_edge(["a"], END)'),
    ),
    Micro(
        "an unknown node to stop before",
        "dangling-edge",
        started().replace("compile()", 'compile(interrupt_before=["nowhere"])'),
        started().replace("compile()", 'compile(interrupt_before=["a"])'),
    ),
    Micro(
        "an unknown node to stop after",
        "dangling-edge",
        started().replace("compile()", 'compile(interrupt_after=["a", "nowhere"])'),
        started().replace("compile()", 'compile(interrupt_after="*")'),
    ),
    Micro(
        "an empty sequence",
        "empty-flow",
        started("builder.add_sequence([])"),
        started("builder.add_sequence([b])"),
    ),
    Micro(
        "a name twice in a sequence",
        "duplicate-node",
        started("builder.add_sequence([b, b])"),
        started('builder.add_sequence([b, ("c", b)])'),
    ),
    Micro(
        "a name in a sequence that is there",
        "duplicate-node",
        started('builder.add_sequence([("a", b)])'),
        started('builder.add_sequence([("c", b)])'),
    ),
    Micro(
        "a timeout of a function that is not async",
        "bad-limit",
        started('builder.add_node("b", b, timeout=5)'),
        started('builder.add_node("b", waiting, timeout=5)'),
    ),
    Micro(
        "a timeout below zero",
        "bad-limit",
        started('builder.add_node("b", waiting, timeout=-1)'),
        started('builder.add_node("b", waiting, timeout=0.5)'),
    ),
    Micro(
        "a flow that is not compiled as a node",
        "invalid-definition",
        started(
            "inner = StateGraph(State)",
            'inner.add_node("i", b)',
            'inner.add_edge(START, "i")',
            'builder.add_node("b", inner)',
        ),
        started(
            "inner = StateGraph(State)",
            'inner.add_node("i", b)',
            'inner.add_edge(START, "i")',
            'builder.add_node("b", inner.compile())',
        ),
    ),
    Micro(
        "a sequence from a generator",
        "invalid-definition",
        started("builder.add_sequence(step for step in [b])"),
        started("builder.add_sequence([step for step in [b]])"),
    ),
    Micro(
        "a node without a function",
        "invalid-definition",
        started('builder.add_node("b")'),
        started("builder.add_node(b)"),
    ),
    Micro(
        "a flow without anything",
        "empty-flow",
        "graph = builder.compile()",
        "builder.add_edge(START, END)\ngraph = builder.compile()",
    ),
    Micro(
        "a finish point at END",
        "invalid-definition",
        started("builder.set_finish_point(END)"),
        started('builder.set_finish_point("a")'),
    ),
    Micro(
        "an unknown entry point",
        "unknown-entry",
        'builder.add_node("a", a)\nbuilder.set_entry_point("nowhere")\ngraph = builder.compile()',
        'builder.add_node("a", a)\nbuilder.set_entry_point("a")\ngraph = builder.compile()',
    ),
]


def errors(program: str, folder: Path) -> list[str]:
    """The names of the rules that call the program wrong."""
    (folder / "flow.py").write_text(PRELUDE + program + "\n")
    result = analyse_file("flow.py", ProjectFiles(), str(folder))
    return [finding.name for finding in result.findings if finding.severity == "error"]


@pytest.mark.parametrize("micro", MICROS, ids=lambda micro: micro.title.replace(" ", "-"))
def test_told_as_error(micro: Micro, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert errors(micro.raises, tmp_path) == [micro.rule]
    assert errors(micro.accepted, tmp_path) == []


def test_the_real_one_raises_for_the_same(tmp_path: Path) -> None:
    programs = [(micro, raises) for micro in MICROS for raises in (True, False)]
    folders = [tmp_path / str(number) for number in range(len(programs))]
    for (micro, raises), folder in zip(programs, folders, strict=True):
        folder.mkdir()
        program = micro.raises if raises else micro.accepted
        (folder / "flow.py").write_text(textwrap.dedent(PRELUDE) + program + "\n")
    problems = [
        f"{micro.title}: {'accepted' if raises else real['error']}"
        for (micro, raises), real in zip(programs, record(folders), strict=True)
        if (real["error"] is not None) != raises
    ]
    assert not problems, "\n".join(problems)
