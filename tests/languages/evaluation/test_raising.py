"""What in a node's code may end the run, as far as it can be seen."""

from __future__ import annotations

from textwrap import indent

import pytest

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

FLOW = """\
import sys
from flows import Edge, Flow, Node
from elsewhere import ask

class Model: ...

def plain(x):
    return len(x)

def failing(x):
    raise ValueError(x)

def round_and_round(x):
    return round_and_round(x)

async def run(state, config=None):
{body}

flow = Flow(nodes=[Node("a", run)], edges=[Edge("a", "a")], entry="a")
"""


def ends_itself(source: str) -> bool:
    result = analyse_file("a.py", ProjectFiles({"a.py": source.encode()}), ".")
    (graph,) = result.graphs
    return graph.nodes[0].ends_itself


@pytest.mark.parametrize(
    "body",
    [
        "return state",
        "state['n'] = state.get('n', 0) + 1\nreturn {**state, 'n': state['n'] / 2}",
        "return {'text': f'{state[\"n\"]}', 'all': ', '.join(state.keys()), 'n': len(state)}",
        "n: list[int] = sorted(state['n'], key=lambda x: -x)\nif n:\n    return {'n': plain(n)}",
        "for x in state['xs']:\n    print(x, *state['ys'])",
    ],
)
def test_plain_code_ends_nothing(body: str) -> None:
    assert not ends_itself(FLOW.format(body=indent(body, "    ")))


@pytest.mark.parametrize(
    "body",
    [
        "if state['n'] > 3:\n    raise StopIteration\nreturn state",
        "assert state['n'] < 3",
        "sys.exit()",
        "exit()",
        "return {'n': next(state['xs'])}",
        "return {'n': int(state['n'])}",
        "return {'n': 1 / state['left']}",
        "return {'n': state['xs'][0]}",
        "xs = config\nreturn xs['n']",
        "return {'n': await ask(state)}",
        "return {'n': config.ask(state)}",
        "return {'n': failing(state)}",
        "return {'n': round_and_round(state)}",
        "return {'n': Model()}",
        "len = ask\nreturn {'n': len(state)}",
        "with state['lock']:\n    return state",
        "import anything\nreturn state",
    ],
)
def test_what_may_raise_may_end_the_run(body: str) -> None:
    assert ends_itself(FLOW.format(body=indent(body, "    ")))


def test_code_out_of_sight_may_end_the_run() -> None:
    source = FLOW.format(body="    return state")
    assert ends_itself(source.replace('Node("a", run)', 'Node("a", ask)'))
    assert ends_itself(source.replace("async def run", "@ask\nasync def run"))


def test_a_router_may_end_the_run() -> None:
    source = """\
from langgraph.graph import START, StateGraph

def run(state):
    return state

def route(state):
    {body}

builder = StateGraph(dict)
builder.add_node("a", run)
builder.add_edge(START, "a")
builder.add_conditional_edges("a", route, {{"again": "a"}})
builder.compile()
"""
    assert not ends_itself(source.format(body="return state['next']"))
    assert ends_itself(source.format(body="raise ValueError"))
