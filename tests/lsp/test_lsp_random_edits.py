"""Whatever is typed: the server lives, and finds what one finds who sees the text afresh.

`FLOWLS_EDITS` says how many edits are made, `FLOWLS_SEED` which ones.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from afresh import Afresh
from corpus import Project, laid_out, projects
from lsp_client import CONFIG, Document, begin, settled
from pytest_lsp import LanguageClient
from test_lsp_parity import told_of
from typing_at_random import Typist

EDITS = int(os.environ.get("FLOWLS_EDITS", "100"))
SEED = os.environ.get("FLOWLS_SEED", "1")
EDITS_EACH = 20


@pytest_lsp.fixture(config=CONFIG)
async def somewhere(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    """An editor in a folder with all projects."""
    projects(tmp_path)
    await begin(lsp_client, tmp_path, "visual_studio_code")
    yield
    await lsp_client.shutdown_session()


async def test_edits_at_random(
    somewhere: LanguageClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await settled(lambda: somewhere.refreshed > 0, 120)
    found = laid_out(tmp_path)
    afresh = Afresh()
    edits, rests, number = 0, 0, 0
    try:
        while edits < EDITS:
            project = found[number * 7 % len(found)]
            rests += await _edit(somewhere, project, afresh, f"{SEED}.{number}")
            edits, number = edits + EDITS_EACH, number + 1
    finally:
        afresh.close()
    assert rests > EDITS / 10
    with capsys.disabled():
        print(f"\n{edits} edits, {rests} rests, {number} projects")


async def _edit(editor: LanguageClient, project: Project, afresh: Afresh, seed: str) -> int:
    """Edits the files of a project; gives how often they were looked at."""
    rests = 0
    opened = [Document(editor, path) for path in project.files]
    typists = [Typist(f"{seed}.{number}") for number in range(len(opened))]
    for number in range(EDITS_EACH):
        which = typists[0].pick(len(opened))
        document, typist = opened[which], typists[which]
        start, end, new = typist.change(document.text)
        document.splice(start, end, new)
        if typist.rests() or number == EDITS_EACH - 1:
            rests += 1
            texts = {str(one.path): one.text for one in opened}
            expected = afresh.found(project.folder, texts)
            for one in opened:
                told = sorted(map(told_of, await one.diagnostics()))
                assert told == expected[str(one.path)], (one.path, seed, number, one.text)
                assert "FL906" not in {code for code, *_ in told}
    for document in opened:
        document.close()
    return rests
