"""What the pages show is what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from console_blocks import INSTALLED, PAGES, ran, timeless


def blocks(text: str) -> int:
    return len(re.findall(r"^```console$", text, re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_output_is_real(page: Path) -> None:
    """It is written anew by `make shown`."""
    results = ran(page)
    assert len(results) >= blocks(page.read_text("utf-8"))
    for result in results:
        where = f"{result.page}:{result.line}: {result.command}"
        assert timeless(result.printed) == timeless(result.shown), where
        is_told = "error: " in result.shown or "waits for" in result.shown
        assert result.code in (0, 1) or is_told, where


def test_there_is_something_to_see() -> None:
    assert len(PAGES) >= 10
    assert sum(blocks(page.read_text("utf-8")) for page in PAGES) >= 20


def test_commands_that_are_not_run_are_few() -> None:
    assert INSTALLED == ("pip install '.[typescript]'",)
