"""Where a node leads."""

from __future__ import annotations

from lsprotocol import types

from flowls.calls import item_of, ranges_in, stop_of
from flowls.server import FlowServer
from flowls.session.neighbours import ways_out

METHOD = types.CALL_HIERARCHY_OUTGOING_CALLS

Found = list[types.CallHierarchyOutgoingCall] | None


async def answer(server: FlowServer, params: types.CallHierarchyOutgoingCallsParams) -> Found:
    """Other nodes, and those with which its regions begin."""
    return await server.run(_calls, server, params.item)


def _calls(server: FlowServer, item: types.CallHierarchyItem) -> Found:
    known = stop_of(server, item)
    if known is None:
        return None
    mentions, stop = known
    found = []
    for target, spans in ways_out(mentions, stop).items():
        called = item_of(server, mentions, target)
        if called is not None:
            ranges = ranges_in(server, item.uri, spans)
            found.append(types.CallHierarchyOutgoingCall(to=called, from_ranges=ranges))
    return found
