"""The names that may be written where the name of a node belongs."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.session.completing import Offer, offers_at
from flowls.symbols import place_of

METHOD = types.TEXT_DOCUMENT_COMPLETION
OPTIONS = types.CompletionOptions(trigger_characters=['"', "'"])


async def answer(server: FlowServer, params: types.CompletionParams) -> types.CompletionList | None:
    """The nodes of the flow with what they are; nothing where no such name can stand."""
    return await server.run(_completions, server, params)


def _completions(server: FlowServer, params: types.CompletionParams) -> types.CompletionList | None:
    place = place_of(server, params.text_document.uri, params.position)
    found = offers_at(server.session, place)
    if found is None:
        return None
    range_ = server.places_of(found.span).range(found.span)
    items = [_item(offer, range_, number) for number, offer in enumerate(found.offers)]
    return types.CompletionList(is_incomplete=False, items=items)


def _item(offer: Offer, range_: types.Range, number: int) -> types.CompletionItem:
    return types.CompletionItem(
        label=offer.name,
        kind=types.CompletionItemKind.EnumMember,
        detail=offer.detail,
        documentation=offer.head,
        sort_text=f"{number:05}",
        filter_text=offer.name,
        text_edit=types.TextEdit(range_, offer.written),
    )
