"""Editors that draw flows are told when a picture that they have is no longer right."""

from __future__ import annotations

import asyncio

from flowls.pictures import Picture, picture
from flowls.server import FlowServer

CHANGED = "flowlint/flowsChanged"

REST = 0.1
"""Seconds without changes after which pictures are looked at again."""


def redraw_soon(server: FlowServer) -> None:
    """Look at all pictures again, unless something else changes before."""
    if server.redrawing is not None:
        server.redrawing.cancel()
    if server.drawn:
        server.redrawing = server.spawn(_redraw(server))


async def _redraw(server: FlowServer) -> None:
    await asyncio.sleep(REST)
    changed: dict[str, Picture] = {}
    for uri, known in list(server.drawn.items()):
        found = await server.run(picture, server, uri)
        if found != known:
            changed[uri] = found
    # From here on nothing is waited for, so that nothing is noted without being told.
    server.drawn.update(changed)
    for uri in [uri for uri in server.drawn if not server.is_open(uri)]:
        del server.drawn[uri]
    if changed:
        server.protocol.notify(CHANGED, {"uris": list(changed)})
