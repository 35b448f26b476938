"""The editor is ready: look at the whole workspace, so that flows that others build are known."""

from __future__ import annotations

import uuid

from lsprotocol import types

from flowls.features import configuring, watching
from flowls.server import FlowServer
from flowls.telling import tell_others

METHOD = types.INITIALIZED

_SHOWN_FROM = 50
"""Files from which on the progress is worth a look."""


async def answer(server: FlowServer, _: types.InitializedParams) -> None:
    """Ask for what is to be known, and begin to look."""
    await watching.register(server)
    await configuring.read(server)
    server.spawn(index(server))


async def index(server: FlowServer) -> None:
    """Look at all files of the workspace, one by one, so that what is asked goes before."""
    if not server.session.folders:
        return
    paths = await server.run(server.session.index)
    progress = await _progress(server, len(paths))
    try:
        for number, path in enumerate(paths, start=1):
            await server.quiet()
            await server.run(server.session.look_at, path)
            progress.report(number)
            if progress.is_cancelled():
                return
    finally:
        progress.end()
    await server.run(server.session.indexed)
    await server.run(server.tidier.settle)
    tell_others(server)


class _Progress:
    """Shows nothing."""

    def report(self, number: int) -> None:
        """So many files were looked at."""

    def end(self) -> None:
        """All were."""

    def is_cancelled(self) -> bool:
        """Whether somebody had enough of it."""
        return False


class _Shown(_Progress):
    def __init__(self, server: FlowServer, token: str, files: int) -> None:
        self._progress, self._token, self._files = server.work_done_progress, token, files
        self._percentage = -1
        begin = types.WorkDoneProgressBegin(
            "flowlint: reading flows", percentage=0, cancellable=True
        )
        self._progress.begin(token, begin)

    def report(self, number: int) -> None:
        percentage = 100 * number // self._files
        if percentage != self._percentage:
            self._percentage = percentage
            message = f"{number} of {self._files} files"
            told = types.WorkDoneProgressReport(message=message, percentage=percentage)
            self._progress.report(self._token, told)

    def end(self) -> None:
        self._progress.end(self._token, types.WorkDoneProgressEnd())

    def is_cancelled(self) -> bool:
        return self._progress.tokens[self._token].cancelled()


async def _progress(server: FlowServer, files: int) -> _Progress:
    if files < _SHOWN_FROM or not server.is_supported("window", "work_done_progress"):
        return _Progress()
    token = str(uuid.uuid4())
    await server.work_done_progress.create_async(token)
    return _Shown(server, token, files)
