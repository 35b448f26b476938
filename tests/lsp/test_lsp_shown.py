"""What is shown within the text: lenses above flows, hints, and the look of names."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_lsp
from lsp_client import CONFIG, Document, begin
from lsp_flows import DANGLING
from lsprotocol import types
from pytest_lsp import LanguageClient

GRAPH = """from langgraph.graph import END, START, StateGraph

LAST = "publish"


def plan(state: dict):
    return state


builder = StateGraph(dict)
builder.add_node(plan)
builder.add_node(LAST, plan)
builder.add_edge(START, "plan")
builder.add_edge("plan", LAST)
builder.add_edge(LAST, END)
graph = builder.compile()
"""

GUARDED = """from flows import Edge, Flow, Node


async def work(state):
    return state


def ready(state):
    return state["ready"]


FLOW = Flow(
    nodes=[Node("plan", work), Node("build", work), Node("ship", work)],
    edges=[
        Edge("plan", "build", when=ready),
        Edge("plan", "ship", when=lambda state: state["urgent"]),
        Edge("build", "plan", when=ready),
        Edge("build", "ship"),
    ],
    entry="plan",
)
"""


@pytest_lsp.fixture(config=CONFIG)
async def drawing(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    """VS Code with an extension that draws flows."""
    await begin(lsp_client, tmp_path, "visual_studio_code", showGraph=True)
    yield
    await lsp_client.shutdown_session()


async def _lenses(editor: LanguageClient, document: Document) -> list[types.CodeLens]:
    found = await editor.text_document_code_lens_async(types.CodeLensParams(document.id))
    return list(found or ())


async def _hints(
    editor: LanguageClient, document: Document, first: int = 0, last: int = 99
) -> list[tuple[int, int, str]]:
    place = types.Range(types.Position(first, 0), types.Position(last, 0))
    found = await editor.text_document_inlay_hint_async(types.InlayHintParams(document.id, place))
    return [(one.position.line, one.position.character, str(one.label)) for one in found or ()]


async def test_a_lens_tells_what_there_is(drawing: LanguageClient, tmp_path: Path) -> None:
    document = Document(drawing, tmp_path / "flow.py", DANGLING)
    (lens,) = await _lenses(drawing, document)
    assert lens.range.start == types.Position(7, 7)
    assert lens.command is not None
    assert lens.command.title == "2 nodes · 1 finding · show graph"
    assert lens.command.command == "flowlint.showGraph"
    uri, name, place = lens.command.arguments or ()
    assert (uri, name, place["start"]) == (document.uri, "FLOW", {"line": 7, "character": 7})
    document.replace("publihs", "publish")
    (lens,) = await _lenses(drawing, document)
    assert lens.command is not None and lens.command.title == "2 nodes · show graph"


async def test_without_a_view_the_lens_only_tells(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    (lens,) = await _lenses(editor, document)
    assert lens.command == types.Command("2 nodes · 1 finding", "")


async def test_names_that_are_not_written_are_shown(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", GRAPH)
    assert await _hints(editor, document) == [(10, 17, '"plan", '), (11, 21, '= "publish"')]
    assert await _hints(editor, document, 11, 12) == [(11, 21, '= "publish"')]
    document.replace("add_node(plan)", 'add_node("plan", plan)')
    assert await _hints(editor, document, 0, 11) == []


async def test_one_place_of_several_names_has_no_hint(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    text = GRAPH.replace("builder.add_node(LAST, plan)", "for name in (LAST, 'rest'):\n    ADD")
    document = Document(
        vscode, tmp_path / "flow.py", text.replace("ADD", "builder.add_node(name, plan)")
    )
    assert await _hints(vscode, document) == [(10, 17, '"plan", ')]
    document.replace("(LAST, 'rest')", "(LAST,)")
    assert (12, 25, '= "publish"') in await _hints(vscode, document)


async def test_what_happens_otherwise_is_shown(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", GUARDED)
    ends = {name: document.position(name, after=True) for name in ('urgent"])', 'build", "ship")')}
    told = [(end.line, end.character) for end in ends.values()]
    assert await _hints(editor, document) == [
        (*told[0], "otherwise: the run fails"),
        (*told[1], "otherwise"),
    ]


async def test_a_limit_is_shown_where_there_is_a_loop(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    document = Document(vscode, tmp_path / "flow.py", GRAPH)
    document.replace("LAST, END", 'LAST, "plan"')
    hints = [text for *_, text in await _hints(vscode, document)]
    assert [text.split(" = ")[0] for text in hints if "limit" in text] == ["recursion_limit"]


async def test_names_of_nodes_are_coloured(editor: LanguageClient, tmp_path: Path) -> None:
    text = GRAPH.replace('"publish"', '"épubl😋"')
    document = Document(editor, tmp_path / "flow.py", text)
    found = await editor.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(document.id)
    )
    assert found is not None
    lines, place, told = text.split("\n"), types.Position(0, 0), []
    encoding = str(editor.server_capabilities.position_encoding or "utf-16")
    assert editor.server_capabilities.semantic_tokens_provider is not None
    legend = editor.server_capabilities.semantic_tokens_provider.legend.token_types
    for at in range(0, len(found.data), 5):
        below, right, length, kind, modifiers = found.data[at : at + 5]
        start = right if below else place.character + right
        place = types.Position(place.line + below, start)
        told.append((_cut(lines[place.line], start, length, encoding), legend[kind], modifiers))
    assert told == [
        ("épubl😋", "enumMember", 1),
        ("plan", "enumMember", 0),
        ("plan", "enumMember", 0),
        ("END", "keyword", 0),
    ]


def _cut(line: str, start: int, length: int, encoding: str) -> str:
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    data = line.encode("utf-8" if encoding == "utf-8" else f"{encoding}-le")
    return data[start * width : (start + length) * width].decode(
        "utf-8" if encoding == "utf-8" else f"{encoding}-le"
    )


async def test_all_of_it_can_be_turned_off(plain: LanguageClient, tmp_path: Path) -> None:
    document = Document(plain, tmp_path / "flow.py", GRAPH)
    assert await _lenses(plain, document) == []
    assert await _hints(plain, document) == []
    found = await plain.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(document.id)
    )
    assert found is not None and not found.data


@pytest_lsp.fixture(config=CONFIG)
async def plain(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    """VS Code whose user wants to see nothing but the text."""
    wanted = {"codeLens": False, "inlayHints": {"enable": False}, "semanticTokens": False}
    await begin(lsp_client, tmp_path, "visual_studio_code", **wanted)
    yield
    await lsp_client.shutdown_session()
