"""What nodes are seen to write, read and hand over to."""

from __future__ import annotations

from pathlib import Path

import pytest
from body_help import code_of, handovers, writes

from flowlint.graph.code import Code

HELPERS = """
def extra(state):
    return {{"z": 1}}

def fill(update):
    update["filled"] = 1

def go(name):
    return Command(goto=name, update={{"from_helper": 1}})

async def later(state):
    return {{"late": 1}}

{async_}def node(state):
{body}
"""


def read(folder: Path, body: str) -> Code:
    async_ = "async " if "await" in body else ""
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    code = code_of(folder, HELPERS.format(async_=async_, body=indented))
    assert code is not None
    return code


WRITES = {
    "a literal": ('return {"x": 1, "y": 2}', "x y"),
    "nothing": ("print(1)", ""),
    "some ways": ('if state["q"]:\n    return {"x": 1}\nreturn {"x": 2, "y": 1}', "x y?"),
    "or nothing": ('if state["q"]:\n    return {"x": 1}', "x?"),
    "a variable that grows": (
        'out = {}\nout["x"] = 1\nif state["q"]:\n    out["y"] = 2\nreturn out',
        "x y?",
    ),
    "under another name": ('out = {}\nother = out\nother["x"] = 1\nreturn out', "x"),
    "dict()": ('return dict(x=1, **{"y": 2})', "x y"),
    "update": ('out = {"x": 1}\nout.update({"y": 2}, z=3)\nreturn out', "x y z"),
    "spread": ('return {**extra(state), "x": 1}', "x z"),
    "spread of what is not known": ('return {**unknown(), "x": 1}', "x …"),
    "joined with |": ('return {"x": 1} | {"y": 2}', "x y"),
    "joined in place": ('out = {}\nother = out\nout |= {"x": 1}\nreturn other', "x"),
    "the state joined in place": ('state |= {"x": 1}\nreturn state', "x?"),
    "what may be another, by its own name": (
        'one, two = {}, {}\nout = one if state["q"] else two\nout.update(x=1)\nreturn out',
        "x",
    ),
    "what may have been another": (
        'one, two = {}, {}\nout = one if state["q"] else two\nout.update(x=1)\nreturn one',
        "x?",
    ),
    "what may have been another, by an element": (
        'one, two = {"x": 1}, {}\n(one if state["q"] else two)["y"] = 1\nreturn one',
        "x y?",
    ),
    "what may have been taken of another": (
        'one, two = {"x": 1}, {"x": 1}\n(one if state["q"] else two).pop("x")\nreturn one',
        "x?",
    ),
    "what may have been joined to another": (
        'one, two = {}, {}\nout = one if state["q"] else two\nout |= {"x": 1}\nreturn two',
        "x?",
    ),
    "setdefault": ('out = {}\nout.setdefault("x", 1)\nreturn out', "x"),
    "pop": ('out = {"x": 1, "y": 2}\nout.pop("x")\nreturn out', "y"),
    "del": ('out = {"x": 1}\ndel out["x"]\nreturn out', "x?"),
    "a key that is one of two": ('return {"x" if state["q"] else "y": 1}', "x? y?"),
    "a key that is not known": ('return {state["q"]: 1}', "…"),
    "a comprehension": ('return {k: 1 for k in state["q"]}', "…"),
    "a helper that fills it": ('out = {"x": 1}\nfill(out)\nreturn out', "x …"),
    "a helper's result": ("return extra(state)", "z"),
    "an awaited helper": ("return await later(state)", "late"),
    "a call out of sight": ("return compute(state)", "…"),
    "in a loop": ('out = {}\nfor i in state["q"]:\n    out["x"] = i\nreturn out', "x?"),
    "in try": (
        'try:\n    out = {"x": compute()}\nexcept ValueError:\n    out = {"y": 1}\nreturn out',
        "x? y?",
    ),
    "after try": (
        'out = {"x": 1}\ntry:\n    out["y"] = compute()\nexcept ValueError:\n    pass\nreturn out',
        "x y?",
    ),
    "raising ways do not count": ('if state["q"]:\n    raise ValueError\nreturn {"x": 1}', "x"),
    "Command": ('return Command(update={"x": 1})', "x"),
    "a list of commands": ('return [Command(update={"x": 1}), {"y": 1}]', "x y"),
    "Command from a helper": ('return go("other")', "from_helper"),
    "Command for the parent": (
        'return Command(graph=Command.PARENT, update={"x": 1}, goto="b")',
        "",
    ),
    "Overwrite": ('return {"x": Overwrite(1)}', "x"),
}


