"""A notebook is closed."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.telling import closed_notebook

METHOD = types.NOTEBOOK_DOCUMENT_DID_CLOSE


def answer(server: FlowServer, params: types.DidCloseNotebookDocumentParams) -> None:
    """Take its cells as they are now."""
    closed_notebook(server, params.notebook_document.uri)
