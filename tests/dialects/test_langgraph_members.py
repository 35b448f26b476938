"""Names that are members of enumerations, wherever LangGraph goes by them.

For every kind of enumeration and every place: a finding exactly where the program goes wrong.
Where langgraph can be imported the programs are also run.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from langgraph_parity import outcomes

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

PRELUDE = """
import enum
import operator
from typing import Annotated, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send


class State(TypedDict):
    log: Annotated[list, operator.add]


class Step({bases}):
    A = "a"
    B = "b"
    STOP = "__end__"


def a(state):
    return {{"log": ["a"]}}


def b(state):
    return {{"log": ["b"]}}


"""

RUN = """
def run():
    builder = StateGraph(State)
    builder.add_node({a}, {action})
    builder.add_node({b}, b)
    builder.add_edge(START, {a})
    {lines}
    return builder.compile().invoke({{"log": []}})
"""

KINDS = {"Enum": "enum.Enum", "str": "str, enum.Enum", "StrEnum": "enum.StrEnum"}
TEXTS = ('"a"', '"b"')
MEMBERS = ("Step.A", "Step.B")

FAILS, SILENT, FINE = "fails", "ends silently", "runs"
Outcomes = tuple[str | None, str, str]
"""What becomes of a program with a plain Enum, with one of texts, with a StrEnum; None: not tried.
"""


@dataclass(frozen=True)
class Place:
    """A name at one place of a program. `nodes`: what the nodes are added as."""

    title: str
    lines: str
    outcomes: Outcomes
    nodes: tuple[str, str] = TEXTS
    action: str = "a"
    before: str = ""


def routed(title: str, router: str, path_map: str, outcomes: Outcomes, **more: object) -> Place:
    """A router beside the node `a`, with its targets."""
    nodes = more.get("nodes", TEXTS)
    given = f", {path_map}" if path_map else ""
    lines = f"builder.add_conditional_edges({nodes[0]}, {router}{given})"  # type: ignore[index]
    return Place(title, lines, outcomes, **more)  # type: ignore[arg-type]


def handed(title: str, command: str, outcomes: Outcomes, **more: object) -> Place:
    """A node that hands over by itself."""
    return Place(title, "pass", outcomes, action=f"lambda state: {command}", **more)  # type: ignore[arg-type]


MEMBER, TEXT = "lambda state: Step.B", 'lambda state: "b"'
DECLARED = "def route(state) -> Literal[{}]:\n    return {}\n"

PLACES = [
    routed("route", MEMBER, "", (SILENT, SILENT, FINE)),
    routed("routes in a list", "lambda state: [Step.B]", "", (SILENT, SILENT, FINE)),
    routed("the value as route", "lambda state: Step.B.value", "", (FINE, FINE, FINE)),
    routed("route for a key", MEMBER, '{"b": "b"}', (FAILS, FINE, FINE)),
    routed("route for a listed text", MEMBER, '["b"]', (FAILS, FINE, FINE)),
    routed("route for itself as key", MEMBER, '{Step.B: "b"}', (FINE, FINE, FINE)),
    routed("route for itself in a list", MEMBER, "[Step.B]", (FAILS, SILENT, FINE)),
    routed("text for a member as key", TEXT, '{Step.B: "b"}', (FAILS, FINE, FINE)),
    routed("text for a listed member", TEXT, "[Step.B]", (FAILS, SILENT, FINE)),
    routed("text beside nodes of members", TEXT, "", (None, SILENT, FINE), nodes=MEMBERS),
    routed("member beside nodes of members", MEMBER, "", (None, FINE, FINE), nodes=MEMBERS),
    routed("text as target", TEXT, '{"b": "b"}', (None, SILENT, FINE), nodes=MEMBERS),
    routed("member as target", TEXT, '{"b": Step.B}', (None, FINE, FINE), nodes=MEMBERS),
    routed(
        "route that a Literal names as text",
        "route",
        "",
        (FAILS, FINE, FINE),
        before=DECLARED.format('"b"', "Step.B"),
    ),
    routed(
        "route that a Literal names as member",
        "route",
        "",
        (FAILS, SILENT, FINE),
        before=DECLARED.format("Step.B", "Step.B"),
    ),
    routed("message", "lambda state: [Send(Step.B, {})]", "", (SILENT, FINE, FINE)),
    handed("goto", "Command(goto=Step.B)", (FAILS, SILENT, FINE)),
    handed("goto in a list", "Command(goto=[Step.B])", (SILENT, SILENT, FINE)),
    handed("goto as message", "Command(goto=Send(Step.B, {}))", (SILENT, FINE, FINE)),
    handed("text as goto", 'Command(goto="b")', (None, SILENT, FINE), nodes=MEMBERS),
    handed("member as goto", "Command(goto=Step.B)", (None, FINE, FINE), nodes=MEMBERS),
    Place(
        "goto that a Literal names as member",
        "pass",
        (FAILS, FINE, FINE),
        action="jump",
        before='def jump(state) -> Command[Literal[Step.B]]:\n    return Command(goto="b")\n',
    ),
    Place("edge", 'builder.add_edge("a", Step.B)', (FAILS, SILENT, FINE)),
    Place("destination", "pass", (FAILS, FINE, FINE), action='a, destinations=(Step.B,)'),
    Place("edge to the end", 'builder.add_edge("a", "b")\n    builder.add_edge("b", Step.STOP)',
          (FAILS, FINE, FINE)),
]  # fmt: skip

PROGRAMS = [
    pytest.param(place, kind, outcome, id=f"{place.title}: {kind}".replace(" ", "-"))
    for place in PLACES
    for kind, outcome in zip(KINDS, place.outcomes, strict=True)
    if outcome is not None
]


def program(place: Place, kind: str) -> str:
    """The whole program."""
    a, b = place.nodes
    run = RUN.format(a=a, b=b, action=place.action, lines=place.lines)
    return PRELUDE.format(bases=KINDS[kind]) + place.before + run


@pytest.mark.parametrize(("place", "kind", "outcome"), PROGRAMS)
def test_told_exactly_where_it_goes_wrong(
    place: Place, kind: str, outcome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flow.py").write_text(program(place, kind))
    findings = analyse_file("flow.py", ProjectFiles(), ".").findings
    told = [f for f in findings if f.severity != "info" and f.name != "unreachable-node"]
    expected = {FAILS: ["error"], SILENT: ["warning"], FINE: []}[outcome]
    assert [finding.severity for finding in told] == expected
    assert {f.name for f in told} <= {"dangling-edge", "unhandled-route"}
    assert all("Step." in f"{f.message} {f.help}" for f in told)


def test_the_real_one_goes_wrong_there() -> None:
    tried = [param.values for param in PROGRAMS]
    ended = outcomes([program(place, kind) for place, kind, _ in tried])
    for (place, kind, outcome), real in zip(tried, ended, strict=True):
        reached = "'b'" in real["result"]
        # An end that a name leads to is no node that does not run.
        silent = FINE if reached or "destination" in place.title else SILENT
        assert (FAILS if real["raises"] else silent) == outcome, (place.title, kind, real)