@pytest.mark.parametrize("case", WRITES)
def test_writes(case: str, tmp_path: Path) -> None:
    body, expected = WRITES[case]
    assert writes(read(tmp_path, body)) == expected


HANDOVERS = {
    "none": ('return {"x": 1}', ""),
    "goto": ('return Command(goto="other")', "goto other"),
    "goto END": ("return Command(goto=END)", "goto __end__"),
    "on some ways": ('if state["q"]:\n    return Command(goto="other")\nreturn {}', "goto other?"),
    "one of two": ('return Command(goto="a" if state["q"] else "b")', "goto a?, goto b?"),
    "several": ('return Command(goto=["a", "b"])', "goto a, goto b"),
    "a variable": (
        'to = END\nif state["q"]:\n    to = "a"\nreturn Command(goto=to)',
        "goto a?, goto __end__?",
    ),
    "of the state": ('return Command(goto=state["to"])', "…"),
    "a helper": ('return go("other")', "goto other"),
    "sends": ('return Command(goto=[Send("a", i) for i in state["q"]])', "send a? (many)"),
    "one send": ('return Command(goto=Send("a", {}))', "send a"),
    "a send of its own": ('return Send("a", {})', "send a"),
    "to the parent": ('return Command(goto="a", graph=Command.PARENT)', "goto a (parent)"),
    "to a graph that is not known": ('return Command(goto="a", graph=state["g"])', "…"),
    "with arguments that are not known": ("return Command(**compute())", "…"),
    "what is out of sight": ("return compute(state)", "…"),
    "a chain of tests": (
        'if state["q"] == 1:\n    to = "a"\nelif state["q"] == 2:\n    to = "b"\n'
        "else:\n    to = END\nreturn Command(goto=to)",
        "goto a?, goto b?, goto __end__?",
    ),
}


@pytest.mark.parametrize("case", HANDOVERS)
def test_handovers(case: str, tmp_path: Path) -> None:
    body, expected = HANDOVERS[case]
    assert handovers(read(tmp_path, body)) == expected


@pytest.mark.parametrize(
    ("body", "always"),
    [
        ('return Command(goto="a")', True),
        ('if state["q"]:\n    return Command(goto="a")\nreturn Command(goto="b")', True),
        ('if state["q"]:\n    return Command(goto="a")', False),
        ('if state["q"]:\n    return Command(goto="a")\nreturn Command(update={})', False),
    ],
)
def test_whether_it_always_hands_over(body: str, always: bool, tmp_path: Path) -> None:
    assert read(tmp_path, body).hands_over_always == always


@pytest.mark.parametrize(
    ("body", "reads", "more"),
    [
        ('x = state["a"]\nreturn {"b": state.get("c")}', {"a": True, "c": False}, False),
        ("return {'b': state.a}", {"a": True}, False),
        ("return helper(state)", {}, True),
        ("return extra(state)", {}, False),
        ('for k in state["a"]:\n    print(k["b"])', {"a": True}, False),
        ("compute(**state)", {}, True),
        ('if "a" in state:\n    return {}', {"a": False}, False),
        ('return {"b": 1} if "a" not in state else {}', {"a": False}, False),
        ('x = state["q"] in ("a", "b")', {"q": True}, False),
        ('x = state.pop("a")\ny = state.pop("b", None)', {"a": True, "b": False}, False),
        (
            'try:\n    x = state["a"]\nexcept KeyError:\n    x = 1\ny = state["b"]',
            {"a": False, "b": True},
            False,
        ),
        ('try:\n    x = state["a"]\nfinally:\n    print(1)', {"a": True}, False),
        ('state["a"] = 1\nx = state["a"]\ny = state["b"]', {"b": True}, False),
        ('x = state.setdefault("a", 1)\ny = state["b"]', {"b": True}, False),
        ('state.update(unknown())\nx = state["a"]', {}, False),
        ('del state["b"]\nx = state["a"]', {"a": True}, False),
        ('helper(state)\nx = state["a"]', {"a": False}, True),
    ],
)
def test_reads(body: str, reads: dict[str, bool], more: bool, tmp_path: Path) -> None:
    code = read(tmp_path, body)
    assert ({r.key: r.hard for r in code.reads}, code.more_reads) == (reads, more)


