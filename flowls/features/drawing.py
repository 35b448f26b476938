"""A document's flows for editors that draw them. What was asked about is told of when it changes.

This is no request of the protocol: `flowlint/graph` takes a `textDocument`, and the notification
`flowlint/flowsChanged` names the documents of which another answer would be given now.
"""

from __future__ import annotations

from typing import Any

from flowls.pictures import Picture, picture
from flowls.server import FlowServer

METHOD = "flowlint/graph"


async def answer(server: FlowServer, params: Any) -> Picture:
    """The flows of a document."""
    uri: str = params.textDocument.uri
    found = await server.run(picture, server, uri)
    server.drawn[uri] = found
    return found
