"""What flows leave unsaid, shown within the text."""

from __future__ import annotations

from lsprotocol import types

from flowls.diagnostics import notebook_of
from flowls.server import FlowServer
from flowls.session.hints import Hint, hints
from flowls.session.sources import Sources

METHOD = types.TEXT_DOCUMENT_INLAY_HINT
OPTIONS = types.InlayHintOptions(resolve_provider=False)


async def answer(server: FlowServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints within a stretch of a document."""
    if not server.settings.inlay_hints:
        return []
    return await server.run(_hints, server, params)


def _hints(server: FlowServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    path, cell = notebook_of(server, params.text_document.uri)
    server.session.graphs(path)
    graphs = [graph for one in server.session.known.showing_in(path) for graph in one.graphs]
    found = [
        _hint(server, hint)
        for hint in hints(graphs, Sources(server.session))
        if (hint.span.path, hint.span.cell) == (path, cell)
    ]
    wanted = params.range
    return [hint for hint in found if wanted.start <= hint.position <= wanted.end]


def _hint(server: FlowServer, hint: Hint) -> types.InlayHint:
    place = server.places_of(hint.span).range(hint.span)
    position = place.start if hint.is_before else place.end
    says = None
    if hint.says is not None:
        says = [types.TextEdit(types.Range(position, position), hint.says.new_text)]
    return types.InlayHint(
        position,
        hint.text,
        kind=types.InlayHintKind.Parameter if hint.is_before else None,
        tooltip=hint.help,
        padding_left=not hint.is_before,
        text_edits=says,
    )