@pytest.mark.parametrize(
    ("body", "is_state"),
    [
        ("return state", True),
        ('state["x"] = 1\nreturn state', True),
        ('return {**state, "x": 1}', True),
        ("return dict(state)", True),
        ("return state.copy()", True),
        ('return state if state["q"] else {}', True),
        ('return state["inner"]', False),
        ('return {"x": state}', False),
    ],
)
def test_whether_the_state_itself_is_returned(body: str, is_state: bool, tmp_path: Path) -> None:
    assert (read(tmp_path, body).returns_state is not None) == is_state


@pytest.mark.parametrize(
    ("body", "odd"),
    [
        ('return "next"', ["a str"]),
        ('return ["a"]', ["a list"]),
        ('return ("a", 1)', ["a tuple"]),
        ("return 3", ["an int"]),
        ("return None", []),
        ("return compute()", []),
        ('return [Command(goto="a")]', []),
        ("return [compute()]", []),
        ('if state["q"]:\n    return "next"\nreturn {}', ["a str"]),
    ],
)
def test_what_cannot_be_an_update(body: str, odd: list[str], tmp_path: Path) -> None:
    assert [found.what for found in read(tmp_path, body).odd] == odd


CALLABLES = {
    "a method": (
        "class Nodes:\n    def node(self, state):\n        return self.made()\n"
        "    def made(self):\n        return {'x': 1}\n",
        "Nodes().node",
        "x",
    ),
    "a method of a base class": (
        "class Base:\n    def node(self, state):\n        return self.made()\n"
        "class Nodes(Base):\n    def made(self):\n        return {'x': 1}\n",
        "Nodes().node",
        "x",
    ),
    "a closure": (
        "def make(key):\n    def node(state):\n        return {key: 1}\n    return node\n",
        "make('x')",
        "x",
    ),
    "a lambda": ("", "lambda state: {'x': 1}", "x"),
    "an object": (
        "class Node:\n    async def __call__(self, state):\n        return {'x': 1}\n",
        "Node()",
        "x",
    ),
    "a partial": (
        "def node(state, key, config=None):\n    return {key: state['q']}\n",
        "partial(node, key='x')",
        "x",
    ),
    "wrapped": (
        "def logged(function):\n    @wraps(function)\n    def inner(*args, **kwargs):\n"
        "        return function(*args, **kwargs)\n    return inner\n"
        "@logged\ndef node(state):\n    return {'x': 1}\n",
        "node",
        "x",
    ),
}


@pytest.mark.parametrize("case", CALLABLES)
def test_callables(case: str, tmp_path: Path) -> None:
    source, node, expected = CALLABLES[case]
    code = code_of(tmp_path, source, node)
    assert code is not None
    assert writes(code) == expected


@pytest.mark.parametrize(
    ("source", "node"),
    [
        ("from elsewhere import node", "node"),
        ("from langgraph.prebuilt import ToolNode", "ToolNode([])"),
        ("from elsewhere import logged\n@logged\ndef node(state):\n    return {}", "node"),
    ],
)
def test_what_is_out_of_sight_is_told_as_such(source: str, node: str, tmp_path: Path) -> None:
    assert code_of(tmp_path, source, node) is None


def test_a_body_that_is_too_long_is_out_of_sight(tmp_path: Path) -> None:
    body = "\n".join(f'    x{i} = state["a{i}"]' for i in range(3000))
    assert code_of(tmp_path, f"def node(state):\n{body}\n    return {{'x': 1}}") is None


def test_deep_nesting_is_no_fault(tmp_path: Path) -> None:
    deep = "(" * 80 + "1" + ")" * 80
    ladder = "".join(f"{'    ' * (i + 1)}if state['q']:\n" for i in range(18))
    source = f"def node(state):\n{ladder}{'    ' * 19}return {{'x': {deep}}}\n"
    code = code_of(tmp_path, source)
    assert code is not None
    assert writes(code) == "x?"
