"""Edits as editors take them: with the versions that they were made for, where editors can tell.

To be run by the session, so that places and versions are those of the texts that it has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lsprotocol import types

from flowlint.source import Edit
from flowls.server import FlowServer
from flowls.session.offers import Hole, Made

_ENDS = ("\r\n", "\n", "\r")
_END = re.compile("|".join(_ENDS))
TextEdits = list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit]


def workspace_edit(server: FlowServer, edits: Sequence[Edit]) -> types.WorkspaceEdit:
    """Edits of any files."""
    return made_edit(server, Made(tuple(edits)))


def made_edit(server: FlowServer, made: Made) -> types.WorkspaceEdit:
    """Edits with what is to be filled in, where the editor lets its users do that."""
    by_uri: dict[str, list[Edit]] = {}
    for edit in made.edits:
        by_uri.setdefault(server.uri_of_span(edit.span), []).append(edit)
    if not server.is_supported("workspace", "workspace_edit", "document_changes"):
        return types.WorkspaceEdit(
            changes={uri: [_plain(server, edit) for edit in own] for uri, own in by_uri.items()}
        )
    has_snippets = server.is_supported("workspace", "workspace_edit", "snippet_edit_support")
    hole = made.hole if has_snippets else None
    changed: list[
        types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile
    ] = []
    for uri, own in by_uri.items():
        named = types.OptionalVersionedTextDocumentIdentifier(uri, server.versions.get(uri))
        edits: TextEdits = [
            _with_hole(server, edit, hole)
            if hole is not None and edit == hole.edit
            else _plain(server, edit)
            for edit in own
        ]
        changed.append(types.TextDocumentEdit(named, edits))
    return types.WorkspaceEdit(document_changes=changed)


def _plain(server: FlowServer, edit: Edit) -> types.TextEdit:
    places = server.places_of(edit.span)
    return types.TextEdit(places.range(edit.span), _ended(edit.new_text, places.lines))


def _with_hole(server: FlowServer, edit: Edit, hole: Hole) -> types.SnippetTextEdit:
    plain = _plain(server, edit)
    before, text, behind = plain.new_text.rpartition(hole.text)
    if hole.choices:
        listed = ",".join(_escaped(choice, "\\,|$}") for choice in hole.choices)
        filled = f"${{1|{listed}|}}"
    else:
        filled = f"${{1:{_escaped(text)}}}"
    snippet = f"{_escaped(before)}{filled}{_escaped(behind)}"
    return types.SnippetTextEdit(plain.range, types.StringValue(snippet))


def _escaped(text: str, special: str = "\\$}") -> str:
    return "".join(f"\\{one}" if one in special else one for one in text)


def _ended(text: str, lines: Sequence[str]) -> str:
    """The text with lines that end as those of the document do."""
    if not lines:
        return text
    ending = next((end for end in _ENDS if lines[0].endswith(end)), "\n")
    return _END.sub(ending, text)
