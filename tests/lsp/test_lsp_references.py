"""All places that name a node, in all files and in one."""

from __future__ import annotations

from pathlib import Path

from lsp_client import Document, settled
from lsprotocol import types
from marked import open_all, said, shown
from named_flows import FLOWRT, FLOWRT_YAML, HYDRA, LANGGRAPH, NAMES, OUTPUTS, USING_NAMES
from pytest_lsp import LanguageClient


async def references(document: Document, text: str, *, declared: bool = True) -> list[str]:
    place = document.at(text)
    found = await document.client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(declared), place.text_document, place.position)
    )
    return shown(found or ())


async def highlights(document: Document, text: str) -> list[str]:
    place = document.at(text)
    found = await document.client.text_document_document_highlight_async(
        types.DocumentHighlightParams(place.text_document, place.position)
    )
    return [
        said(document.text, one.range)
        + (" (node)" if one.kind == types.DocumentHighlightKind.Write else "")
        for one in found or ()
    ]


async def test_constants_and_edges(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": HYDRA})["flow.py"]
    expected = ["flow.py:3: publish", "flow.py:19: LAST", "flow.py:22: LAST"]
    assert await references(flow, "LAST, when") == expected
    assert await references(flow, '"publish"') == expected
    assert await references(flow, '"review", LAST', declared=False) == [
        "flow.py:21: review",
        "flow.py:22: review",
        "flow.py:23: review",
    ]
    assert await references(flow, "return None") == []


async def test_literals_gotos_sends_maps_and_interrupts(
    editor: LanguageClient, tmp_path: Path
) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": LANGGRAPH})["flow.py"]
    assert await references(flow, '"publish"') == [
        "flow.py:26: publish",
        "flow.py:27: publish",
        "flow.py:31: publish",
        "flow.py:38: publish",
        "flow.py:41: publish",
        "flow.py:42: publish",
        "flow.py:43: publish",
    ]
    assert await highlights(flow, '"write"') == [
        "12: write",
        "14: write",
        "36: write (node)",
        "41: write",
    ]


async def test_a_region_is_a_world_of_its_own(vscode: LanguageClient, tmp_path: Path) -> None:
    text = FLOWRT.replace('"tidy"', '"publish"')
    flow = open_all(vscode, tmp_path, {"flow.py": text})["flow.py"]
    assert await highlights(flow, '"publish"') == ["17: publish (node)", "18: publish"]
    assert await highlights(flow, '"publish", work),\n    ]') == [
        "23: publish (node)",
        "27: publish",
    ]


async def test_data(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"f.yaml": FLOWRT_YAML})["f.yaml"]
    assert await highlights(flow, '"publish"') == ["7: publish (node)", "11: publish"]
    assert await references(flow, "collect}") == [
        "f.yaml:3: collect",
        "f.yaml:5: collect",
        "f.yaml:10: collect",
        "f.yaml:13: collect",
        "f.yaml:13: collect",
    ]


async def test_files_that_are_not_open(editor: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(USING_NAMES)
    names = open_all(editor, tmp_path, {"names.py": NAMES})["names.py"]
    flow = Document(editor, tmp_path / "flow.py")
    await flow.diagnostics()
    flow.close()

    async def is_known() -> bool:
        return await references(names, '"publish"') == [
            "flow.py:10: LAST",
            "flow.py:11: LAST",
            "names.py:1: publish",
        ]

    await settled(is_known)


async def test_what_a_node_gave_is_looked_at_by_its_name(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": OUTPUTS})["flow.py"]
    assert await references(flow, '"load", load') == [
        "flow.py:15: load",
        "flow.py:19: load",
        "flow.py:20: load",
        "flow.py:9: load",
        "flow.py:16: load",
        "flow.py:19: load",
    ]
