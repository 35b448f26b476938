"""What an editor does with edits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lsp_client import Document
from lsprotocol import types
from pytest_lsp import LanguageClient


async def actions(
    editor: LanguageClient,
    document: Document,
    text: str,
    only: Sequence[str] | None = None,
    which: int = 0,
) -> dict[str, types.CodeAction]:
    """What is offered where a text stands, by its title."""
    place = document.position(text, which=which)
    found = await editor.text_document_code_action_async(
        types.CodeActionParams(
            document.id, types.Range(place, place), types.CodeActionContext([], only=only)
        )
    )
    assert found is not None
    offered = [one for one in found if isinstance(one, types.CodeAction)]
    assert len(offered) == len(found)
    return {one.title: one for one in offered}


async def edit_of(editor: LanguageClient, action: types.CodeAction) -> types.WorkspaceEdit:
    """The edit of an action, asked for where it did not come along."""
    if action.edit is None:
        action = await editor.code_action_resolve_async(action)
    assert action.edit is not None
    return action.edit


def edits_by_uri(edit: types.WorkspaceEdit) -> dict[str, list[types.TextEdit]]:
    """The edits of each document; what is to be filled in is filled in with what is proposed."""
    if edit.changes is not None:
        return {uri: list(edits) for uri, edits in edit.changes.items()}
    found: dict[str, list[types.TextEdit]] = {}
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        found[change.text_document.uri] = [_plain(one) for one in change.edits]
    return found


def _plain(
    edit: types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit,
) -> types.TextEdit:
    if not isinstance(edit, types.SnippetTextEdit):
        return types.TextEdit(edit.range, edit.new_text)
    text = re.sub(r"\$\{1:([^}]*)\}", r"\1", edit.snippet.value)
    text = re.sub(r"\$\{1\|([^,|]*)[^}]*\|\}", r"\1", text)
    return types.TextEdit(edit.range, re.sub(r"\\([\\$}])", r"\1", text))


def edited(text: str, edits: Iterable[types.TextEdit]) -> str:
    """A text with edits made, in UTF-16 units."""
    lines = [*text.splitlines(keepends=True), ""]

    def offset(place: types.Position) -> int:
        if place.line >= len(lines):
            return len(text)
        line = lines[place.line].encode("utf-16-le")[: 2 * place.character]
        return sum(map(len, lines[: place.line])) + len(line.decode("utf-16-le"))

    places = [(offset(one.range.start), offset(one.range.end), one.new_text) for one in edits]
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text


async def applied(editor: LanguageClient, document: Document, action: types.CodeAction) -> str:
    """The text after an action that changes nothing but this document, which then has it."""
    edit = await edit_of(editor, action)
    (only,) = edits_by_uri(edit).items()
    assert only[0] == document.uri
    document.become(edited(document.text, only[1]))
    return document.text
