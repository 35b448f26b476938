"""The beginning: what the editor can do, and which folders it works in."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer, replace_workspace
from flowls.session.settings import editor_settings
from flowls.telling import tell_others


def prepare(server: FlowServer, params: types.InitializeParams) -> None:
    """Make everything ready before the capabilities are told."""
    server.tidier.begin()
    server.remember_loop()
    server.others_turn = lambda: tell_others(server)
    replace_workspace(server)
    given = params.initialization_options
    server.settings = editor_settings(given)
    server.shows_flows = isinstance(given, dict) and given.get("showGraph") is True
    server.pulls = server.is_supported("text_document", "diagnostic")
    server.session.folders = folders(server)


def folders(server: FlowServer) -> list[str]:
    """The roots of the workspace."""
    roots = [server.path_of(folder.uri) for folder in server.workspace.folders.values()]
    if not roots and server.workspace.root_path:
        roots = [server.workspace.root_path]
    return roots
