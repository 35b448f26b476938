"""What editors show of nodes and edges."""

from __future__ import annotations

from pathlib import Path

from lsp_client import Document
from lsprotocol import types
from marked import open_all, said
from named_flows import FLOWRT, FLOWRT_YAML, HYDRA, LANGGRAPH, WORK
from pytest_lsp import LanguageClient


async def hover(document: Document, text: str, which: int = 0) -> str:
    found = await hovered(document, text, which)
    return "" if found is None else found.contents.value


async def hovered(document: Document, text: str, which: int = 0) -> types.Hover | None:
    place = document.at(text, which)
    return await document.client.text_document_hover_async(
        types.HoverParams(place.text_document, place.position)
    )


async def test_a_node(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": HYDRA})["flow.py"]
    found = await hovered(flow, '"review", LAST')
    assert found is not None
    assert said(HYDRA, found.range) == "22: review"
    assert found.contents.kind == "markdown"
    assert found.contents.value == (
        "**`review`** · gate of `FLOW`\n\n"
        "```python\nasync def publish(state)\n```\n\n"
        "- comes from `collect`\n"
        "- leads to `publish` when `is_good`, `collect` otherwise\n"
        "- shortest path: `collect` → `review`"
    )


async def test_the_state_and_where_it_goes(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": LANGGRAPH})["flow.py"]
    found = await hover(flow, '"plan", plan')
    assert "- comes from the start, `review` on `plan`" in found
    assert "- leads to `write` by its own code, `review` by its own code" in found
    assert "- reads `bad`" in found
    assert "- writes `notes`" in found
    found = await hover(flow, '"publish"')
    assert "`write` by messages" in found
    assert "- leads to the end" in found
    assert "- shortest path: `plan` → `write` → `publish`" in found


async def test_findings(editor: LanguageClient, tmp_path: Path) -> None:
    text = HYDRA.replace('Edge("review", LAST, when=is_good)', 'Edge("review", "publihs")')
    flow = open_all(editor, tmp_path, {"flow.py": text})["flow.py"]
    assert await hover(flow, '"publihs"') == (
        "No node of `FLOW` is called `publihs`: did you mean `publish`?"
    )
    assert "- error FL105: " in await hover(flow, 'Edge("review", "pub')


async def test_findings_about_a_node(editor: LanguageClient, tmp_path: Path) -> None:
    text = HYDRA.replace('Edge("review", LAST', 'Edge("review", "review"')
    flow = open_all(editor, tmp_path, {"flow.py": text})["flow.py"]
    unreached = await hover(flow, "LAST, publish)")
    assert "- nothing leads here" in unreached
    assert "- cannot be reached from the start" in unreached
    assert "- error FL106: " in unreached
    assert "FL106" not in await hover(flow, '"review", publish')


async def test_edges(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": HYDRA})["flow.py"]
    found = await hovered(flow, 'Edge("review", LAST')
    assert found is not None
    assert said(HYDRA, found.range) == '22: Edge("review", LAST, when=is_good)'
    first, *_ = found.contents.value.split("\n\n")
    assert first == ("**`review` → `publish`** when `is_good` · tried as number 1 of 2 · `FLOW`")
    assert await hover(flow, "return None") == ""


async def test_regions_and_cases(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": FLOWRT})["flow.py"]
    found = await hover(flow, '"again"')
    assert "**`again`** · repeat of `FLOW`" in found
    assert "- leads to `publish` on `big`, `collect` by default" in found
    assert "- regions: `body`" in found
    assert "**`tidy`** · step of `FLOW` within a region" in await hover(flow, '"tidy"')


async def test_data(editor: LanguageClient, tmp_path: Path) -> None:
    files = open_all(editor, tmp_path, {"work.py": WORK, "f.yaml": FLOWRT_YAML})
    found = await hover(files["f.yaml"], '"publish"')
    assert "- comes from `collect` when `state.good`" in found
    assert "def publish(ctx)" in found
    assert "- ends the run" in found


async def test_plain_text_for_editors_that_know_no_other(
    plain: LanguageClient, tmp_path: Path
) -> None:
    flow = open_all(plain, tmp_path, {"flow.py": HYDRA})["flow.py"]
    found = await hovered(flow, '"collect", "review"')
    assert found is not None
    assert found.contents.kind == "plaintext"
    assert found.contents.value == (
        "collect · step of FLOW\n\nasync def collect(state)\n\n"
        "- comes from the start, review otherwise\n- leads to review"
    )
