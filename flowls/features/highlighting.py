"""The places in a document that mention the same node."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.symbols import pointed

METHOD = types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT

Found = list[types.DocumentHighlight] | None


async def answer(server: FlowServer, params: types.DocumentHighlightParams) -> Found:
    """The node itself counts as written, its mentions as read."""
    return await server.run(_highlights, server, params)


def _highlights(server: FlowServer, params: types.DocumentHighlightParams) -> Found:
    at = pointed(server, params)
    chosen = at.chosen()
    here = (at.place.path, at.place.cell)
    found = {
        mention.span: mention
        for one in chosen
        for mention in at.mentions.of(one.symbol)
        if (mention.span.path, mention.span.cell) == here
    }
    return [
        types.DocumentHighlight(
            at.range(mention),
            types.DocumentHighlightKind.Write
            if mention.role == "node"
            else types.DocumentHighlightKind.Read,
        )
        for mention in found.values()
    ] or None
