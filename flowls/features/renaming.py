"""A node gets another name, wherever it is mentioned."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from flowls.server import FlowServer
from flowls.session.naming import RefusedError, planned, renamed
from flowls.symbols import pointed
from flowls.workspace_edits import workspace_edit

METHOD = types.TEXT_DOCUMENT_RENAME

_REQUEST_FAILED = -32803


def refused(error: RefusedError) -> JsonRpcException:
    """The sentence that says why, as editors show it."""
    return JsonRpcException(str(error), code=_REQUEST_FAILED)


async def answer(server: FlowServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edits of all files."""
    return await server.run(_renamed, server, params)


def _renamed(server: FlowServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    at = pointed(server, params)
    chosen = at.chosen()
    if not chosen:
        return None
    try:
        plan = planned(server.session, at.path, chosen)
        edits = renamed(server.session, at.path, plan, params.new_name)
    except RefusedError as error:
        raise refused(error) from None
    return workspace_edit(server, edits)
