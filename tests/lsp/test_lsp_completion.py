"""Names that are offered where the name of a node belongs, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import Document
from lsprotocol import types
from marked import applied, open_all
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

CURSOR = "¦"


async def offered(
    client: LanguageClient, folder: Path, old: str, new: str, text: str, name: str = "flow.py"
) -> list[types.CompletionItem]:
    """What is offered after `old` has been replaced by `new`, at the cursor in it."""
    assert old in text
    (folder / "work.py").write_text(WORK)
    document = open_all(client, folder, {name: text})[name]
    await document.diagnostics()
    document.replace(old, new.replace(CURSOR, ""))
    place = document.position(new.replace(CURSOR, ""))
    before, _, _ = new.partition(CURSOR)
    line = place.line + before.count("\n")
    column = len(before.rpartition("\n")[2]) + (0 if "\n" in before else place.character)
    params = types.CompletionParams(document.id, types.Position(line, column))
    found = await client.text_document_completion_async(params)
    return [] if found is None else list(found.items)


def names(items: list[types.CompletionItem]) -> list[str]:
    return [item.label for item in items]


ALL = ["collect", "review", "publish"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('Edge("collect", "review")', 'Edge("collect", "¦")'),
        ('Edge("collect", "review")', 'Edge("collect", "rev¦iew")'),
        ('Edge("collect", "review")', 'Edge("¦", "review")'),
        ('Edge("collect", "review"),', 'Edge("collect", "¦'),
        ('Edge("collect", "review"),', "Edge('collect', 're¦"),
        ('Edge("collect", "review"),', 'Edge("collect", ¦),'),
        ('Edge("collect", "review"),', 'Edge("collect", ¦'),
        ('entry="collect"', 'entry="¦"'),
        ('entry="collect"', 'entry="¦'),
        ('entry="collect"', "entry=¦"),
        ('LAST = "publish"\n', 'LAST = "publish"\nFIRST = "¦"\nassert FIRST\n'),
    ],
)
async def test_edges_and_entries(
    editor: LanguageClient, tmp_path: Path, old: str, new: str
) -> None:
    found = await offered(editor, tmp_path, old, new, HYDRA)
    assert names(found) == ([] if "FIRST" in new else ALL)
    if found:
        assert found[1].detail == "gate of FLOW"
        assert found[1].documentation == "async def publish(state)"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('goto="write"', 'goto="¦"'),
        ('Literal["write", "review"]', 'Literal["write", "¦"]'),
        ('Literal["plan", "publish"]', 'Literal["plan", "¦'),
        ('return "plan" if', 'return "¦" if'),
        ("Send(u'publish', state)", "Send(u'¦', state)"),
        ('fan, ["publish"])', 'fan, ["publish", "¦"])'),
        ('fan, ["publish"])', 'fan, ["publish", "¦'),
        ('interrupt_before=["publish"]', 'interrupt_before=["¦"]'),
        ('add_edge(START, "plan")', 'add_edge(START, "¦'),
        ('add_edge("publish", END)', 'add_edge(["publish", "¦"], END)'),
    ],
)
async def test_gotos_literals_sends_and_maps(
    vscode: LanguageClient, tmp_path: Path, old: str, new: str
) -> None:
    found = await offered(vscode, tmp_path, old, new, LANGGRAPH)
    assert names(found) == ["plan", "write", "review", "publish"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    notes: list", '    notes: list\n    x = "¦"'),
        ('update={"notes"', 'update={"¦"'),
        ('state["bad"]:', 'state["¦"]:'),
        ("state: State):\n    return {", 'state: State):\n    # "¦"\n    return {'),
    ],
)
async def test_no_names_where_none_belong(
    vscode: LanguageClient, tmp_path: Path, old: str, new: str
) -> None:
    assert await offered(vscode, tmp_path, old, new, LANGGRAPH) == []


async def test_what_a_router_returns_is_a_case_where_there_are_cases(
    editor: LanguageClient, tmp_path: Path
) -> None:
    text = LANGGRAPH.replace(
        '"review", route)', '"review", route, {"no": "plan", "yes": "publish"})'
    )
    text = text.replace('Literal["plan", "publish"]', "str")
    found = await offered(editor, tmp_path, 'return "plan" if', 'return "¦" if', text)
    assert names(found) == ["no", "yes"]
    found = await offered(editor, tmp_path, '"no": "plan"', '"no": "¦"', text)
    assert names(found) == ["plan", "write", "review", "publish"]


async def test_nodes_are_offered_the_names_that_nobody_bears(
    editor: LanguageClient, tmp_path: Path
) -> None:
    text = HYDRA.replace('Edge("review", "collect")', 'Edge("review", "nowhere")')
    old = "Node(LAST, publish)]"
    found = await offered(editor, tmp_path, old, 'Node(LAST, publish), Node("¦", publish)]', text)
    assert names(found) == ["nowhere"]


async def test_regions_and_cases(editor: LanguageClient, tmp_path: Path) -> None:
    old = 'Edge("try_it", "tidy")'
    assert names(await offered(editor, tmp_path, old, 'Edge("try_it", "¦")', FLOWRT)) == [
        "try_it",
        "tidy",
    ]
    whole = ["collect", "again", "publish"]
    for old, new in [
        ('cases={"big": "publish"}', 'cases={"big": "¦"}'),
        ('default="collect"', 'default="¦"'),
        ('Switch("again"', 'Switch("¦"'),
    ]:
        assert names(await offered(editor, tmp_path, old, new, FLOWRT)) == whole
    assert await offered(editor, tmp_path, '"big": "p', '"¦": "p', FLOWRT) == []


@pytest.mark.parametrize(
    ("name", "text", "old", "new"),
    [
        ("f.json", FLOWRT_JSON, '"to": "publish"', '"to": "¦"'),
        ("f.json", FLOWRT_JSON, '"to": "publish"', '"to": ¦'),
        ("f.json", FLOWRT_JSON, '"entry": "collect"', '"entry": "c¦"'),
        ("f.yaml", FLOWRT_YAML, 'to: "publish"', 'to: "¦"'),
        ("f.yaml", FLOWRT_YAML, 'to: "publish"', "to: ¦"),
        ("f.yaml", FLOWRT_YAML, 'to: "publish"', "to: pub¦"),
        ("f.yaml", FLOWRT_YAML, "entry: collect", "entry: ¦"),
        ("f.yaml", FLOWRT_YAML, "to: collect}", "to: c¦}"),
    ],
)
async def test_data(
    editor: LanguageClient, tmp_path: Path, name: str, text: str, old: str, new: str
) -> None:
    found = await offered(editor, tmp_path, old, new, text, name)
    assert names(found) == ["collect", "publish"]
    assert found[0].documentation == "def collect(ctx)"
    filled = applied(text.replace(old, new.replace(CURSOR, ""), 1), [found[1].text_edit])
    assert "publish" in filled.split(old.partition(":")[0], 1)[1].split("\n")[0]


async def test_another_file_builds_the_flow(editor: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text(NAMES)
    (tmp_path / "flow.py").write_text(USING_NAMES)
    flow = Document(editor, tmp_path / "flow.py")
    assert await flow.codes() == []
    found = await offered(editor, tmp_path, '"publish"', '"¦"', NAMES, "names.py")
    assert names(found) == ["collect"]
