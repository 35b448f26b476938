"""What follows when something has changed: what is told is told anew."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lsprotocol import types

from flowlint.languages.frontends import can_read_typescript
from flowlint.suffixes import SCRIPT_SUFFIXES
from flowls.diagnostics import is_told, report
from flowls.redrawing import redraw_soon
from flowls.server import FlowServer
from flowls.session.texts import Cell, encoded, notebook

REST = 0.2
"""Seconds without changes after which other documents are told anew."""


@dataclass(frozen=True, slots=True)
class Text:
    """An open text as the editor names it."""

    uri: str
    version: int | None
    lines: Sequence[str]


def noticed(server: FlowServer, uri: str) -> None:
    """A document has a new text, or is new."""
    server.typed()
    path = server.name_open(uri)
    if path.endswith(SCRIPT_SUFFIXES):
        _tell_if_unreadable(server)
    document = server.workspace.get_text_document(uri)
    text = Text(uri, document.version, document.lines)
    server.submit(_taken, server, path, encoded(path, document.source), {path: text})
    publish_soon(server, uri)
    redraw_soon(server)


def _tell_if_unreadable(server: FlowServer) -> None:
    """Say once what is missing to read TypeScript."""
    if server.told_unreadable or can_read_typescript():
        return
    server.told_unreadable = True
    said = "flowlint: TypeScript and JavaScript cannot be read: install `flowls[typescript]`."
    server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, said))


def closed(server: FlowServer, uri: str) -> None:
    """A document is closed."""
    path = server.path_of(uri)
    server.submit(_left, server, path, {path: uri})
    redraw_soon(server)
    if not server.pulls:
        if server.settings.whole_workspace:
            publish_soon(server, uri)
        else:
            _take_back(server, uri)


def noticed_notebook(server: FlowServer, uri: str) -> None:
    """A notebook has new cells, or a cell has a new text."""
    path = server.name_open(uri)
    document = server.workspace.get_notebook_document(notebook_uri=uri)
    if document is None:
        return
    cells: list[Cell] = []
    texts: dict[str, Text] = {}
    for cell in document.cells:
        own = server.workspace.get_text_document(cell.document)
        is_code = cell.kind == types.NotebookCellKind.Code
        cells.append(Cell(cell.document, own.source if is_code else None))
        texts[cell.document] = Text(cell.document, own.version, own.lines)
    server.cells[path] = list(texts)
    server.submit(_taken, server, path, notebook(cells), texts)
    for own_uri in texts:
        publish_soon(server, own_uri)
    redraw_soon(server)


def closed_notebook(server: FlowServer, uri: str) -> None:
    """A notebook is closed."""
    path = server.path_of(uri)
    cells = server.cells.pop(path, [])
    server.submit(_left, server, path, {uri: uri for uri in cells})
    redraw_soon(server)
    if not server.pulls:
        for cell in cells:
            _take_back(server, cell)


def stale_on_disk(server: FlowServer, changed: Iterable[str], moved: Iterable[str]) -> None:
    """Files on the disk have other contents, or have come or gone."""
    server.submit(_stale, server, list(changed), list(moved))


def tell_others(server: FlowServer) -> None:
    """Everything that is told may have changed: tell it anew once things are at rest."""
    if server.resting is not None:
        server.resting.cancel()
    server.resting = server.spawn(_tell_others(server))


async def take_back(server: FlowServer) -> None:
    """Files that are not open are told of no longer; editors that ask see that themselves."""
    if server.pulls:
        return
    for path in await server.run(server.session.places_told):
        uri = server.uri_of(path)
        if not server.is_open(uri):
            _take_back(server, uri)


def publish_soon(server: FlowServer, uri: str) -> None:
    """Tell of one document, unless the editor asks or a newer text comes before."""
    if server.pulls:
        return
    pending = server.publishing.get(uri)
    if pending is not None:
        pending.cancel()
    server.publishing[uri] = server.spawn(_publish(server, uri))


def _take_back(server: FlowServer, uri: str) -> None:
    """Nothing is told of a document any more, nor will what is about to be."""
    pending = server.publishing.pop(uri, None)
    if pending is not None:
        pending.cancel()
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


async def _publish(server: FlowServer, uri: str) -> None:
    document = server.open_text(uri)
    stated = document.version if document is not None else None
    _, items = await server.run(report, server, uri)
    if not is_told(server, uri):
        return
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri, items, version=stated)
    )


async def _tell_others(server: FlowServer) -> None:
    await asyncio.sleep(REST)
    await server.quiet()
    while await server.run(server.session.look_again):
        pass
    redraw_soon(server)
    if server.pulls:
        if server.is_supported("workspace", "diagnostics", "refresh_support"):
            server.spawn(server.workspace_diagnostic_refresh_async(None))
    else:
        for uri in await _to_tell(server):
            await _publish(server, uri)
    if server.is_supported("workspace", "code_lens", "refresh_support"):
        server.spawn(server.workspace_code_lens_refresh_async(None))


async def _to_tell(server: FlowServer) -> list[str]:
    uris = dict.fromkeys(server.open_uris())
    if server.settings.whole_workspace:
        paths = await server.run(server.session.places_told)
        uris.update(dict.fromkeys(server.uri_of(path) for path in paths))
    return list(uris)


def _taken(server: FlowServer, path: str, data: bytes, texts: Mapping[str, Text]) -> None:
    for key, text in texts.items():
        server.session.lines[key] = text.lines
        server.versions[text.uri] = text.version
    _tell_if(server, server.session.open(path, data) - {path})


def _left(server: FlowServer, path: str, texts: Mapping[str, str]) -> None:
    for key, uri in texts.items():
        server.session.lines.pop(key, None)
        server.versions.pop(uri, None)
    _tell_if(server, server.session.close(path) - {path})


def _stale(server: FlowServer, changed: list[str], moved: list[str]) -> None:
    session = server.session
    is_of_settings = any(map(session.is_of_settings, (*changed, *moved)))
    stale = session.changed(changed) | session.appeared(moved)
    if is_of_settings or stale:
        server.call_soon(tell_others, server)


def _tell_if(server: FlowServer, stale: set[str]) -> None:
    if stale:
        server.call_soon(tell_others, server)
