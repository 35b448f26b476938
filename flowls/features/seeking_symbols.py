"""Flows and nodes of the whole workspace by their names."""

from __future__ import annotations

from lsprotocol import types

from flowls.diagnostics import location
from flowls.features.outlining import KINDS
from flowls.server import FlowServer
from flowls.session.seeking import sought
from flowls.session.sources import Sources

METHOD = types.WORKSPACE_SYMBOL


async def answer(
    server: FlowServer, params: types.WorkspaceSymbolParams
) -> list[types.SymbolInformation]:
    """Those that have the letters asked for, in all files that were looked at."""
    return await server.run(_symbols, server, params.query)


def _symbols(server: FlowServer, query: str) -> list[types.SymbolInformation]:
    sources = Sources(server.session)
    return [
        types.SymbolInformation(
            location=location(server, sources.name_place(hit.span, hit.name)),
            name=hit.name,
            kind=KINDS[hit.kind],
            container_name=hit.flow,
        )
        for hit in sought(server.session, query)
    ]
