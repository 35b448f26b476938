"""A notebook is changed."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.telling import noticed_notebook

METHOD = types.NOTEBOOK_DOCUMENT_DID_CHANGE


def answer(server: FlowServer, params: types.DidChangeNotebookDocumentParams) -> None:
    """Take its cells as they are now."""
    noticed_notebook(server, params.notebook_document.uri)
