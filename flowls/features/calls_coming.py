"""What leads to a node."""

from __future__ import annotations

from lsprotocol import types

from flowls.calls import item_of, ranges_in, stop_of
from flowls.server import FlowServer
from flowls.session.neighbours import ways_in

METHOD = types.CALL_HIERARCHY_INCOMING_CALLS

Found = list[types.CallHierarchyIncomingCall] | None


async def answer(server: FlowServer, params: types.CallHierarchyIncomingCallsParams) -> Found:
    """Other nodes, the start of the flow, or the node whose region begins with it."""
    return await server.run(_calls, server, params.item)


def _calls(server: FlowServer, item: types.CallHierarchyItem) -> Found:
    known = stop_of(server, item)
    if known is None:
        return None
    mentions, stop = known
    found = []
    for source, spans in ways_in(mentions, stop).items():
        caller = item_of(server, mentions, source)
        if caller is not None:
            ranges = ranges_in(server, caller.uri, spans)
            found.append(types.CallHierarchyIncomingCall(from_=caller, from_ranges=ranges))
    return found
