"""The server: the protocol on one side, the session on the other."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any, ParamSpec, TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from flowlint.source import Span
from flowlint.suffixes import SUFFIXES
from flowls.convert import Places
from flowls.documents import FlowWorkspace
from flowls.protocol import FlowProtocol
from flowls.session.lines import split_lines
from flowls.session.session import Session, StoppedError, never
from flowls.session.settings import EditorSettings
from flowls.tidying import Tidier
from flowls.version import version

logger = logging.getLogger(__name__)

_SUFFIXES = {
    "javascript": ".js",
    "javascriptreact": ".jsx",
    "json": ".json",
    "typescript": ".ts",
    "typescriptreact": ".tsx",
    "yaml": ".yaml",
}
"""The endings of what editors call these languages; all else is read as Python."""

QUIET = 0.3
"""Seconds without typing after which there is time for other things."""

AFTER = 0.004
"""Seconds after which an answer is on its way to the editor."""

P = ParamSpec("P")
R = TypeVar("R")


class FlowServer(LanguageServer):
    """What all requests share.

    The session is used from one thread of its own only, in the order of the requests, so that what
    is typed is seen by all that is asked afterwards, and the protocol is never kept waiting.
    """

    def __init__(self) -> None:
        super().__init__(
            "flowls",
            version(),
            notebook_document_sync=types.NotebookDocumentSyncOptions(
                notebook_selector=[
                    types.NotebookDocumentFilterWithNotebook(
                        notebook="jupyter-notebook",
                        cells=[types.NotebookCellLanguage(language="python")],
                    )
                ]
            ),
            protocol_cls=FlowProtocol,
        )
        self.session = Session()
        self.settings = EditorSettings()
        self.cells: dict[str, list[str]] = {}
        """The URIs of the cells of open notebooks, by the path of the notebook."""
        self.versions: dict[str, int | None] = {}
        """The versions of the texts that the session has, by their URIs."""
        self.pulls = False
        """Whether the editor asks for diagnostics itself."""
        self.shows_flows = False
        """Whether the editor has a command that draws a flow."""
        self.resting: asyncio.Task[Any] | None = None
        """What waits until nothing changes any more."""
        self.publishing: dict[str, asyncio.Task[Any]] = {}
        """What is about to be told of documents, by their URIs."""
        self.drawn: dict[str, dict[str, Any]] = {}
        """What editors that draw flows know of documents, by their URIs."""
        self.redrawing: asyncio.Task[Any] | None = None
        """What waits to look at that again."""
        self.others_turn: Callable[[], object] = lambda: None
        """Tells of all documents anew."""
        self.answered: dict[str, int] = {}
        """Documents whose findings an editor asked for, and how often they are to be taken back."""
        self.told_problem: str | None = None
        """What was last said to be wrong with the settings."""
        self.told_unreadable = False
        """Whether it was said that nothing is installed that reads TypeScript."""
        self.tidier = Tidier()
        self.typed_at = 0.0
        """When somebody typed, by the clock of the loop."""
        self._uris: dict[str, str] = {}
        self._suffixes: dict[str, str] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="session")
        self._tasks: set[asyncio.Task[Any]] = set()
        self.is_shut_down = False

    @property
    def exit_code(self) -> int:
        """0 after an orderly end, 1 when the editor ended without one."""
        return 0 if self.is_shut_down else 1

    # --- work -------------------------------------------------------------------------------

    async def run(self, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        """Do something with the session. Work that nobody waits for any more is not begun.

        What is being done stops before the next file.
        """
        gone = threading.Event()

        def begin() -> R:
            if gone.is_set():
                raise StoppedError
            self.session.is_stopped = gone.is_set
            try:
                return work(*given, **named)
            finally:
                self.session.is_stopped = never

        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, begin)
        except asyncio.CancelledError:
            gone.set()
            raise

    def submit(self, work: Callable[P, object], *given: P.args, **named: P.kwargs) -> None:
        """Do something with the session before all that is asked from now on."""
        self._worker.submit(_logged, work, *given, **named)

    def call_soon(self, work: Callable[P, object], *given: P.args, **named: P.kwargs) -> None:
        """Do something with the protocol; this is for the thread of the session."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(lambda: work(*given, **named))

    def tidy_soon(self) -> None:
        """Collect garbage once what was found is told; this is for the thread of the session."""
        self.call_soon(self._tidy_later)

    def _tidy_later(self) -> None:
        if self._loop is not None:
            self._loop.call_later(AFTER, lambda: self.submit(self.tidier.tidy))

    def remember_loop(self) -> None:
        """Remember the loop that the protocol runs in."""
        self._loop = asyncio.get_running_loop()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something aside; what fails there is logged."""
        task = asyncio.ensure_future(_aside(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # What is cancelled before it began was never awaited, which Python would complain about.
        task.add_done_callback(lambda _: work.close())
        return task

    def shutdown(self) -> None:
        """End all work."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log what failed without anybody waiting for it, and let nothing pop up for it."""
        told = types.LogMessageParams(types.MessageType.Error, f"flowls failed: {error}")
        self.window_log_message(told)

    async def quiet(self) -> None:
        """Wait until nobody has typed for a moment."""
        while self._loop is not None and self._loop.time() - self.typed_at < QUIET:
            await asyncio.sleep(QUIET / 3)

    def typed(self) -> None:
        """Somebody is typing: what can wait waits."""
        if self._loop is not None:
            self.typed_at = self._loop.time()

    # --- names of files ---------------------------------------------------------------------

    def path_of(self, uri: str) -> str:
        """The path by which the session knows a document."""
        path = to_fs_path(uri) if uri.startswith("file:") else None
        if path is not None:
            return os.path.normpath(path)
        scheme, _, rest = uri.partition(":")
        name = rest.lstrip("/").replace("/", "_") or "document"
        if not name.endswith(SUFFIXES):
            name += self._suffix(uri)
        return os.path.join(os.sep, scheme, name)

    def _suffix(self, uri: str) -> str:
        """The ending that a file of the language of an open document would have."""
        known = self.open_text(uri)
        if known is not None:
            self._suffixes[uri] = _SUFFIXES.get(known.language_id or "", ".py")
        # Who is told that it is closed still means the same file.
        return self._suffixes.get(uri, ".py")

    def uri_of(self, path: str) -> str:
        """The URI of a file, as the editor writes it where it is open."""
        return self._uris.get(path) or from_fs_path(path) or path

    def name_open(self, uri: str) -> str:
        """Remember how the editor writes the URI of an open document, and give its path."""
        path = self.path_of(uri)
        self._uris[path] = uri
        return path

    def open_uris(self) -> list[str]:
        """The documents that are open."""
        return [document.uri for document in self.workspace.text_documents.values()]

    def is_open(self, uri: str) -> bool:
        """Whether a document or notebook is open."""
        notebook = self.workspace.get_notebook_document(notebook_uri=uri)
        return self.open_text(uri) is not None or notebook is not None

    def open_text(self, uri: str) -> TextDocument | None:
        """An open document or cell; its URI may be written in any way."""
        # pygls knows them by their URIs without escapes.
        found: TextDocument | None = self.workspace.text_documents.get(unquote(uri))
        return found

    # --- places -----------------------------------------------------------------------------

    def places(self, path: str) -> Places:
        """The places of a text as the session has it; to be used from its thread."""
        lines = self.session.lines.get(path)
        if lines is None:
            try:
                text = self.session.files.read(path).decode("utf-8-sig", "replace")
            except OSError:
                text = ""
            lines = split_lines(text)
        return Places(lines, self.workspace.position_encoding)

    def places_of(self, span: Span) -> Places:
        """The places of the text that a span lies in; to be used from the session's thread."""
        if span.cell is None:
            return self.places(span.path)
        lines = self.session.lines.get(self.uri_of_span(span), ())
        return Places(lines, self.workspace.position_encoding)

    def uri_of_span(self, span: Span) -> str:
        """The document that a span lies in: a cell of a notebook is one of its own."""
        cells = self.cells.get(span.path, [])
        if span.cell is not None and span.cell < len(cells):
            return cells[span.cell]
        return self.uri_of(span.path)

    def is_supported(self, *names: str) -> bool:
        """Whether the editor has a capability, such as `workspace.diagnostics.refresh_support`."""
        found: Any = self.client_capabilities
        for name in names:
            found = getattr(found, name, None)
        return bool(found)


