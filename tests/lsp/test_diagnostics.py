"""What the server tells of documents while they are edited."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lsp_client import Document, settled
from lsp_flows import DANGLING, IMPORTING, LOOPING, NODES
from lsprotocol import types
from pytest_lsp import LanguageClient


async def test_findings_come_and_go(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    (dangling,) = [one for one in await document.diagnostics() if one.code == "FL105"]
    assert dangling.range == types.Range(types.Position(9, 27), types.Position(9, 36))
    assert dangling.severity == types.DiagnosticSeverity.Error
    assert dangling.source == "flowlint"
    assert "`publihs`" in dangling.message and "did you mean `publish`?" in dangling.message
    (related,) = dangling.related_information
    assert related.location.uri == document.uri
    document.replace("publihs", "publish")
    assert await document.codes() == []
    document.replace("publish", "publisher")
    assert "FL105" in await document.codes()


async def test_positions_are_those_of_the_editor(editor: LanguageClient, tmp_path: Path) -> None:
    text = DANGLING.replace('Edge("collect"', 'Edge(*["😋é"][:0], "collect"')
    document = Document(editor, tmp_path / "flow.py", text)
    (dangling,) = [one for one in await document.diagnostics() if one.code == "FL105"]
    line = text.splitlines()[9]
    before = line[: line.index('"publihs"')]
    encoding = editor.server_capabilities.position_encoding
    counted = {
        "utf-8": len(before.encode()),
        "utf-16": len(before.encode("utf-16-le")) // 2,
        "utf-32": len(before),
    }
    assert dangling.range.start == types.Position(9, counted[encoding or "utf-16"])


async def test_an_unsaved_import_counts(editor: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "nodes.py").write_text(NODES)
    nodes = Document(editor, tmp_path / "nodes.py")
    flow = Document(editor, tmp_path / "flow.py", IMPORTING)
    assert await flow.codes() == []
    nodes.replace('"publish"', '"nowhere"')
    assert "FL105" in await nodes.codes()
    nodes.replace('"nowhere"', '"publish"')
    assert await nodes.codes() == []


async def test_closing_goes_back_to_the_disk(editor: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "nodes.py").write_text(NODES)
    (tmp_path / "flow.py").write_text(IMPORTING)
    nodes = Document(editor, tmp_path / "nodes.py", NODES.replace('"publish"', '"nowhere"'))
    flow = Document(editor, tmp_path / "flow.py")
    await flow.diagnostics()
    await settled(lambda: nodes.tells("FL105"))
    nodes.close()
    reopened = Document(editor, tmp_path / "nodes.py")
    assert await reopened.codes() == []


async def test_a_broken_statement_costs_only_itself(editor: LanguageClient, tmp_path: Path) -> None:
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    await document.diagnostics()
    document.replace("    return None", "    x = (\n\n\n    return None")
    found = await document.diagnostics()
    assert "FL901" in {one.code for one in found}
    (dangling,) = [one for one in found if one.code == "FL105"]
    assert dangling.range.start.line == 12


@pytest.mark.parametrize("character", ["\x0c", "\x0b", "\x1c", "\x85", "\u2028"])
async def test_only_line_ends_end_lines(
    vscode: LanguageClient, tmp_path: Path, character: str
) -> None:
    text = DANGLING.replace("\n\n\nasync", f'\nTEXT = """{character}"""\n\n\nasync')
    document = Document(vscode, tmp_path / "flow.py", text)
    before = text.split('"publihs"')[0]
    (dangling,) = [one for one in await document.diagnostics() if one.code == "FL105"]
    assert dangling.range.start.line == before.count("\n")
    document.replace("publihs", "publish")
    assert await document.codes() == []


async def test_the_same_again_is_not_sent_again(vscode: LanguageClient, tmp_path: Path) -> None:
    document = Document(vscode, tmp_path / "flow.py", DANGLING)
    first = await vscode.text_document_diagnostic_async(types.DocumentDiagnosticParams(document.id))
    asked = types.DocumentDiagnosticParams(document.id, previous_result_id=first.result_id)
    again = await vscode.text_document_diagnostic_async(asked)
    assert again.kind == "unchanged"
    document.replace("publihs", "publish")
    assert (await vscode.text_document_diagnostic_async(asked)).kind == "full"


async def test_files_of_settings_count_at_once(vscode: LanguageClient, tmp_path: Path) -> None:
    document = Document(vscode, tmp_path / "flow.py", DANGLING)
    assert "FL105" in await document.codes()
    settings = tmp_path / "flowlint.toml"
    settings.write_text('ignore = ["dangling-edge"]\n')
    event = types.FileEvent(settings.as_uri(), types.FileChangeType.Created)
    vscode.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    assert "FL105" not in await document.codes()


def wrote(vscode: LanguageClient, path: Path, text: str) -> None:
    """Write a file beside the editor, and let it tell so."""
    kind = types.FileChangeType.Changed if path.exists() else types.FileChangeType.Created
    path.write_text(text)
    event = types.FileEvent(path.as_uri(), kind)
    vscode.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


@pytest.mark.parametrize("name", ["flowlint.toml", "base.toml"])
async def test_versions_in_settings_count_at_once(
    vscode: LanguageClient, tmp_path: Path, name: str
) -> None:
    (tmp_path / "base.toml").write_text("")
    (tmp_path / "flowlint.toml").write_text('extend = "base.toml"\n')
    document = Document(vscode, tmp_path / "flow.py", LOOPING)
    (found,) = await document.diagnostics()
    assert "10007 by default" in found.message
    wrote(vscode, tmp_path / name, '[versions]\nlanggraph = "0.2.5"\n')
    (found,) = await document.diagnostics()
    assert "25 by default" in found.message


async def test_options_in_settings_count_at_once(vscode: LanguageClient, tmp_path: Path) -> None:
    document = Document(vscode, tmp_path / "flow.py", LOOPING)
    assert await document.codes() == ["FL301"]
    settings = tmp_path / "flowlint.toml"
    wrote(vscode, settings, '[rules.loop-without-exit]\nexits = ["ask"]\n')
    assert await document.codes() == []
    wrote(vscode, settings, '[rules.loop-without-exit]\nexits = ["as"]\n')
    assert await document.codes() == ["FL301"]
    wrote(vscode, settings, '[rules.FL301]\nexits = ["ask*"]\n')
    assert await document.codes() == []


DECLARED = """\
[[systems]]
name = "acme"
flow = "acme.Flow"
nodes = { argument = "steps", item = "name" }
edges = { argument = "routes" }
entry = { argument = "start" }
"""

OWN = """\
from acme import Flow

