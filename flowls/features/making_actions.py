"""The edits of something that was offered to be done."""

from __future__ import annotations

from lsprotocol import types

from flowls.actions import resolved
from flowls.server import FlowServer

METHOD = types.CODE_ACTION_RESOLVE


async def answer(server: FlowServer, action: types.CodeAction) -> types.CodeAction:
    """The action with its edits."""
    return await server.run(resolved, server, action)
