"""A document is changed."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.telling import noticed

METHOD = types.TEXT_DOCUMENT_DID_CHANGE


def answer(server: FlowServer, params: types.DidChangeTextDocumentParams) -> None:
    """Take its new text."""
    noticed(server, params.text_document.uri)
