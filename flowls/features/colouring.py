"""Names of nodes, and the words of conditions, look like what they are: not texts, but names."""

from __future__ import annotations

from lsprotocol import types

from flowls.diagnostics import notebook_of
from flowls.server import FlowServer
from flowls.session.colours import coloured

METHOD = types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL
KINDS = (
    *("enumMember", "keyword", "variable", "property", "function", "string", "number"),
    "operator",
)
OPTIONS = types.SemanticTokensLegend(token_types=KINDS, token_modifiers=["declaration"])


async def answer(server: FlowServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
    """All that is coloured in a document."""
    if not server.settings.semantic_tokens:
        return types.SemanticTokens(data=[])
    return await server.run(_tokens, server, params.text_document.uri)


def _tokens(server: FlowServer, uri: str) -> types.SemanticTokens:
    path, cell = notebook_of(server, uri)
    data: list[int] = []
    line = character = 0
    for one in coloured(server.session, path, cell):
        place = server.places_of(one.span).range(one.span)
        start, end = place.start, place.end
        if start.line != end.line or start.character >= end.character:
            continue
        below = start.line - line
        right = start.character - (0 if below else character)
        data += [below, right, end.character - start.character]
        data += [KINDS.index(one.kind), int(one.is_declaration)]
        line, character = start.line, start.character
    return types.SemanticTokens(data=data)
