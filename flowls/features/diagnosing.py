"""The findings of one document, for editors that ask."""

from __future__ import annotations

from lsprotocol import types

from flowls.diagnostics import is_told, report
from flowls.server import FlowServer

METHOD = types.TEXT_DOCUMENT_DIAGNOSTIC
OPTIONS = types.DiagnosticOptions(
    identifier="flowlint", inter_file_dependencies=True, workspace_diagnostics=True
)

TAKEN_BACK = 2
"""How often nothing is told of what is closed: VS Code passes over it while it waits for more."""

Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport


def is_wanted(server: FlowServer) -> bool:
    """Whether the editor asks."""
    return server.pulls


async def answer(server: FlowServer, params: types.DocumentDiagnosticParams) -> Report:
    """All that is found in a document, unless the editor has it."""
    uri = params.text_document.uri
    if not is_told(server, uri):
        # Editors also ask for what they have just closed, and show that from then on.
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    number, items = await server.run(report, server, uri)
    if items:
        server.answered[uri] = TAKEN_BACK
    if params.previous_result_id == number:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=number)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=number)
