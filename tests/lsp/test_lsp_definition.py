"""From the name of a node to the node, and on to its function."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import Document
from lsprotocol import types
from marked import open_all, shown
from named_flows import FLOWRT, FLOWRT_JSON, FLOWRT_YAML, HYDRA, LANGGRAPH, NAMES, USING_NAMES, WORK
from pytest_lsp import LanguageClient


async def definition(document: Document, text: str, which: int = 0) -> list[str]:
    place = document.at(text, which)
    found = await document.client.text_document_definition_async(
        types.DefinitionParams(place.text_document, place.position)
    )
    return shown(found or ())


async def test_from_mentions_to_nodes_to_functions(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": HYDRA})["flow.py"]
    assert await definition(flow, '"review", LAST') == ["flow.py:19: review"]
    assert await definition(flow, "LAST, when") == ["flow.py:19: LAST"]
    assert await definition(flow, '"publish"') == ["flow.py:19: LAST"]
    assert await definition(flow, 'entry="collect', which=0) == []
    assert await definition(flow, '"collect",\n)') == ["flow.py:19: collect"]
    assert await definition(flow, '"collect", collect') == ["flow.py:6: collect"]
    assert await definition(flow, "collect)") == ["flow.py:6: collect"]
    assert await definition(flow, "is_good)") == ["flow.py:14: is_good"]
    assert await definition(flow, "state[") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"write", "review"]', "36: write"),
        ('"write")', "36: write"),
        ('"review", update', "37: review"),
        ('"plan" if', "35: plan"),
        ("u'publish'", "38: publish"),
        ('"publish"])\ngraph', "38: publish"),
        ('"publish"])\n', "38: publish"),
        ('"plan", plan', "12: plan"),
        ("review)\ngraph.add_node", "22: review"),
        ("route)", "26: route"),
        ("write)", "18: write"),
    ],
)
async def test_langgraph(vscode: LanguageClient, tmp_path: Path, text: str, expected: str) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": LANGGRAPH})["flow.py"]
    assert await definition(flow, text) == [f"flow.py:{expected}"]


async def test_regions_have_names_of_their_own(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": FLOWRT})["flow.py"]
    assert await definition(flow, '"tidy")') == ["flow.py:17: tidy"]
    assert await definition(flow, '"publish"}') == ["flow.py:23: publish"]
    assert await definition(flow, '"big"') == []


@pytest.mark.parametrize(("name", "text"), [("f.json", FLOWRT_JSON), ("f.yaml", FLOWRT_YAML)])
async def test_data(editor: LanguageClient, tmp_path: Path, name: str, text: str) -> None:
    files = open_all(editor, tmp_path, {name: text, "work.py": WORK})
    number = 5 if name == "f.yaml" else 6
    assert await definition(files[name], "collect") == [f"{name}:{number}: collect"]
    assert await definition(files[name], "collect", which=1) == ["work.py:1: def collect"]
    assert await definition(files[name], "publish") == ["work.py:5: def publish"]
    assert await definition(files[name], "work:publish") == []


async def test_over_files(editor: LanguageClient, tmp_path: Path) -> None:
    files = open_all(editor, tmp_path, {"names.py": NAMES, "flow.py": USING_NAMES})
    assert await definition(files["flow.py"], "LAST)]") == ["flow.py:10: LAST"]
    await files["flow.py"].diagnostics()
    assert await definition(files["names.py"], '"publish"') == ["flow.py:10: LAST"]
