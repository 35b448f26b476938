"""What can be done about findings: fix one, fix all, silence."""

from __future__ import annotations

from pathlib import Path

import pytest
from applying import actions, applied, edit_of
from lsp_client import Document
from lsp_flows import DANGLING, IMPORTING, NODES
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

TWICE = """from flows import Edge, Flow, Node


async def work(state):
    return None


FLOW = Flow(
    nodes=[Node("collect", work), Node("publish", work)],
    edges=[
        Edge("collect", "publish"),
        Edge("collect", "publsh"),
    ],
    entry="colect",
)
"""
FIX_ALL = "Fix all that flowlint can safely fix"
FIX = "Write `publish`"


async def test_a_finding_is_fixed(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    offered = await actions(editor, document, "publihs")
    fix = offered[FIX]
    assert (fix.kind, fix.is_preferred) == ("quickfix", True)
    assert fix.diagnostics is not None
    assert [one.code for one in fix.diagnostics] == ["FL105"]
    assert await applied(editor, document, fix) == DANGLING.replace("publihs", "publish")
    assert await document.codes() == []


async def test_edits_come_when_they_are_wanted(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    fix = (await actions(editor, document, "publihs"))[FIX]
    can_ask = editor.capabilities.text_document.code_action.resolve_support is not None
    assert (fix.edit is None) == can_ask
    edit = await edit_of(editor, fix)
    can_version = bool(editor.capabilities.workspace.workspace_edit.document_changes)
    assert (edit.document_changes is not None) == can_version
    if can_version:
        assert edit.document_changes is not None
        assert edit.document_changes[0].text_document.version == document.version


async def test_elsewhere_nothing_is_offered(vscode: LanguageClient, tmp_path: Path) -> None:
    document = Document(vscode, tmp_path / "flow.py", DANGLING)
    assert await actions(vscode, document, "return None", ["quickfix"]) == {}


@pytest.mark.parametrize(
    ("only", "titles"),
    [
        (
            ["quickfix"],
            {FIX, "Add the node `publihs`", "Silence dangling-edge here, with a reason"},
        ),
        (["source"], {FIX_ALL}),
        (["source.fixAll"], {FIX_ALL}),
        (["source.fixAll.flowlint"], {FIX_ALL}),
        (["source.organizeImports"], set()),
        (["source.fixAll.other"], set()),
    ],
)
async def test_only_what_is_asked_for_is_offered(
    vscode: LanguageClient, tmp_path: Path, only: list[str], titles: set[str]
) -> None:
    document = Document(vscode, tmp_path / "flow.py", DANGLING)
    assert set(await actions(vscode, document, "publihs", only)) == titles


async def test_what_was_offered_for_another_text_is_refused(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    document = Document(vscode, tmp_path / "flow.py", DANGLING)
    fix = (await actions(vscode, document, "publihs"))[FIX]
    document.replace("async def", "\nasync def")
    with pytest.raises(JsonRpcException) as raised:
        await vscode.code_action_resolve_async(fix)
    assert raised.value.code == types.LSPErrorCodes.ContentModified


async def test_all_is_fixed_at_once(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", TWICE)
    offered = await actions(editor, document, "import", ["source.fixAll"])
    assert list(offered) == [FIX_ALL]
    # The second edge is one too many only once it leads to where the first one does.
    assert await applied(editor, document, offered[FIX_ALL]) == TWICE.replace(
        '        Edge("collect", "publsh"),\n', ""
    ).replace("colect", "collect")
    assert await document.codes() == []
    assert await actions(editor, document, "import", ["source.fixAll"]) == {}


async def test_a_fix_of_another_file_is_offered_there(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    (tmp_path / "flow.py").write_text(IMPORTING)
    nodes = Document(vscode, tmp_path / "nodes.py", NODES.replace("LAST)", '"publihs")'))
    flow = Document(vscode, tmp_path / "flow.py", IMPORTING)
    await flow.diagnostics()
    fix = (await actions(vscode, nodes, "publihs"))[FIX]
    assert '"publish")' in await applied(vscode, nodes, fix)


async def test_a_finding_is_silenced(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    silence = (await actions(editor, document, "publihs"))[
        "Silence dangling-edge here, with a reason"
    ]
    text = await applied(editor, document, silence)
    assert '"publihs")],  # flowlint: ignore[dangling-edge] reason\n' in text
    assert await document.codes() == []


async def test_the_reason_is_to_be_filled_in(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    title = "Silence dangling-edge here, with a reason"
    edit = await edit_of(editor, (await actions(editor, document, "publihs"))[title])
    can_fill = editor.capabilities.workspace.workspace_edit.snippet_edit_support
    (made,) = (
        edit.document_changes[0].edits if edit.document_changes else edit.changes[document.uri]
    )
    if can_fill:
        assert made.snippet.value == "  # flowlint: ignore[dangling-edge] ${1:reason}"
    else:
        assert made.new_text == "  # flowlint: ignore[dangling-edge] reason"


async def test_lines_end_as_they_did(vscode: LanguageClient, tmp_path: Path) -> None:
    text = TWICE.replace("\n", "\r\n")
    document = Document(vscode, tmp_path / "flow.py", text)
    offered = await actions(vscode, document, "import", ["source.fixAll"])
    fixed = await applied(vscode, document, offered[FIX_ALL])
    assert fixed.count("\r") == fixed.count("\n") == fixed.count("\r\n") == text.count("\n") - 1


async def test_unsafe_fixes_are_not_preferred(vscode: LanguageClient, tmp_path: Path) -> None:
    text = DANGLING.replace('"publihs")]', '"publish"), Edge("lost", "publish")]')
    document = Document(vscode, tmp_path / "flow.py", text)
    await document.diagnostics()
    found = await actions(vscode, document, '"lost"', ["quickfix"])
    assert not any(one.is_preferred for one in found.values())
