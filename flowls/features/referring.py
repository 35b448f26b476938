"""All places that mention a node."""

from __future__ import annotations

from lsprotocol import types

from flowls.diagnostics import location
from flowls.server import FlowServer
from flowls.session.outputs import output_places
from flowls.symbols import everywhere, pointed

METHOD = types.TEXT_DOCUMENT_REFERENCES


async def answer(server: FlowServer, params: types.ReferenceParams) -> list[types.Location] | None:
    """In all files."""
    return await server.run(_references, server, params)


def _references(server: FlowServer, params: types.ReferenceParams) -> list[types.Location] | None:
    at = pointed(server, params)
    chosen = at.chosen()
    if not chosen:
        return None
    wide = everywhere(at, chosen)
    found = {
        mention.span: mention
        for one in chosen
        for mention in wide.mentions.of(one.symbol)
        if params.context.include_declaration or mention.role != "node"
    }
    locations = [wide.location(mention) for mention in found.values()]
    for symbol in dict.fromkeys(mention.symbol for mention in chosen):
        places = output_places(server.session, wide.mentions, (symbol,), wide.sources)
        locations += [location(server, span) for span in places]
    return locations