def make_server() -> FlowServer:
    """A server that answers everything that there is a feature for."""
    from flowls.features import FEATURES, initialising

    server = FlowServer()

    def initialise(params: types.InitializeParams) -> None:
        initialising.prepare(server, params)
        for feature in FEATURES:
            if not hasattr(feature, "is_wanted") or feature.is_wanted(server):
                _register(server, feature)

    server.feature(types.INITIALIZE)(initialise)
    return server


def _register(server: FlowServer, feature: ModuleType) -> None:
    answer = feature.answer
    if asyncio.iscoroutinefunction(answer):

        async def answered(params: Any = None) -> Any:
            try:
                return await answer(server, params)
            except StoppedError:
                return None

        handler: Callable[..., Any] = answered
    else:

        def noticed(params: Any = None) -> Any:
            return answer(server, params)

        handler = noticed
    options = getattr(feature, "OPTIONS", None)
    if hasattr(feature, "COMMAND"):
        server.command(feature.COMMAND)(handler)
    else:
        server.feature(feature.METHOD, options)(handler)


def replace_workspace(server: FlowServer) -> None:
    """Put our own workspace, which knows what a line is, in the place of that of pygls."""
    known = server.workspace
    folders = list(known.folders.values())
    workspace = FlowWorkspace(
        known.root_uri,
        server._text_document_sync_kind,
        folders,
        known.position_encoding,
    )
    server.protocol._workspace = workspace


def _logged(work: Callable[..., object], *given: object, **named: object) -> None:
    try:
        work(*given, **named)
    except StoppedError:
        pass
    except Exception:
        logger.exception("the session failed")


async def _aside(work: Coroutine[Any, Any, Any]) -> None:
    try:
        await work
    except (asyncio.CancelledError, StoppedError):
        pass
    except Exception:
        logger.exception("something aside failed")
