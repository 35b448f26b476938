"""What leads to nodes and where they lead, as a call hierarchy."""

from __future__ import annotations

from pathlib import Path

from lsp_client import Document
from lsprotocol import types
from marked import open_all, said
from named_flows import FLOWRT, FLOWRT_YAML, HYDRA, LANGGRAPH, NAMES, USING_NAMES
from pytest_lsp import LanguageClient


async def item(document: Document, text: str) -> types.CallHierarchyItem:
    place = document.at(text)
    found = await document.client.text_document_prepare_call_hierarchy_async(
        types.CallHierarchyPrepareParams(place.text_document, place.position)
    )
    (one,) = found
    return one


async def coming(document: Document, one: types.CallHierarchyItem) -> list[str]:
    params = types.CallHierarchyIncomingCallsParams(one)
    found = await document.client.call_hierarchy_incoming_calls_async(params)
    return [
        f"{call.from_.name} at {', '.join(said(document.text, r) for r in call.from_ranges)}"
        for call in found
    ]


async def going(document: Document, one: types.CallHierarchyItem) -> list[str]:
    params = types.CallHierarchyOutgoingCallsParams(one)
    found = await document.client.call_hierarchy_outgoing_calls_async(params)
    return [
        f"{call.to.name} at {', '.join(said(document.text, r) for r in call.from_ranges)}"
        for call in found
    ]


async def test_ways_in_and_out(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": HYDRA})["flow.py"]
    review = await item(flow, '"review", LAST')
    assert (review.name, review.detail) == ("review", "gate · publish of FLOW")
    assert said(HYDRA, review.selection_range) == "19: review"
    assert await coming(flow, review) == ['collect at 21: Edge("collect", "review")']
    assert await going(flow, review) == [
        'publish at 22: Edge("review", LAST, when=is_good)',
        'collect at 23: Edge("review", "collect")',
    ]
    collect = await item(flow, '"collect", collect')
    assert await coming(flow, collect) == [
        'FLOW at 25: "collect"',
        'review at 23: Edge("review", "collect")',
    ]


async def test_from_one_to_the_next(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": LANGGRAPH})["flow.py"]
    one = await item(flow, '"plan", plan')
    names = [one.name]
    for _ in range(2):
        params = types.CallHierarchyOutgoingCallsParams(one)
        found = await editor.call_hierarchy_outgoing_calls_async(params)
        one = found[0].to
        names.append(one.name)
    assert names == ["plan", "write", "publish"]
    assert await going(flow, one) == []


async def test_the_start_of_a_flow(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": HYDRA})["flow.py"]
    collect = await item(flow, '"collect", collect')
    params = types.CallHierarchyIncomingCallsParams(collect)
    start = (await vscode.call_hierarchy_incoming_calls_async(params))[0].from_
    assert start.kind == types.SymbolKind.Module
    assert await going(flow, start) == ['collect at 25: "collect"']
    assert await coming(flow, start) == []


async def test_into_regions_and_out_of_them(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": FLOWRT})["flow.py"]
    again = await item(flow, '"again"')
    assert [one.partition(" ")[0] for one in await going(flow, again)] == [
        "try_it",
        "publish",
        "collect",
    ]
    assert await coming(flow, await item(flow, '"try_it"')) == ['again at 19: "try_it"']


async def test_data(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"f.yaml": FLOWRT_YAML})["f.yaml"]
    publish = await item(flow, '"publish"')
    assert await coming(flow, publish) == ["collect at 10: from: collect"]


async def test_over_files(editor: LanguageClient, tmp_path: Path) -> None:
    files = open_all(editor, tmp_path, {"names.py": NAMES, "flow.py": USING_NAMES})
    flow = files["flow.py"]
    await flow.diagnostics()
    publish = await item(files["names.py"], '"publish"')
    assert publish.uri == flow.uri
    assert await coming(flow, publish) == ['collect at 11: Edge("collect", LAST)']
