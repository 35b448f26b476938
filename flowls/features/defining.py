"""Where something is defined: the node that is named, its function, the function referred to."""

from __future__ import annotations

from lsprotocol import types

from flowlint.source import Span
from flowls.diagnostics import location
from flowls.server import FlowServer
from flowls.session.functions import definitions_at, functions_of
from flowls.session.mentions import Mention
from flowls.symbols import Pointed, pointed

METHOD = types.TEXT_DOCUMENT_DEFINITION

Found = list[types.Location] | list[types.LocationLink] | None


async def answer(server: FlowServer, params: types.DefinitionParams) -> Found:
    """From a mention to the node, from there to its function."""
    return await server.run(_definition, server, params)


def _definition(server: FlowServer, params: types.DefinitionParams) -> Found:
    at = pointed(server, params)
    chosen = at.chosen()
    spans = _of_names(at, chosen) if chosen else definitions_at(at.mentions, at.place, at.sources)
    if not spans:
        return None
    if not server.is_supported("text_document", "definition", "link_support"):
        return [location(server, span) for span in spans]
    origin = at.range(chosen[0]) if chosen else None
    return [_link(at, span, origin) for span in spans]


def _of_names(at: Pointed, chosen: list[Mention]) -> list[Span]:
    found: dict[Span, None] = {}
    for mention in chosen:
        name = mention.symbol.name
        nodes = at.mentions.places_of_node(mention.symbol)
        if mention.span in nodes:
            nodes = functions_of(at.mentions, mention.symbol) or nodes
        found.update(dict.fromkeys(at.sources.name_place(span, name) for span in nodes))
    return list(found)


def _link(at: Pointed, span: Span, origin: types.Range | None) -> types.LocationLink:
    place = at.server.places_of(span).range(span)
    whole = next(
        (
            node.span
            for graphs in at.mentions.graphs.values()
            for graph in graphs
            for node in graph.nodes
            if node.span.contains(span)
        ),
        span,
    )
    around = at.server.places_of(whole).range(whole)
    return types.LocationLink(at.server.uri_of_span(span), around, place, origin)
