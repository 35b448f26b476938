"""Findings as the editor takes them."""

from __future__ import annotations

from lsprotocol import types

from flowlint.findings.model import Finding
from flowlint.source import Span
from flowls import convert
from flowls.server import FlowServer

Numbered = tuple[str, list[types.Diagnostic]]


def report(server: FlowServer, uri: str) -> Numbered:
    """What is to be told of a document, with a number that changes when that does.

    To be run by the session. A cell of a notebook is a document of its own.
    """
    path, cell = notebook_of(server, uri)
    told = server.session.findings(path)
    _tell_problem(server)
    if server.session.is_others_turn:
        server.session.is_others_turn = False
        server.call_soon(server.others_turn)
    server.tidy_soon()
    findings = [finding for finding in told.findings if finding.span.cell == cell]
    return str(told.number), [diagnostic(server, finding) for finding in findings]


def is_told(server: FlowServer, uri: str) -> bool:
    """Whether anything is to be told of a document: of what is closed, only if all is wanted."""
    is_file = uri.startswith("file:")
    return server.is_open(uri) or (is_file and server.settings.whole_workspace)


def _tell_problem(server: FlowServer) -> None:
    """Say once what is wrong with the settings."""
    problem = server.session.problem
    if problem != server.told_problem:
        server.told_problem = problem
        if problem is not None:
            end = "" if problem.endswith("?") else "."
            text = f"flowlint: {problem}{end} Until it is mended the settings by default are used."
            told = types.ShowMessageParams(types.MessageType.Warning, text)
            server.call_soon(server.window_show_message, told)


def notebook_of(server: FlowServer, uri: str) -> tuple[str, int | None]:
    """The path that findings of a document have, and the number of its cell."""
    for path, cells in server.cells.items():
        if uri in cells:
            return path, cells.index(uri)
    return server.path_of(uri), None


def diagnostic(server: FlowServer, finding: Finding) -> types.Diagnostic:
    """One finding. To be run by the session."""
    message = finding.message if finding.help is None else f"{finding.message}\n{finding.help}"
    if finding.witness:
        message += f"\nrun: {' → '.join(finding.witness)}"
    return types.Diagnostic(
        range=server.places_of(finding.span).range(finding.span),
        message=message,
        severity=convert.severity(finding),
        code=finding.code,
        code_description=convert.link(finding),
        source=convert.SOURCE,
        tags=convert.tags(finding),
        related_information=[
            types.DiagnosticRelatedInformation(location(server, one.span), one.message)
            for one in finding.related
        ]
        or None,
        data={"name": finding.name, "flow": finding.flow, "node": finding.node},
    )


def location(server: FlowServer, span: Span) -> types.Location:
    """Where a span is. To be run by the session."""
    return types.Location(server.uri_of_span(span), server.places_of(span).range(span))
