"""Editors, as far as the server can tell: what they can do, and how one talks to them."""

from __future__ import annotations

import asyncio
import sysconfig
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SERVER = [str(Path(sysconfig.get_path("scripts")) / "flowls"), "--stdio"]
CONFIG = ClientServerConfig(server_command=SERVER)

PROFILES = ("visual_studio_code", "neovim", "emacs")


def capabilities(profile: str) -> types.ClientCapabilities:
    """What an editor says that it can do; VS Code of today and Neovim 0.11 ask for diagnostics."""
    found = client_capabilities(profile)
    if profile == "visual_studio_code":
        assert found.text_document is not None and found.workspace is not None
        found.text_document.diagnostic = types.DiagnosticClientCapabilities(
            dynamic_registration=True, related_document_support=False
        )
        found.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(True)
        assert found.workspace.workspace_edit is not None
        found.workspace.workspace_edit.snippet_edit_support = True
    return found


async def begin(client: LanguageClient, folder: Path, profile: str, **options: object) -> None:
    """Start a session in a folder."""
    client.registered = []
    client.told = {}
    client.refreshed = 0

    def registered(params: types.RegistrationParams) -> None:
        client.registered += params.registrations

    def told(params: types.PublishDiagnosticsParams) -> None:
        client.diagnostics[params.uri] = params.diagnostics
        client.told.setdefault(params.uri, []).append(params.version)

    def refreshed(_: None) -> None:
        client.refreshed += 1

    features = client.protocol.fm.features
    features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = told
    features[types.WORKSPACE_DIAGNOSTIC_REFRESH] = refreshed
    features[types.WORKSPACE_CODE_LENS_REFRESH] = lambda _: None
    features[types.CLIENT_REGISTER_CAPABILITY] = registered

    client.set_configuration({"flowlint": options})
    result = await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities(profile),
            root_uri=folder.as_uri(),
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name)],
            initialization_options=options,
        )
    )
    client.server_capabilities = result.capabilities


class Document:
    """A document that is open in an editor."""

    def __init__(self, client: LanguageClient, path: Path, text: str | None = None) -> None:
        self.client = client
        self.path = path
        self.uri = path.as_uri()
        self.text = path.read_text() if text is None else text
        self.version = 1
        client.told[self.uri] = []
        client.text_document_did_open(
            types.DidOpenTextDocumentParams(
                types.TextDocumentItem(self.uri, "python", self.version, self.text)
            )
        )

    @property
    def id(self) -> types.TextDocumentIdentifier:
        """How requests name it."""
        return types.TextDocumentIdentifier(self.uri)

    def replace(self, old: str, new: str) -> None:
        """Change the first place where `old` stands, as somebody types."""
        start = self.position(old)
        end = self.position(old, after=True)
        self.version += 1
        self.text = self.text.replace(old, new, 1)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri),
                [types.TextDocumentContentChangePartial(types.Range(start, end), new)],
            )
        )

    def splice(self, start: int, end: int, new: str) -> None:
        """Replace what is between two characters of the text."""
        places = types.Range(self.place(start), self.place(end))
        self.version += 1
        self.text = self.text[:start] + new + self.text[end:]
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri),
                [types.TextDocumentContentChangePartial(places, new)],
            )
        )

    def become(self, text: str) -> None:
        """Have another text altogether."""
        self.version += 1
        self.text = text
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def close(self) -> None:
        """Close it."""
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.id))

    def position(self, text: str, *, after: bool = False, which: int = 0) -> types.Position:
        """Where a text stands for the first time, or `which` times later; in UTF-16 units."""
        index = -1
        for _ in range(which + 1):
            index = self.text.index(text, index + 1)
        return self.place(index + (len(text) if after else 0))

    def place(self, index: int) -> types.Position:
        """The position of a character, in UTF-16 units."""
        before = self.text[:index]
        line = before.count("\n")
        return types.Position(line, len(before.rpartition("\n")[2].encode("utf-16-le")) // 2)

    def at(self, text: str, which: int = 0) -> types.TextDocumentPositionParams:
        """The place within a text, as requests name it."""
        place = self.position(text, which=which)
        return types.TextDocumentPositionParams(
            self.id, types.Position(place.line, place.character + 1)
        )

    async def diagnostics(self) -> list[types.Diagnostic]:
        """What is told of it now, however the editor comes to know."""
        provider = self.client.server_capabilities.diagnostic_provider
        if provider is not None:
            report = await self.client.text_document_diagnostic_async(
                types.DocumentDiagnosticParams(self.id)
            )
            return list(report.items)
        await settled(lambda: self.version in self.client.told.get(self.uri, ()))
        return list(self.client.diagnostics[self.uri])

    async def tells(self, code: str) -> bool:
        """Whether a rule's finding is told."""
        return code in await self.codes()

    async def codes(self) -> list[str]:
        """The codes of the rules that are told, in order."""
        return sorted(str(one.code) for one in await self.diagnostics())


async def settled(
    is_so: Callable[[], bool] | Callable[[], Awaitable[bool]], seconds: float = 10
) -> None:
    """Wait until something is so; fails when it never is."""
    deadline = asyncio.get_running_loop().time() + seconds
    while True:
        found = is_so()
        if asyncio.iscoroutine(found):
            found = await found
        if found:
            return
        assert asyncio.get_running_loop().time() < deadline, "it never came to be"
        await asyncio.sleep(0.02)
