"""A document is opened."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.telling import noticed

METHOD = types.TEXT_DOCUMENT_DID_OPEN


def answer(server: FlowServer, params: types.DidOpenTextDocumentParams) -> None:
    """Take its text."""
    noticed(server, params.text_document.uri)
