"""What editors have open besides single files: several roots, notebooks; and how they count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from applying import edit_of, edits_by_uri
from lsp_client import SERVER
from lsp_flows import DANGLING, IMPORTING, NODES
from lsprotocol import types
from pytest_lsp import LanguageClient
from serving import serving
from wire import Wire

MANY = 60
_TOLD = "textDocument/publishDiagnostics"


def _begin(wire: Wire, *folders: Path, options: object = None, **capabilities: object) -> Any:
    given = {
        "processId": None,
        "rootUri": folders[0].as_uri() if folders else None,
        "workspaceFolders": [{"uri": one.as_uri(), "name": one.name} for one in folders],
        "capabilities": capabilities,
        "initializationOptions": options,
    }
    answer = wire.ask("initialize", given)
    wire.notify("initialized", {})
    return answer["result"]["capabilities"]


def _told_of(wire: Wire, uri: str, version: int | None = None) -> list[dict[str, Any]]:
    """What is told of a document next, or of a version: what went before may be told again."""

    def is_it(one: dict[str, Any]) -> bool:
        if one.get("method") != _TOLD or one["params"]["uri"] != uri:
            return False
        return version is None or one["params"].get("version") == version

    message = wire.until(is_it)
    found: list[dict[str, Any]] = message["params"]["diagnostics"]
    return found


@pytest.mark.parametrize(
    ("encodings", "chosen", "column"),
    [
        (None, "utf-16", 22),
        (["utf-8"], "utf-8", 24),
        (["utf-32", "utf-16"], "utf-32", 21),
        (["utf-16"], "utf-16", 22),
    ],
)
def test_columns_count_as_the_editor_counts(
    tmp_path: Path, encodings: list[str] | None, chosen: str, column: int
) -> None:
    text = DANGLING.replace("collect", "😋").replace("async def 😋", "async def f")
    text = text.replace(", 😋)", ", f)")
    general = {"positionEncodings": encodings} if encodings else {}
    with serving(*SERVER) as (_, wire):
        assert _begin(wire, tmp_path, general=general)["positionEncoding"] == chosen
        uri = wire.open(tmp_path / "flow.py", text)
        (dangling,) = _told_of(wire, uri)
        assert dangling["code"] == "FL105"
        assert dangling["range"]["start"] == {"line": 9, "character": column}
        # What the editor counts is understood, too: this is the `i` of `publihs`.
        at = {"line": 9, "character": column + 5}
        change = {"range": {"start": at, "end": {**at, "character": column + 7}}, "text": "is"}
        named = {"uri": uri, "version": 2}
        wire.notify("textDocument/didChange", {"textDocument": named, "contentChanges": [change]})
        (dangling,) = _told_of(wire, uri, 2)
        assert "`publiss`" in dangling["message"]


def test_all_roots_are_looked_at(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "flow.py").write_text(IMPORTING)
    (first / "nodes.py").write_text(NODES)
    (second / "nodes.py").write_text(NODES.replace('"publish"', '"nowhere"'))
    with serving(*SERVER) as (_, wire):
        _begin(wire, first, second, options={"diagnosticMode": "workspace"})
        (dangling,) = _told_of(wire, (second / "nodes.py").as_uri())
        assert dangling["code"] == "FL105"
        # Each flow takes the module that lies beside it.
        uri = wire.open(first / "nodes.py", NODES)
        assert _told_of(wire, uri) == []


def test_a_folder_that_is_added_is_looked_at(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    (second / "flow.py").write_text(DANGLING)
    with serving(*SERVER) as (_, wire):
        _begin(wire, first, options={"diagnosticMode": "workspace"})
        added = {"uri": second.as_uri(), "name": "second"}
        event = {"event": {"added": [added], "removed": []}}
        wire.notify("workspace/didChangeWorkspaceFolders", event)
        (dangling,) = _told_of(wire, (second / "flow.py").as_uri())
        assert dangling["code"] == "FL105"


def test_progress_is_shown_from_begin_to_end(tmp_path: Path) -> None:
    for number in range(MANY):
        (tmp_path / f"flow_{number}.py").write_text(DANGLING)
    with serving(*SERVER) as (_, wire):
        _begin(wire, tmp_path, window={"workDoneProgress": True})
        created = wire.until(lambda one: one.get("method") == "window/workDoneProgress/create")
        token, kinds = created["params"]["token"], []
        while "end" not in kinds:
            told = wire.until(lambda one: one.get("method") == "$/progress")
            assert told["params"]["token"] == token
            kinds.append(told["params"]["value"]["kind"])
        assert (kinds[0], kinds[-1]) == ("begin", "end")
        assert set(kinds[1:-1]) == {"report"}


def test_what_is_cancelled_is_answered_so(tmp_path: Path) -> None:
    with serving(*SERVER) as (_, wire):
        _begin(wire, tmp_path)
        uri = wire.open(tmp_path / "flow.py", DANGLING * 200)
        asked = [wire.request("flowlint/graph", {"textDocument": {"uri": uri}}) for _ in range(5)]
        for number in asked:
            wire.notify("$/cancelRequest", {"id": number})
        left = set(asked)
        while left:
            answer = wire.until(lambda one: "method" not in one and one.get("id") in left)
            assert answer["error"]["code"] == -32800
            left.discard(answer["id"])
        other = wire.open(tmp_path / "other.py", DANGLING)
        answer = wire.ask("flowlint/graph", {"textDocument": {"uri": other}})
        assert len(answer["result"]["flows"]) == 1


class Notebook:
    """A notebook that is open, with cells of code."""

    def __init__(self, client: LanguageClient, path: Path, *cells: str) -> None:
        self.client, self.uri, self.version = client, path.as_uri(), 1
        self.cells = [f"vscode-notebook-cell:{path}#c{number}" for number in range(len(cells))]
        self.texts = list(cells)
        kind = types.NotebookCellKind.Code
        listed = [types.NotebookCell(kind, uri) for uri in self.cells]
        client.notebook_document_did_open(
            types.DidOpenNotebookDocumentParams(
                types.NotebookDocument(self.uri, "jupyter-notebook", 1, listed),
                [
                    types.TextDocumentItem(uri, "python", 1, text)
                    for uri, text in zip(self.cells, cells, strict=True)
                ],
            )
        )

    def change(self, number: int, text: str) -> None:
        """Give a cell another text."""
        self.version += 1
        self.texts[number] = text
        named = types.VersionedTextDocumentIdentifier(self.version, self.cells[number])
        whole = types.TextDocumentContentChangeWholeDocument(text)
        changed = types.NotebookDocumentCellContentChanges(named, [whole])
        self.client.notebook_document_did_change(
            types.DidChangeNotebookDocumentParams(
                types.VersionedNotebookDocumentIdentifier(self.version, self.uri),
                types.NotebookDocumentChangeEvent(
                    cells=types.NotebookDocumentCellChanges(text_content=[changed])
                ),
            )
        )

    async def codes(self, number: int) -> list[str]:
        """What is told of a cell."""
        report = await self.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(types.TextDocumentIdentifier(self.cells[number]))
        )
        return [str(one.code) for one in report.items]


async def test_cells_are_documents_of_their_own(vscode: LanguageClient, tmp_path: Path) -> None:
    head, _, flow = DANGLING.partition("FLOW")
    book = Notebook(vscode, tmp_path / "book.ipynb", head, f"FLOW{flow}")
    assert await book.codes(0) == []
    assert await book.codes(1) == ["FL105"]
    place = types.Range(types.Position(2, 30), types.Position(2, 30))
    found = await vscode.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(book.cells[1]), place, types.CodeActionContext([])
        )
    )
    fixes = [one for one in found or () if one.title == "Write `publish`"]
    assert isinstance(fixes[0], types.CodeAction)
    edits = edits_by_uri(await edit_of(vscode, fixes[0]))
    assert list(edits) == [book.cells[1]]
    assert edits[book.cells[1]][0].range.start.line == 2
    book.change(1, book.texts[1].replace("publihs", "publish"))
    assert await book.codes(1) == []
    book.change(1, book.texts[1].replace('"publish")]', "LAST)]"))
    book.change(0, f'{head}LAST = "nowhere"\n')
    assert await book.codes(0) + await book.codes(1) == ["FL105"]
    book.change(0, f'{head}LAST = "publish"\n')
    assert await book.codes(0) + await book.codes(1) == []


async def test_all_fixes_of_a_notebook_stay_in_their_cells(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    head, _, flow = DANGLING.partition("FLOW")
    book = Notebook(vscode, tmp_path / "book.ipynb", head, f"FLOW{flow}", "x = 1\n")
    found = await vscode.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(book.cells[1]),
            types.Range(types.Position(0, 0), types.Position(0, 0)),
            types.CodeActionContext([], only=["source.fixAll"]),
        )
    )
    (action,) = found or ()
    assert isinstance(action, types.CodeAction)
    edits = edits_by_uri(await edit_of(vscode, action))
    assert list(edits) == [book.cells[1]]
