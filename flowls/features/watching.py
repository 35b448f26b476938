"""Files on the disk have changed, as the editor sees it."""

from __future__ import annotations

from lsprotocol import types

from flowlint.suffixes import SUFFIXES
from flowls.server import FlowServer
from flowls.telling import stale_on_disk

METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES

# Editors understand no braces within braces: VS Code matches nothing by them.
PATTERNS = (
    f"**/*.{{{','.join(suffix[1:] for suffix in SUFFIXES)},toml,lock}}",
    "**/*requirements*.txt",
    "**/{Pipfile,setup.cfg,.gitignore}",
)


def answer(server: FlowServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Forget what rests on them."""
    changed: list[str] = []
    moved: list[str] = []
    for event in params.changes:
        is_changed = event.type == types.FileChangeType.Changed
        (changed if is_changed else moved).append(server.path_of(event.uri))
    stale_on_disk(server, changed, moved)
    stating = [path for path in (*changed, *moved) if server.session.is_of_settings(path)]
    if stating:
        server.spawn(_look_for_declared(server, stating))


async def _look_for_declared(server: FlowServer, stating: list[str]) -> None:
    """Where systems are declared, files may hold flows that were passed over before."""
    from flowls.features.indexing import index

    if await server.run(server.session.has_more_to_index, stating):
        await index(server)


async def register(server: FlowServer) -> None:
    """Ask to be told of changes, where the editor lets itself be asked."""
    if not server.is_supported("workspace", "did_change_watched_files", "dynamic_registration"):
        return
    watched = types.DidChangeWatchedFilesRegistrationOptions(
        watchers=[types.FileSystemWatcher(glob_pattern=pattern) for pattern in PATTERNS]
    )
    wanted = types.Registration("watched-files", METHOD, watched)
    await server.client_register_capability_async(types.RegistrationParams([wanted]))
