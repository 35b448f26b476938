"""The node that a call hierarchy begins with."""

from __future__ import annotations

from lsprotocol import types

from flowls.calls import item_of
from flowls.server import FlowServer
from flowls.session.neighbours import Stop
from flowls.symbols import pointed

METHOD = types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY


async def answer(
    server: FlowServer, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    """The nodes that are named at a place."""
    return await server.run(_items, server, params)


def _items(
    server: FlowServer, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    at = pointed(server, params)
    symbols = dict.fromkeys(mention.symbol for mention in at.chosen())
    items = [item_of(server, at.mentions, Stop(one.flow, one.name)) for one in symbols]
    return [item for item in items if item is not None] or None
