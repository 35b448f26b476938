"""What can be done at a place: fixes, comments that silence, refactorings."""

from __future__ import annotations

from lsprotocol import types

from flowls.actions import KINDS, offered
from flowls.server import FlowServer

METHOD = types.TEXT_DOCUMENT_CODE_ACTION
OPTIONS = types.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True)


async def answer(server: FlowServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """All that can be done there."""
    return await server.run(offered, server, params)
