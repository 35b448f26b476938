"""What nodes and routers of LangGraph are given: a read raises where we say that it does.

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
import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send


class State(TypedDict):
    text: str
    note: str
    log: Annotated[list, operator.add]


class Text(TypedDict):
    text: str


class Extra(TypedDict):
    extra: str


"""

RUN = """
def run():
    builder = StateGraph(State{schemas})
    builder.add_node("first", first)
    builder.add_node("second", second)
    {start}
    {between}
    return builder.compile().invoke({{"text": "t", "note": "n", "extra": "e"}})
"""


@dataclass(frozen=True)
class Reading:
    """Two nodes, the second of which comes after the first. `rule`: None where nothing raises."""

    title: str
    rule: str | None
    first: str = 'def first(state): return {"log": ["first"]}'
    second: str = 'def second(state): return {"log": ["second"]}'
    schemas: str = ""
    start: str = 'builder.add_edge(START, "first")'
    between: str = 'builder.add_edge("first", "second")'


def routed(title: str, rule: str | None, router: str, **more: str) -> Reading:
    """A router between the two."""
    edges = 'builder.add_conditional_edges("first", route, ["second", END])'
    first = more.pop("first", Reading.first)
    return Reading(title, rule, f"{first}\n{router}", between=edges, **more)


UNKNOWN, EARLY = "unknown-state-key", "state-read-before-write"
NARROW = 'def first(state: Text): return {"log": ["first"]}'
HANDING = NARROW.replace("}", ', "handed": 1}')
FROM_START = "builder.add_conditional_edges(START, route, ['first'])"
NEEDS = 'def second(state{0}): return {{"log": [state["{1}"]]}}'

READINGS = [
    Reading("a key of the state", None, second=NEEDS.format("", "note")),
    Reading("a key that nobody declares", UNKNOWN, second=NEEDS.format("", "extra")),
    Reading("a key that a node lacks", UNKNOWN, second=NEEDS.format(": Text", "note")),
    Reading("a key that a node has", None, second=NEEDS.format(": State", "note")),
    Reading(
        "a key that only the input has",
        UNKNOWN,
        second=NEEDS.format("", "extra"),
        schemas=", input_schema=Extra",
    ),
    Reading(
        "a key of the input",
        None,
        second=NEEDS.format(": Extra", "extra"),
        schemas=", input_schema=Extra",
    ),
    Reading(
        "a key that the input lacks",
        EARLY,
        second=NEEDS.format("", "note"),
        schemas=", input_schema=Text",
    ),
    Reading(
        "a key that was written",
        None,
        first='def first(state): return {"note": "n"}',
        second=NEEDS.format("", "note"),
        schemas=", input_schema=Text",
    ),
    Reading(
        "a key that adds up",
        None,
        second=NEEDS.format("", "log"),
        schemas=", input_schema=Text",
    ),
    routed("a router", None, 'def route(state): return "second" if state["note"] else END'),
    routed(
        "a router and a key that nobody declares",
        UNKNOWN,
        'def route(state): return "second" if state["extra"] else END',
    ),
    routed(
        "a router of a node that takes less",
        UNKNOWN,
        'def route(state): return "second" if state["note"] else END',
        first=NARROW,
    ),
    routed(
        "a router that takes more than its node",
        None,
        'def route(state: State): return "second" if state["note"] else END',
        first=NARROW,
    ),
    routed(
        "a router that takes less than its node",
        UNKNOWN,
        'def route(state: Text): return "second" if state["note"] else END',
    ),
    routed(
        "a router and what its node returned",
        None,
        'def route(state): return "second" if state["handed"] else END',
        first=HANDING,
    ),
    routed(
        "a router that declares its state and what its node returned",
        UNKNOWN,
        'def route(state: State): return "second" if state["handed"] else END',
        first=HANDING,
    ),
    Reading(
        "a router of the start",
        None,
        Reading.first + '\ndef route(state): return "first" if state["extra"] else "first"',
        start=FROM_START,
    ),
    routed(
        "a node that is sent something",
        None,
        'def route(state): return [Send("second", {"sent": 1})]',
        second=NEEDS.format("", "sent"),
    ),
]


def program(reading: Reading) -> str:
    run = RUN.format(schemas=reading.schemas, start=reading.start, between=reading.between)
    return "\n".join([PRELUDE, reading.first, reading.second, run])


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.title.replace(" ", "-"))
def test_told_exactly_where_it_raises(
    reading: Reading, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("flow.py").write_text(program(reading))
    findings = analyse_file("flow.py", ProjectFiles(), ".").findings
    told = [finding.name for finding in findings if finding.severity != "info"]
    assert told == ([] if reading.rule is None else [reading.rule])


def test_the_real_one_raises_there() -> None:
    for reading, real in zip(READINGS, outcomes([*map(program, READINGS)]), strict=True):
        expected = None if reading.rule is None else "KeyError"
        assert real["raises"] == expected, (reading.title, real)
