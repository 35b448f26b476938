"""Another name for a node, at all places, or a sentence that says why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_client import Document, settled
from lsprotocol import types
from marked import applied, changes, open_all
from named_flows import (
    FLOWRT,
    FLOWRT_JSON,
    FLOWRT_YAML,
    HYDRA,
    LANGGRAPH,
    LOOPED,
    NAMES,
    OUTPUTS,
    USING_NAMES,
)
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient


async def renamed(document: Document, text: str, new: str, which: int = 0) -> dict[str, str]:
    """The texts of the files that change."""
    place = document.at(text, which)
    edit = await document.client.text_document_rename_async(
        types.RenameParams(place.text_document, place.position, new)
    )
    folder = document.path.parent
    return {
        name: applied((folder / name).read_text(), edits) for name, edits in changes(edit).items()
    }


async def refusal(document: Document, text: str, new: str = "other") -> str:
    with pytest.raises(JsonRpcException) as caught:
        await renamed(document, text, new)
    assert caught.value.code == -32803
    return caught.value.message


async def prepared(document: Document, text: str) -> tuple[str, str] | None:
    """What is to be replaced, and what is offered in its place."""
    place = document.at(text)
    found = await document.client.text_document_prepare_rename_async(
        types.PrepareRenameParams(place.text_document, place.position)
    )
    if found is None:
        return None
    line = document.text.split("\n")[found.range.start.line]
    return line[found.range.start.character : found.range.end.character], found.placeholder


async def test_everywhere(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": HYDRA})["flow.py"]
    assert await prepared(flow, '"review", LAST') == ("review", "review")
    assert await renamed(flow, '"review", LAST', "check") == {
        "flow.py": HYDRA.replace('"review"', '"check"')
    }
    assert await prepared(flow, "LAST, when") == ("LAST", "publish")
    assert await renamed(flow, "LAST, when", "print") == {
        "flow.py": HYDRA.replace('"publish"', '"print"')
    }
    assert await prepared(flow, "return None") is None


async def test_literals_gotos_sends_maps_and_interrupts(
    editor: LanguageClient, tmp_path: Path
) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": LANGGRAPH})["flow.py"]
    expected = LANGGRAPH.replace('"publish"', '"print"').replace("u'publish'", "u'print'")
    assert await renamed(flow, "u'publish'", "print") == {"flow.py": expected}
    expected = LANGGRAPH.replace('"write"', '"draft"')
    assert await renamed(flow, '"write"', "draft") == {"flow.py": expected}


async def test_a_node_that_is_named_by_its_function_gets_a_name(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": LANGGRAPH})["flow.py"]
    expected = LANGGRAPH.replace('"review"', '"check"')
    expected = expected.replace("add_node(review)", 'add_node("check", review)')
    assert await renamed(flow, '"review", update', "check") == {"flow.py": expected}


async def test_regions(vscode: LanguageClient, tmp_path: Path) -> None:
    text = FLOWRT.replace('"tidy"', '"publish"')
    flow = open_all(vscode, tmp_path, {"flow.py": text})["flow.py"]
    assert await renamed(flow, '"publish"', "tidy") == {"flow.py": FLOWRT}


@pytest.mark.parametrize(
    ("name", "text", "new", "expected"),
    [
        ("f.json", FLOWRT_JSON, "print it", FLOWRT_JSON.replace('"publish"', '"print it"')),
        (
            "f.yaml",
            FLOWRT_YAML,
            "print: it",
            FLOWRT_YAML.replace("name: publish", 'name: "print: it"').replace(
                '"publish"', '"print: it"'
            ),
        ),
        (
            "f.yaml",
            FLOWRT_YAML,
            "print",
            FLOWRT_YAML.replace("name: publish", "name: print").replace('"publish"', '"print"'),
        ),
    ],
)
async def test_data(
    editor: LanguageClient, tmp_path: Path, name: str, text: str, new: str, expected: str
) -> None:
    flow = open_all(editor, tmp_path, {name: text})[name]
    assert await renamed(flow, '"publish"', new) == {name: expected}


async def test_two_files(editor: LanguageClient, tmp_path: Path) -> None:
    files = open_all(editor, tmp_path, {"names.py": NAMES, "flow.py": USING_NAMES})
    await files["flow.py"].diagnostics()
    expected = {"names.py": NAMES.replace("publish", "print")}
    assert await renamed(files["flow.py"], "LAST)]", "print") == expected

    async def is_known() -> bool:
        return await prepared(files["names.py"], '"publish"') == ("publish", "publish")

    await settled(is_known)
    assert await renamed(files["names.py"], '"publish"', "print") == expected


async def test_what_is_computed_stays(editor: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": LOOPED})["flow.py"]
    assert "put together at flow.py, line 9" in await refusal(flow, '"step_0"')
    with pytest.raises(JsonRpcException, match="put together"):
        await prepared(flow, '"step_0"')
    assert "name of several nodes" in await refusal(flow, 'f"step_')


async def test_names_that_are_taken_or_none(editor: LanguageClient, tmp_path: Path) -> None:
    text = HYDRA.replace('Edge("review", "collect")', 'Edge("review", "nowhere")')
    flow = open_all(editor, tmp_path, {"flow.py": text})["flow.py"]
    assert await refusal(flow, '"review", LAST', "publish") == (
        "The flow has a node `publish` already."
    )
    assert "mentions a node `nowhere` already" in await refusal(flow, '"review"', "nowhere")
    assert "needs a name" in await refusal(flow, '"review"', " ")
    assert "cannot be written" in await refusal(flow, '"review"', 'a"b')
    assert "No node is called `nowhere`" in await refusal(flow, '"nowhere"', "other")


async def test_what_the_system_refuses(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": LANGGRAPH})["flow.py"]
    assert "With that name, flowlint would say" in await refusal(flow, '"write"', "a|b")


async def test_texts_that_mean_something_else_too(vscode: LanguageClient, tmp_path: Path) -> None:
    keyed = HYDRA.replace(
        "Node(LAST, publish)", 'Node(LAST, {"publish": publish, "x": collect}[LAST])'
    )
    flow = open_all(vscode, tmp_path, {"flow.py": keyed})["flow.py"]
    assert "means something else, too" in await refusal(flow, "LAST, when")


async def test_guards_that_compare_with_the_same_constant(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    text = HYDRA.replace('state["score"] > 3', 'state["next"] == LAST')
    flow = open_all(vscode, tmp_path, {"flow.py": text})["flow.py"]
    changed = text.replace('"publish"', '"print"')
    assert await renamed(flow, "LAST, when", "print") == {"flow.py": changed}
    flow.replace("    return None", '    state["next"] = "publish"')
    (tmp_path / "flow.py").write_text(flow.text)
    assert "Guards compare with the same text" in await refusal(flow, "LAST, when")


async def test_code_that_cannot_be_read(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": HYDRA + "\nx = (\n"})["flow.py"]
    assert "Not all of the code can be read" in await refusal(flow, '"review"')


async def test_applied_it_leaves_nothing_to_find(vscode: LanguageClient, tmp_path: Path) -> None:
    flow = open_all(vscode, tmp_path, {"flow.py": LANGGRAPH})["flow.py"]
    before = await flow.codes()
    (changed,) = (await renamed(flow, '"plan"', "think")).values()
    again = open_all(vscode, tmp_path, {"again.py": changed})["again.py"]
    assert await again.codes() == before


async def test_where_the_flow_looks_at_what_a_node_gave(
    editor: LanguageClient, tmp_path: Path
) -> None:
    flow = open_all(editor, tmp_path, {"flow.py": OUTPUTS})["flow.py"]
    expected = OUTPUTS.replace('"load"', '"fetch"').replace("outputs.load", "outputs.fetch")
    expected = expected.replace('"fetch": "a key"', '"load": "a key"')
    assert await renamed(flow, '"load", "ask"', "fetch") == {"flow.py": expected}
    assert "has to be a word" in await refusal(flow, '"load", "ask"', "fetch it")
    assert await renamed(flow, '"tell", tell', "tell it") == {
        "flow.py": OUTPUTS.replace('"tell"', '"tell it"')
    }


async def test_what_two_flows_look_at(vscode: LanguageClient, tmp_path: Path) -> None:
    other = OUTPUTS[OUTPUTS.index("FLOW") :].replace("FLOW", "OTHER").replace("é", "other")
    flow = open_all(vscode, tmp_path, {"flow.py": f"{OUTPUTS}\n\n{other}"})["flow.py"]
    assert "which is also a node of `other`" in await refusal(flow, '"load", load')


async def test_cases_that_are_the_name_by_chance_stay(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    text = FLOWRT.replace('{"big": "publish"}', '{"publish": "publish"}')
    flow = open_all(vscode, tmp_path, {"flow.py": text})["flow.py"]
    expected = FLOWRT.replace('"publish"', '"print"').replace('"big"', '"publish"')
    assert await renamed(flow, '"publish", work', "print") == {"flow.py": expected}


async def test_cells_of_a_notebook(editor: LanguageClient, tmp_path: Path) -> None:
    first, second = HYDRA.split("\n\nFLOW = ")
    texts = {"cell:1": first.replace("LAST", "é = '😀'; LAST"), "cell:2": f"FLOW = {second}"}
    uris = {name: f"vscode-notebook-cell:{tmp_path}/flow.ipynb#{name[-1]}" for name in texts}
    cells = [types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in uris.values()]
    notebook = types.NotebookDocument(
        (tmp_path / "flow.ipynb").as_uri(), "jupyter-notebook", 1, cells
    )
    documents = [
        types.TextDocumentItem(uris[name], "python", 1, text) for name, text in texts.items()
    ]
    editor.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, documents))
    line = next(n for n, one in enumerate(second.split("\n")) if "LAST, when" in one)
    place = types.Position(line, second.split("\n")[line].index("LAST"))
    edit = await editor.text_document_rename_async(
        types.RenameParams(types.TextDocumentIdentifier(uris["cell:2"]), place, "print")
    )
    ((_, (change,)),) = changes(edit).items()
    encoding = editor.server_capabilities.position_encoding
    before = "é = '😀'; LAST = \""
    widths = {"utf-8": len(before.encode()), "utf-32": len(before)}
    width = widths.get(encoding or "utf-16", len(before.encode("utf-16-le")) // 2)
    assert change.range.start == types.Position(2, width)
    assert change.new_text == "print"
