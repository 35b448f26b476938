"""The names that may be written where the name of a node belongs, and what conditions look at."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.session.cel.offering import cel_offers
from flowls.session.completing import Offer, offers_at
from flowls.session.definitions.offering import definition_offers
from flowls.session.mentions import mentions_in
from flowls.session.sources import Sources
from flowls.symbols import place_of

METHOD = types.TEXT_DOCUMENT_COMPLETION
OPTIONS = types.CompletionOptions(trigger_characters=['"', "'", "."])
_KINDS = {
    "node": types.CompletionItemKind.EnumMember,
    "variable": types.CompletionItemKind.Variable,
    "field": types.CompletionItemKind.Field,
    "function": types.CompletionItemKind.Function,
    "constant": types.CompletionItemKind.Value,
}


async def answer(server: FlowServer, params: types.CompletionParams) -> types.CompletionList | None:
    """The nodes of the flow with what they are; nothing where no such name can stand."""
    return await server.run(_completions, server, params)


def _completions(server: FlowServer, params: types.CompletionParams) -> types.CompletionList | None:
    place = place_of(server, params.text_document.uri, params.position)
    mentions = mentions_in(server.session, place.path)
    found = cel_offers(mentions, Sources(server.session), place)
    if found is None and not _is_dot(params):
        sources = Sources(server.session)
        found = definition_offers(sources, place) or offers_at(server.session, place)
    if found is None:
        return None
    range_ = server.places_of(found.span).range(found.span)
    items = [_item(offer, range_, number) for number, offer in enumerate(found.offers)]
    return types.CompletionList(is_incomplete=False, items=items)


def _is_dot(params: types.CompletionParams) -> bool:
    """Whether a dot was typed, behind which nothing but fields can stand."""
    return params.context is not None and params.context.trigger_character == "."


def _item(offer: Offer, range_: types.Range, number: int) -> types.CompletionItem:
    return types.CompletionItem(
        label=offer.name,
        kind=_KINDS[offer.kind],
        detail=offer.detail,
        documentation=offer.head,
        sort_text=f"{number:05}",
        filter_text=offer.name,
        text_edit=types.TextEdit(range_, offer.written),
    )
