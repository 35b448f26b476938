"""What requests answer, shown in the text of the document that they are about."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlparse

from lsp_client import Document
from lsprotocol import types
from pytest_lsp import LanguageClient


def open_all(client: LanguageClient, folder: Path, files: dict[str, str]) -> dict[str, Document]:
    """Files that are on the disk and open."""
    for name, text in files.items():
        (folder / name).write_text(text)
    return {name: Document(client, folder / name) for name in files}


def said(text: str, range_: types.Range) -> str:
    """What stands at a range, as `line: text`, of several lines the first; they count from 1."""
    line = text.split("\n")[range_.start.line]
    is_one = range_.start.line == range_.end.line
    found = line[range_.start.character : range_.end.character if is_one else None]
    return f"{range_.start.line + 1}: {found}"


def shown(locations: Iterable[types.Location | types.LocationLink]) -> list[str]:
    """Locations as `file:line: text`."""
    found = []
    for one in locations:
        is_link = isinstance(one, types.LocationLink)
        uri, place = (
            (one.target_uri, one.target_selection_range) if is_link else (one.uri, one.range)
        )
        path = Path(unquote(urlparse(uri).path))
        found.append(f"{path.name}:{said(path.read_text(), place)}")
    return found


def applied(text: str, edits: Iterable[types.TextEdit]) -> str:
    """A text with edits made, none of which spans lines."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e.range.start.line, -e.range.start.character)):
        line = lines[edit.range.start.line]
        start, end = edit.range.start.character, edit.range.end.character
        lines[edit.range.start.line] = line[:start] + edit.new_text + line[end:]
    return "\n".join(lines)


def changes(edit: types.WorkspaceEdit) -> dict[str, list[types.TextEdit]]:
    """The edits by the names of their files, in whatever form the editor takes them."""
    if edit.changes is not None:
        pairs = [(uri, list(edits)) for uri, edits in edit.changes.items()]
    else:
        pairs = [(one.text_document.uri, list(one.edits)) for one in edit.document_changes or ()]
    return {Path(unquote(urlparse(uri).path)).name: edits for uri, edits in pairs}
