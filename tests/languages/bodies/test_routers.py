"""Values that routers are seen to return."""

from __future__ import annotations

from pathlib import Path

import pytest
from body_help import router_of, routes

CASES = {
    "a constant": ('return "a"', "'a'"),
    "a conditional expression": ('return "a" if state["x"] else "b"', "'a' 'b'"),
    "early returns": ('if state["x"]:\n    return "a"\nreturn END', "'__end__' 'a'"),
    "falling off the end": ('if state["x"]:\n    return "a"', "'a' None"),
    "a bare return": ('if state["x"]:\n    return\nreturn "a"', "'a' None"),
    "a variable": ('to = "a"\nif state["x"]:\n    to = "b"\nreturn to', "'a' 'b'"),
    "a variable that is surely set": (
        'to = None\nif state["x"]:\n    to = "b"\nelse:\n    to = "c"\nreturn to',
        "'b' 'c'",
    ),
    "a test for None": (
        'to = None\nif state["x"]:\n    to = "b"\nif to is None:\n    return END\nreturn to',
        "'__end__' 'b'",
    ),
    "a test for truth": (
        'to = ""\nif state["x"]:\n    to = "b"\nreturn to or END',
        "'__end__' 'b'",
    ),
    "a test for a value": (
        'to = "a" if state["x"] else "b"\nif to == "a":\n    return "c"\nreturn to',
        "'b' 'c'",
    ),
    "a test for several": (
        'to = "a" if state["x"] else "b"\nif to in ("a", "z"):\n    return "c"\nreturn to',
        "'b' 'c'",
    ),
    "an assignment in a test": (
        'if (to := "a" if state["x"] else None):\n    return to\nreturn "b"',
        "'a' 'b'",
    ),
    "the default of get": ('return state.get("to", "a")', "'a' …"),
    "a value of the state": ('return state["to"]', "…"),
    "a table": ('return {"x": "a", "y": "b"}[state["k"]]', "'a' 'b'"),
    "a table with a default": ('return {"x": "a"}.get(state["k"], "b")', "'a' 'b'"),
    "a table of the module": ("return TABLE[state['k']]", "'a' 'b'"),
    "a key that is written on one way": (
        'out = {"to": "a"}\nif state["x"]:\n    out["to"] = "b"\nreturn out["to"]',
        "'a' 'b'",
    ),
    "a list": ('return ["a", "b"]', "'a' 'b'"),
    "a list that grows": ('to = ["a"]\nif state["x"]:\n    to.append("b")\nreturn to', "'a' 'b'"),
    "a list that grows in place": (
        'to = ["a"]\nother = to\nto += ["b"]\nreturn other',
        "'a' 'b'",
    ),
    "a recursive helper that gives what it is given": (
        'return choose("a", pick(state)) if state["x"] else choose("b", pick(state))',
        "'a' 'b'",
    ),
    "a list in a loop": ('to = []\nfor i in state["items"]:\n    to.append("a")\nreturn to', "'a'"),
    "sends": ('return [Send("a", {"i": i}) for i in state["items"]]', "send 'a' (many)"),
    "one send": ('return Send("a", {})', "send 'a'"),
    "sends or a name": (
        'if not state["items"]:\n    return END\nreturn [Send("a", i) for i in state["items"]]',
        "'__end__' send 'a' (many)",
    ),
    "a send to what is not known": ('return Send(state["to"], {})', "…"),
    "a comparison": ('return state["x"] > 3', "False True"),
    "a helper": ("return pick(state)", "'a' 'b'"),
    "a helper with arguments": ('return choose("a", state["x"])', "'a' 'b'"),
    "a helper within a helper": ("return around(state)", "'a' 'b'"),
    "a recursive helper": ("return again(state)", "'a' …"),
    "a loop with a way out": (
        'for i in (1, 2):\n    if state["x"] == i:\n        return "a"\nelse:\n    return "b"',
        "'a' 'b'",
    ),
    "an endless loop": ('while True:\n    if state["x"]:\n        return "a"', "'a'"),
    "break": ('to = "a"\nwhile state["x"]:\n    to = "b"\n    break\nreturn to', "'a' 'b'"),
    "try": (
        'try:\n    to = parse(state["x"])\n    return "a"\nexcept ValueError:\n    return "b"\n',
        "'a' 'b'",
    ),
    "try without a risk": ('try:\n    return "a"\nexcept ValueError:\n    return "b"\n', "'a'"),
    "try and finally": ('try:\n    return "a"\nfinally:\n    print(1)', "'a'"),
    "raising": ('if state["x"]:\n    raise ValueError("no")\nreturn "a"', "'a'"),
    "match": (
        'match state["x"]:\n    case "1":\n        return "a"\n    case _:\n        return "b"',
        "'a' 'b'",
    ),
    "match without a default": ('match state["x"]:\n    case "1":\n        return "a"', "'a' None"),
    "match on a variable": (
        'to = "a" if state["x"] else "b"\nmatch to:\n    case "a":\n        return "c"\n'
        '    case "b":\n        return "d"',
        "'c' 'd'",
    ),
    "with": ('with open("f") as f:\n    return "a"', "'a'"),
    "an enumeration": ("return Way.A if state['x'] else Way.B", "Way.A Way.B"),
    "the value of a member": ("return Way.A.value", "'a'"),
    "a member that is no text against a text": (
        'to = Mode.A if state["x"] else "b"\nif to == "a":\n    return "c"\nreturn to',
        "'b' Mode.A",
    ),
    "a member that is a text against a text": (
        'to = Way.A if state["x"] else "b"\nif to == "a":\n    return "c"\nreturn to',
        "'b' 'c'",
    ),
    "members that are no texts among each other": (
        'to = Mode.A if state["x"] else Mode.B\nif to in (Mode.A, "b"):\n    return "c"\nreturn to',
        "'c' Mode.B",
    ),
    "a member that is a text is that text, but not the same thing": (
        'to = Way.A if state["x"] else "b"\nif to is Way.A:\n    return "c"\n'
        'if to is not Way.B:\n    return "d"\nreturn to',
        "'c' 'd'",
    ),
    "a table of members by a text": (
        'to = {Mode.A: "c", "a": "d"}\nreturn to["a"]',
        "'d'",
    ),
    "a table of members by a member": (
        'to = {Mode.A: "c", "a": "d"}\nreturn to[Mode.A]',
        "'c'",
    ),
    "a table of the module by a member": ("return NEXT[Mode.B]", "'d'"),
    "through the keys of a table of members": (
        'for to in {Mode.A: 1}:\n    if state[to.name]:\n        return to\nreturn "b"',
        "'b' Mode.A",
    ),
    "match on members": (
        'to = Mode.A if state["x"] else Way.B\nmatch to:\n    case "a":\n        return "c"\n'
        '    case "b":\n        return "d"\n    case Mode.A:\n        return "e"\n',
        "'d' 'e'",
    ),
    "how a member is printed": ('return f"{Way.A}"', "…"),
    "a text that is put together": ('name = "wor"\nreturn f"{name}k"', "'work'"),
    "a text that is not known": ("return f\"{state['x']}_node\"", "…"),
    "taken apart": ('one, other = "a", "b"\nreturn other', "'b'"),
    "an import inside": ("from langgraph.graph import END as E\nreturn E", "'__end__'"),
    "cast": ('from typing import cast\nreturn cast(str, "a")', "'a'"),
    "awaited": ("return await slow(state)", "'a'"),
    "yielding": ('yield "a"', "…"),
    "a global that changes": ('global other\nother = "x"\nreturn other', "…"),
}

