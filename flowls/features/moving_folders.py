"""The roots of the workspace have changed."""

from __future__ import annotations

from lsprotocol import types

from flowls.features.indexing import index
from flowls.features.initialising import folders
from flowls.server import FlowServer

METHOD = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS


async def answer(server: FlowServer, _: types.DidChangeWorkspaceFoldersParams) -> None:
    """Look at what is new."""
    await server.run(server.session.move, folders(server))
    server.spawn(index(server))
