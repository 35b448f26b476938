"""A document is closed."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.telling import closed

METHOD = types.TEXT_DOCUMENT_DID_CLOSE


def answer(server: FlowServer, params: types.DidCloseTextDocumentParams) -> None:
    """What is on the disk counts again."""
    closed(server, params.text_document.uri)