HELPERS = """
TABLE = {{"x": "a", "y": "b"}}
other = "a"

class Way(str, Enum):
    A = "a"
    B = "b"

class Mode(Enum):
    A = "a"
    B = "b"

NEXT = {{Mode.A: "c", Mode.B: "d"}}

def pick(state):
    if state["x"]:
        return "a"
    return "b"

def choose(first, is_first, default="b"):
    return first if is_first else default

def around(state):
    found = pick(state)
    return found

def again(state):
    if state["x"]:
        return again(state)
    return "a"

async def slow(state):
    return "a"

{async_}def route(state):
{body}
"""


@pytest.mark.parametrize("case", CASES)
def test_values(case: str, tmp_path: Path) -> None:
    body, expected = CASES[case]
    async_ = "async " if "await" in body else ""
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    assert routes(router_of(tmp_path, HELPERS.format(async_=async_, body=indented))) == expected


CALLABLES = {
    "a lambda": ("", 'lambda state: "a" if state["x"] else "b"', "'a' 'b'"),
    "a method": (
        "class Ways:\n    def __init__(self):\n        self.first = 'a'\n"
        "    def route(self, state):\n        return self.first if state['x'] else self.other()\n"
        "    def other(self):\n        return 'b'\n",
        "Ways().route",
        "'a' 'b'",
    ),
    "an object that is called": (
        "class Ways:\n    def __call__(self, state):\n        return 'a'\n",
        "Ways()",
        "'a'",
    ),
    "what a factory makes": (
        "def make(name):\n    def route(state):\n        return name\n    return route\n",
        "make('a')",
        "'a'",
    ),
    "what a decorator wraps": (
        "def logged(function):\n    @wraps(function)\n    def inner(state):\n"
        "        return function(state)\n    return inner\n"
        "@logged\ndef route(state):\n    return 'a'\n",
        "route",
        "'a'",
    ),
    "what an unknown decorator wraps": (
        "from elsewhere import logged\n@logged\ndef route(state):\n    return 'a'\n",
        "route",
        "…",
    ),
    "a partial": ("def route(name, state):\n    return name\n", "partial(route, 'a')", "'a'"),
    "a partial by name": (
        "def route(state, name, other='b'):\n    return name if state['x'] else other\n",
        "partial(route, name='a')",
        "'a' 'b'",
    ),
    "a partial of a partial": (
        "def route(one, two, state):\n    return one if state['x'] else two\n",
        "partial(partial(route, 'a'), 'b')",
        "'a' 'b'",
    ),
    "tools_condition": (
        "from langgraph.prebuilt import tools_condition\n",
        "tools_condition",
        "'__end__' 'tools'",
    ),
    "out of sight": ("from elsewhere import route\n", "route", "…"),
}


@pytest.mark.parametrize("case", CALLABLES)
def test_callables(case: str, tmp_path: Path) -> None:
    source, router, expected = CALLABLES[case]
    assert routes(router_of(tmp_path, source, router)) == expected


def test_functions_of_other_modules(tmp_path: Path) -> None:
    (tmp_path / "ways.py").write_text(
        "from names import FIRST\n\ndef route(state):\n    return FIRST if state['x'] else 'b'\n"
    )
    (tmp_path / "names.py").write_text('FIRST = "a"\n')
    assert routes(router_of(tmp_path, "from ways import route")) == "'a' 'b'"
