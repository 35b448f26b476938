"""The editor's settings have changed."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.session.settings import SECTION, editor_settings
from flowls.telling import take_back, tell_others

METHOD = types.WORKSPACE_DID_CHANGE_CONFIGURATION


async def answer(server: FlowServer, params: types.DidChangeConfigurationParams) -> None:
    """Take them, from the editor that tells them or by asking."""
    was_whole = server.settings.whole_workspace
    await read(server, params.settings)
    if was_whole and not server.settings.whole_workspace:
        await take_back(server)
    tell_others(server)


async def read(server: FlowServer, given: object = None) -> None:
    """Take the settings that are given, or ask for them."""
    if server.is_supported("workspace", "configuration"):
        asked = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
        given = next(iter(await server.workspace_configuration_async(asked)), None)
    if given is not None:
        server.settings = editor_settings(given)
