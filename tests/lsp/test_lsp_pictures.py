"""Flows for editors that draw them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsp_client import Document, settled
from lsp_flows import DANGLING, IMPORTING, NODES
from pytest_lsp import LanguageClient

REGIONS = """from flowrt import Edge, Flow, Node, Region


def work(state):
    return state


def is_ready(state):
    return state["ready"]


branch = Region(nodes=[Node("inner", work), Node("last", work)],
                edges=[Edge("inner", "last")], entry="inner")
FLOW = Flow(
    nodes=[Node("split", kind="parallel", regions={"left": branch}), Node("lost", work),
           Node("after", work)],
    edges=[Edge("split", "after", when=is_ready), Edge("lost", "after")],
    entry="split",
)
"""

GRAPH = """from langgraph.graph import END, START, StateGraph

builder = StateGraph(dict)
builder.add_node("plan", lambda state: state)
builder.add_edge(START, "plan")
builder.add_edge("plan", END)
graph = builder.compile()
"""


async def _drawn(editor: LanguageClient, uri: str) -> list[Any]:
    asked = {"textDocument": {"uri": uri}}
    answer = await editor.protocol.send_request_async("flowlint/graph", asked)
    return list(answer.flows)


def _listen(editor: LanguageClient) -> list[list[str]]:
    told: list[list[str]] = []
    editor.protocol.fm.features["flowlint/flowsChanged"] = lambda params: told.append(params.uris)
    return told


async def test_a_flow_is_drawn(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    (flow,) = await _drawn(editor, document.uri)
    assert (flow.name, flow.dialect, flow.symbol) == ("FLOW", "hydraflow", None)
    assert (flow.uri, flow.range.start.line) == (document.uri, 7)
    assert (flow.entry, flow.complete, flow.gaps) == (["collect"], True, [])
    collect, publish = flow.nodes
    assert (collect.name, publish.name) == ("collect", "publish")
    assert (collect.nameRange.start.line, collect.nameRange.start.character) == (8, 16)
    assert (collect.function.name, collect.function.range.start.line) == ("collect", 3)
    (edge,) = flow.edges
    assert (edge.source, edge.target, edge.kind) == ("collect", "publihs", "always")
    assert edge.range.start.line == 9


async def test_findings_are_drawn_at_their_parts(vscode: LanguageClient, tmp_path: Path) -> None:
    document = Document(vscode, tmp_path / "flow.py", DANGLING)
    (flow,) = await _drawn(vscode, document.uri)
    (dangling,) = flow.findings
    assert (dangling.name, dangling.edges, dangling.severity) == ("dangling-edge", [0], "error")
    document = Document(vscode, tmp_path / "regions.py", REGIONS)
    (flow,) = await _drawn(vscode, document.uri)
    told = {finding.name: finding for finding in flow.findings}
    assert (told["unreachable-node"].node, told["unreachable-node"].edges) == ("lost", [])


async def test_regions_and_guards_are_drawn(vscode: LanguageClient, tmp_path: Path) -> None:
    document = Document(vscode, tmp_path / "flow.py", REGIONS)
    (flow,) = await _drawn(vscode, document.uri)
    left = flow.nodes[0].regions.left
    assert [node.name for node in left.nodes] == ["inner", "last"]
    assert ([edge.target for edge in left.edges], left.entry) == (["last"], ["inner"])
    edge = flow.edges[0]
    assert (edge.kind, edge.guard) == ("when", "is_ready")


async def test_ends_of_a_flow_are_drawn(vscode: LanguageClient, tmp_path: Path) -> None:
    document = Document(vscode, tmp_path / "flow.py", GRAPH)
    (flow,) = await _drawn(vscode, document.uri)
    assert (flow.startMarker, flow.endMarker) == ("START", "END")
    assert (flow.entry, flow.exits) == (["plan"], ["plan"])
    assert [(edge.source, edge.target) for edge in flow.edges] == [("plan", "__end__")]
    assert [(edge.source, edge.target) for edge in flow.starts] == [("__start__", "plan")]


async def test_findings_in_other_files_are_drawn(vscode: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "nodes.py").write_text(NODES.replace('"publish"', '"nowhere"'))
    document = Document(vscode, tmp_path / "flow.py", IMPORTING)
    (flow,) = await _drawn(vscode, document.uri)
    (dangling,) = [finding for finding in flow.findings if finding.name == "dangling-edge"]
    assert dangling.uri == (tmp_path / "nodes.py").as_uri()
    assert flow.edges[0].uri == dangling.uri


async def test_what_changes_is_told(editor: LanguageClient, tmp_path: Path) -> None:
    told = _listen(editor)
    (tmp_path / "nodes.py").write_text(NODES)
    nodes = Document(editor, tmp_path / "nodes.py")
    document = Document(editor, tmp_path / "my flow.py", IMPORTING)
    (flow,) = await _drawn(editor, document.uri)
    nodes.replace('"publish"', '"nowhere"')
    await settled(lambda: told == [[document.uri]])
    (flow,) = await _drawn(editor, document.uri)
    assert flow.edges[0].target == "nowhere"
    document.replace('entry="collect"', 'entry="publish"')
    await settled(lambda: told == [[document.uri]] * 2)


async def test_what_was_never_asked_for_is_not_told(editor: LanguageClient, tmp_path: Path) -> None:
    told = _listen(editor)
    other = Document(editor, tmp_path / "other.py", DANGLING)
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    await _drawn(editor, document.uri)
    other.replace("publihs", "publish")
    document.replace("publihs", "publish")
    await settled(lambda: bool(told))
    assert told == [[document.uri]]
