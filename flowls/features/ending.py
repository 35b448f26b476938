"""The editor is about to end the server."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer

METHOD = types.SHUTDOWN


def answer(server: FlowServer, _: None) -> None:
    """From now on an end is an orderly one."""
    server.is_shut_down = True
