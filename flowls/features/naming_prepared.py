"""Whether what the editor points at can get another name."""

from __future__ import annotations

from lsprotocol import types

from flowls.features.renaming import refused
from flowls.server import FlowServer
from flowls.session.naming import RefusedError, planned
from flowls.symbols import pointed

METHOD = types.TEXT_DOCUMENT_PREPARE_RENAME


async def answer(
    server: FlowServer, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """The name as it is, and where; an error that says why where it has to stay."""
    return await server.run(_prepared, server, params)


def _prepared(
    server: FlowServer, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    at = pointed(server, params)
    chosen = at.chosen()
    if not chosen:
        return None
    try:
        plan = planned(server.session, at.path, chosen)
    except RefusedError as error:
        raise refused(error) from None
    return types.PrepareRenamePlaceholder(range=at.range(chosen[0]), placeholder=plan.name)
