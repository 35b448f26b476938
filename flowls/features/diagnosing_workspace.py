"""The findings of all documents of the workspace, for editors that ask."""

from __future__ import annotations

from lsprotocol import types

from flowls.diagnostics import report
from flowls.server import FlowServer

METHOD = types.WORKSPACE_DIAGNOSTIC


def is_wanted(server: FlowServer) -> bool:
    """Whether the editor asks."""
    return server.pulls


async def answer(
    server: FlowServer, params: types.WorkspaceDiagnosticParams
) -> types.WorkspaceDiagnosticReport:
    """All that is found, file by file; only where the whole workspace is wanted."""
    known = {one.uri: one.value for one in params.previous_result_ids}
    items: list[types.WorkspaceDocumentDiagnosticReport] = []
    if not server.settings.whole_workspace:
        # What was told of while the whole workspace was wanted is taken back.
        told = {uri for uri in (*known, *_closed(server)) if not server.is_open(uri)}
        return types.WorkspaceDiagnosticReport(
            [types.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=[]) for uri in sorted(told)]
        )
    paths = await server.run(server.session.places_told)
    uris = dict.fromkeys([server.uri_of(path) for path in paths])
    uris.update(dict.fromkeys(known))
    for uri in uris:
        number, found = await server.run(report, server, uri)
        if known.get(uri) == number:
            items.append(
                types.WorkspaceUnchangedDocumentDiagnosticReport(uri=uri, result_id=number)
            )
        elif found or uri in known:
            items.append(
                types.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=found, result_id=number)
            )
    return types.WorkspaceDiagnosticReport(items)


def _closed(server: FlowServer) -> list[str]:
    """What the editor asked about before it was closed, and does not take back by itself.

    VS Code asks for a document once more when it closes it, and forgets that it did.
    """
    closed = [uri for uri in server.answered if not server.is_open(uri)]
    for uri in closed:
        server.answered[uri] -= 1
        if server.answered[uri] <= 0:
            del server.answered[uri]
    return closed
