"""A server of its own for each test, under each kind of editor."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsp_client import CONFIG, PROFILES, begin
from lsprotocol import types
from pytest_lsp import LanguageClient


@pytest_lsp.fixture(config=CONFIG, params=PROFILES)
async def editor(
    request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path
) -> AsyncIterator[None]:
    """An editor that works in the test's own folder."""
    await begin(lsp_client, tmp_path, request.param)
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=CONFIG)
async def plain(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    """An editor that says of nothing that it can do it."""
    lsp_client.told = {}
    result = await lsp_client.initialize_session(
        types.InitializeParams(types.ClientCapabilities(), root_uri=tmp_path.as_uri())
    )
    lsp_client.server_capabilities = result.capabilities
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=CONFIG)
async def vscode(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    """VS Code, which can do everything."""
    await begin(lsp_client, tmp_path, "visual_studio_code")
    yield
    await lsp_client.shutdown_session()
