"""What the server finds is what the command finds, in every file of all examples and cases."""

from __future__ import annotations

import json
import subprocess
import sysconfig
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_lsp
from corpus import laid_out, projects
from lsp_client import CONFIG, Document, begin, settled
from lsp_flows import DANGLING
from lsprotocol import types
from pytest_lsp import LanguageClient

FLOWLINT = str(Path(sysconfig.get_path("scripts")) / "flowlint")
_SEVERITIES = {"error": 1, "warning": 2, "info": 3}

Told = tuple[str, int, tuple[int, int], tuple[int, int], str]


@pytest_lsp.fixture(config=CONFIG)
async def everywhere(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    """An editor in a folder with all projects."""
    projects(tmp_path)
    await begin(lsp_client, tmp_path, "visual_studio_code")
    yield
    await lsp_client.shutdown_session()


async def test_the_server_finds_what_the_command_finds(
    everywhere: LanguageClient, tmp_path: Path
) -> None:
    expected = found_by_command(tmp_path)
    assert len(expected) > 100
    await settled(lambda: everywhere.refreshed > 0, 120)
    for project in laid_out(tmp_path):
        opened = [Document(everywhere, path) for path in project.files]
        for document in opened:
            told = sorted(map(told_of, await document.diagnostics()))
            assert told == expected[str(document.path)], document.path
        for document in opened:
            document.close()


async def test_comments_count_only_where_there_may_be_flows(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    comment = "  # flowlint: ignore[dead-end] why"
    document = Document(vscode, tmp_path / "a.py", f"x = 1{comment}\n")
    assert await document.codes() == []
    document.become(DANGLING.replace("None", f"None{comment}"))
    assert await document.codes() == ["FL105", "FL903"]


def found_by_command(folder: Path) -> dict[str, list[Told]]:
    """What `flowlint check` tells of each file, with places as editors count them."""
    ran = subprocess.run(
        [FLOWLINT, "check", "--output-format", "json", "--no-cache", str(folder)],
        capture_output=True,
        check=False,
        cwd=folder,
    )
    assert ran.returncode == 1, ran.stderr
    found: dict[str, list[Told]] = defaultdict(list)
    for one in json.loads(ran.stdout):
        path = Path(one["path"])
        lines = path.read_text().split("\n")
        told = (
            one["code"],
            _SEVERITIES[one["severity"]],
            _place(lines, one["range"]["start"]),
            _place(lines, one["range"]["end"]),
            one["message"],
        )
        found[str(path)].append(told)
    return defaultdict(list, {path: sorted(told) for path, told in found.items()})


def _place(lines: list[str], place: dict[str, Any]) -> tuple[int, int]:
    line = lines[place["line"] - 1] if place["line"] <= len(lines) else ""
    before = line[: place["column"] - 1]
    return place["line"] - 1, len(before.encode("utf-16-le")) // 2


def told_of(one: types.Diagnostic) -> Told:
    """A diagnostic without what the command puts otherwise."""
    start, end = one.range.start, one.range.end
    return (
        str(one.code),
        int(one.severity or 0),
        (start.line, start.character),
        (end.line, end.character),
        str(one.message).split("\n", 1)[0],
    )
