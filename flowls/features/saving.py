"""A document is saved: editors that tell of no other changes on the disk are believed now."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.telling import stale_on_disk

METHOD = types.TEXT_DOCUMENT_DID_SAVE
OPTIONS = types.SaveOptions(include_text=False)


def answer(server: FlowServer, params: types.DidSaveTextDocumentParams) -> None:
    """What is on the disk has changed."""
    stale_on_disk(server, [server.path_of(params.text_document.uri)], [])
