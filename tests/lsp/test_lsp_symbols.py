"""Flows, nodes and regions as symbols of documents and of the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from lsp_client import Document, settled
from lsprotocol import types
from marked import open_all, said, shown
from named_flows import (
    FLOWRT,
    FLOWRT_JSON,
    FLOWRT_YAML,
    HYDRA,
    LANGGRAPH,
    NAMES,
    USING_NAMES,
    WORK,
)
from pytest_lsp import LanguageClient


async def symbols(document: Document) -> Sequence[types.DocumentSymbol]:
    params = types.DocumentSymbolParams(document.id)
    return await document.client.text_document_document_symbol_async(params) or ()


def tree(document: Document, found: Sequence[types.DocumentSymbol], depth: int = 0) -> list[str]:
    lines: list[str] = []
    for one in found:
        place = one.selection_range.start
        lines.append(f"{'  ' * depth}{one.name} ({one.detail}) {place.line + 1}")
        lines += tree(document, one.children or (), depth + 1)
    return lines


def is_nested(one: types.DocumentSymbol) -> bool:
    def within(inner: types.Range) -> bool:
        outer = one.range
        starts = (outer.start.line, outer.start.character)
        ends = (outer.end.line, outer.end.character)
        return starts <= (inner.start.line, inner.start.character) and (
            (inner.end.line, inner.end.character) <= ends
        )

    inner = one.children or ()
    return within(one.selection_range) and all(within(c.range) and is_nested(c) for c in inner)


async def test_flow_nodes_regions(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": FLOWRT})["flow.py"]
    found = await symbols(flow)
    assert tree(flow, found) == [
        "FLOW (flowrt · 3 nodes) 8",
        "  collect (step · work) 10",
        "  again (repeat) 12",
        "    body (region) 16",
        "      try_it (step · work) 17",
        "      tidy (step · work) 17",
        "  publish (step · work) 23",
    ]
    assert all(map(is_nested, found))
    assert said(FLOWRT, found[0].children[0].selection_range) == "10: collect"


async def test_a_builder_has_all_that_is_added_to_it(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": LANGGRAPH})["flow.py"]
    (graph,) = await symbols(flow)
    assert [one.name for one in graph.children] == ["plan", "write", "review", "publish"]
    lines = LANGGRAPH.split("\n")
    assert lines[graph.range.start.line].startswith("graph = StateGraph")
    assert lines[graph.range.end.line].startswith("graph.add_edge(")
    assert is_nested(graph)


@pytest.mark.parametrize(("name", "text"), [("f.json", FLOWRT_JSON), ("f.yaml", FLOWRT_YAML)])
async def test_data(editor: LanguageClient, tmp_path: Path, name: str, text: str) -> None:
    files = open_all(editor, tmp_path, {"work.py": WORK, name: text})
    (flow,) = await symbols(files[name])
    assert (flow.name, flow.detail) == ("papers", "flowrt · 2 nodes")
    assert [one.name for one in flow.children] == ["collect", "publish"]
    assert is_nested(flow)


async def test_nodes_for_flows_elsewhere(vscode: LanguageClient, tmp_path: Path) -> None:
    nodes = 'from flows import Node\n\n\ndef nodes(run):\n    return [Node("collect", run)]\n'
    flow = (
        "from flows import Edge, Flow\nfrom nodes import nodes\n\n\nasync def run(state):\n"
        '    return None\n\n\nFLOW = Flow(nodes=nodes(run), edges=[], entry="collect")\n'
    )
    files = open_all(vscode, tmp_path, {"nodes.py": nodes, "flow.py": flow})
    assert tree(files["flow.py"], await symbols(files["flow.py"])) == [
        "FLOW (HydraFlow · 1 node) 9"
    ]
    assert tree(files["nodes.py"], await symbols(files["nodes.py"])) == [
        "collect (step · run of FLOW) 5"
    ]


async def test_a_list_for_editors_without_trees(plain: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(plain, tmp_path, {"flow.py": FLOWRT})["flow.py"]
    found = [(one.name, one.container_name) for one in await symbols(flow)]
    assert found[:3] == [("FLOW", None), ("collect", "FLOW"), ("again", "FLOW")]
    assert ("tidy", "body") in found


async def sought(client: LanguageClient, query: str) -> list[str]:
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
    where = shown(one.location for one in found or ())
    names = [f"{one.name} in {one.container_name}" for one in found or ()]
    return [f"{name}: {at}" for name, at in zip(names, where, strict=True)]


async def test_the_whole_workspace(editor: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text(NAMES)
    (tmp_path / "other.py").write_text(USING_NAMES)
    flow = open_all(editor, tmp_path, {"flow.py": HYDRA})["flow.py"]
    open_all(editor, tmp_path, {"other.py": USING_NAMES})["other.py"].close()
    await flow.diagnostics()

    async def are_known() -> bool:
        return await sought(editor, "PBL") == [
            "publish in FLOW: flow.py:19: LAST",
            "publish in FLOW: other.py:10: LAST",
        ]

    await settled(are_known)
    assert await sought(editor, "review") == ["review in FLOW: flow.py:19: review"]
    assert (await sought(editor, "flow"))[0].startswith("FLOW in HydraFlow: flow.py:18:")
    assert await sought(editor, "nothing like it") == []
    assert len(await sought(editor, "")) == 7