flow = Flow(steps=["a", "b"], routes=[("a", "b"), ("b", "c")], start="a")
"""


async def test_declared_systems_count_at_once(vscode: LanguageClient, tmp_path: Path) -> None:
    settings = tmp_path / "flowlint.toml"
    document = Document(vscode, tmp_path / "flow.py", OWN)
    assert await document.codes() == []
    wrote(vscode, settings, DECLARED)
    (found,) = await document.diagnostics()
    assert "leads to `c`, which is no node of this flow" in found.message
    assert "nothing runs there" in found.message
    wrote(vscode, settings, f'{DECLARED}semantics = {{ on-unknown-name = "rejected" }}\n')
    (found,) = await document.diagnostics()
    assert "of this flow: Flow(…) raises" in found.message
    document.replace('["a", "b"]', '["a", "b", "c"]')
    assert await document.codes() == []
    document.replace('["a", "b", "c"]', '["a", "b"]')
    assert await document.codes() == ["FL105"]
    wrote(vscode, settings, f"{DECLARED}[dialects]\nacme = false\n")
    assert await document.codes() == []


async def test_wrong_settings_are_told_once(editor: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "flowlint.toml").write_text("selekt = []\n")
    document = Document(editor, tmp_path / "flow.py", DANGLING)
    assert "FL105" in await document.codes()
    document.replace("publihs", "publish")
    assert await document.codes() == []
    await settled(lambda: bool(editor.messages))
    (message,) = editor.messages
    assert message.type == types.MessageType.Warning
    assert "`selekt`" in message.message and "flowlint.toml" in message.message
    assert "did you mean `select`? Until it is mended" in message.message


async def test_it_asks_to_be_told_of_files(vscode: LanguageClient) -> None:
    await settled(lambda: bool(vscode.registered))
    (one,) = vscode.registered
    assert one.method == "workspace/didChangeWatchedFiles"
    patterns = [watcher["globPattern"] for watcher in one.register_options["watchers"]]
    # VS Code matches nothing by braces within braces.
    assert patterns and not [one for one in patterns if re.search(r"\{[^}]*\{", one)]
