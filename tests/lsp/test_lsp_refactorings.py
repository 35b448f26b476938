"""Changes of flows that are offered where they are equal, or plainly what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from applying import actions, applied, edit_of
from lsp_client import Document
from lsprotocol import types
from pytest_lsp import LanguageClient

GUARDED = """from flows import Edge, Flow, Node


async def work(state):
    return state


# What is shipped.
FLOW = Flow(
    nodes=[Node("plan", work), Node("build", work), Node("ship", work)],
    edges=[
        Edge("plan", "build", when=lambda state: state["ready"]),
        Edge("build", "ship"),
    ],
    entry="plan",
)
"""

SWITCHED = """from flowrt import Edge, Flow, Node


def work(state):
    return state


FLOW = Flow(
    nodes=[Node("choose", work), Node("left", work), Node("right", work)],
    edges=[
        Edge("choose", "left", when=lambda state: state["way"] == "l"),
        Edge("choose", "right", when=lambda state: state["way"] == "r"),
    ],
    entry="choose",
)
"""

GRAPH = """from langgraph.graph import START, StateGraph

builder = StateGraph(dict)
builder.add_node("plan", lambda state: {})
builder.add_edge(START, "plan")
builder.add_edge("plan", "publish")
graph = builder.compile()
"""

EXTRACT = "Extract the guard to a function"
DEFAULT = "Add an edge for when no condition after `plan` holds"
SWITCH = "Convert the edges that leave `choose` to a switch"


async def test_a_guard_becomes_a_function(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", GUARDED)
    offered = await actions(editor, document, "lambda", ["refactor"])
    assert offered[EXTRACT].kind == "refactor.extract"
    text = await applied(editor, document, offered[EXTRACT])
    assert text == GUARDED.replace(
        "# What",
        'def plan_to_build(state):\n    return state["ready"]\n\n\n# What',
    ).replace('lambda state: state["ready"]', "plan_to_build")
    assert EXTRACT not in await actions(editor, document, "when=")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('state["ready"])', 'state["ready"] and x) for x in "a"', id="name of a loop"),
        pytest.param("lambda state:", "lambda state, now=work():", id="default that is computed"),
    ],
)
async def test_what_would_change_is_not_extracted(
    vscode: LanguageClient, tmp_path: Path, old: str, new: str
) -> None:
    document = Document(vscode, tmp_path / "flow.py", GUARDED.replace(old, new))
    assert EXTRACT not in await actions(vscode, document, "lambda")


async def test_names_that_are_there_are_left_alone(vscode: LanguageClient, tmp_path: Path) -> None:
    text = GUARDED.replace("async def work", "plan_to_build = 1\n\n\nasync def work")
    document = Document(vscode, tmp_path / "flow.py", text)
    offered = await actions(vscode, document, "lambda", ["refactor.extract"])
    assert "def plan_to_build_2(state):" in await applied(vscode, document, offered[EXTRACT])


async def test_a_function_stays_where_its_names_are(vscode: LanguageClient, tmp_path: Path) -> None:
    start = GUARDED.index("# What")
    inner = "".join(f"    {line}\n" for line in GUARDED[start:].splitlines())
    text = f"{GUARDED[:start]}def make(key):\n{inner}    return FLOW\n"
    document = Document(vscode, tmp_path / "flow.py", text.replace('["ready"]', "[key]"))
    offered = await actions(vscode, document, "lambda", ["refactor.extract"])
    changed = await applied(vscode, document, offered[EXTRACT])
    assert "    def plan_to_build(state):\n        return state[key]\n\n    # What" in changed


async def test_a_default_edge_is_added(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", GUARDED)
    offered = await actions(editor, document, '"plan", "build"', ["refactor"])
    text = await applied(editor, document, offered[DEFAULT])
    first = '        Edge("plan", "build", when=lambda state: state["ready"]),\n'
    assert text == GUARDED.replace(first, f'{first}        Edge("plan", "ship"),\n')
    assert DEFAULT not in await actions(editor, document, '"plan", "build"', ["refactor"])


async def test_the_target_is_to_be_chosen(vscode: LanguageClient, tmp_path: Path) -> None:
    document = Document(vscode, tmp_path / "flow.py", GUARDED)
    offered = await actions(vscode, document, '"plan", "build"', ["refactor"])
    edit = await edit_of(vscode, offered[DEFAULT])
    assert edit.document_changes is not None
    (changed,) = edit.document_changes
    assert isinstance(changed, types.TextDocumentEdit)
    (made,) = changed.edits
    assert isinstance(made, types.SnippetTextEdit)
    assert made.snippet.value.endswith('Edge("plan", "${1|ship,build|}")')


async def test_what_is_covered_needs_no_default(vscode: LanguageClient, tmp_path: Path) -> None:
    other = '        Edge("plan", "ship", when=lambda state: not state["ready"]),\n'
    text = GUARDED.replace('        Edge("build"', f'{other}        Edge("build"')
    document = Document(vscode, tmp_path / "flow.py", text)
    assert DEFAULT not in await actions(vscode, document, '"plan", "build"')


async def test_the_node_that_an_edge_names_is_added(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", GUARDED.replace('"ship"),\n', '"test"),\n'))
    offered = await actions(editor, document, '"test"', ["quickfix"])
    text = await applied(editor, document, offered["Add the node `test`"])
    assert 'Node("ship", work), Node("test", test)]' in text
    assert "async def test(state):\n    return state\n\n\n# What" in text
    assert "FL105" not in await document.codes()


async def test_a_node_runs_the_function_of_its_name(vscode: LanguageClient, tmp_path: Path) -> None:
    text = GUARDED.replace('"ship"),\n', '"test"),\n').replace("# What", "def test(s): ...\n# What")
    document = Document(vscode, tmp_path / "flow.py", text)
    offered = await actions(vscode, document, '"test"', ["quickfix"])
    changed = await applied(vscode, document, offered["Add the node `test`"])
    assert changed.count("def test") == 1 and 'Node("test", test)' in changed


async def test_a_node_is_added_by_a_call(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", GRAPH)
    offered = await actions(editor, document, '"publish"', ["quickfix"])
    text = await applied(editor, document, offered["Add the node `publish`"])
    assert '{})\nbuilder.add_node("publish", publish)\nbuilder.add_edge' in text
    assert '\n\n\ndef publish(state):\n    return {}\n\n\nbuilder.add_node("plan"' in text
    assert await document.codes() == []


async def test_edges_become_a_switch_that_does_the_same(
    editor: LanguageClient, tmp_path: Path
) -> None:
    document = Document(editor, tmp_path / "flow.py", SWITCHED)
    offered = await actions(editor, document, 'Edge("choose"', ["refactor.rewrite"])
    text = await applied(editor, document, offered[SWITCH])
    assert '        Switch("choose", "$.way", {"l": "left", "r": "right"}),\n    ],' in text
    assert text.startswith("from flowrt import Edge, Flow, Node, Switch\n")
    for state in ({"way": "l"}, {"way": "r"}, {"way": "x"}, {"way": None}, {}, {"way": 1}):
        assert await _path(SWITCHED, state) == await _path(text, state)


async def _path(text: str, state: dict[str, Any]) -> list[str] | None:
    """The nodes that a run comes to; None where it fails."""
    names: dict[str, Any] = {}
    exec(text, names)
    try:
        result = await names["FLOW"].run(dict(state))
    except Exception:
        return None
    return list(result.path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('== "r"', '== "1"', id="a number is written like the text"),
        pytest.param('== "r"', '!= "r"', id="another comparison"),
        pytest.param('["way"] == "r"', '["to"] == "r"', id="another value"),
        pytest.param('== "r")', '== "r", priority=1)', id="a rank"),
        pytest.param(
            '== "r"),\n',
            '== "r"),\n        Edge("choose", "right"),\n',
            id="a default, which a switch takes for texts only",
        ),
    ],
)
async def test_what_is_not_equal_to_a_switch_is_not_offered(
    vscode: LanguageClient, tmp_path: Path, old: str, new: str
) -> None:
    text = SWITCHED.replace(old, new)
    assert text != SWITCHED
    document = Document(vscode, tmp_path / "flow.py", text)
    assert SWITCH not in await actions(vscode, document, 'Edge("choose"', ["refactor.rewrite"])


async def test_nothing_is_refactored_in_a_broken_text(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    document = Document(vscode, tmp_path / "flow.py", f"{GUARDED}\nx = (\n")
    assert await actions(vscode, document, "lambda", ["refactor"]) == {}
