"""Findings of open files or of the whole workspace: what the setting says, at any time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_client import SERVER
from lsp_flows import DANGLING
from serving import serving
from wire import Wire


def _begin(wire: Wire, folder: Path, **text_document: object) -> None:
    given = {
        "processId": None,
        "rootUri": folder.as_uri(),
        "capabilities": {"textDocument": text_document},
        "initializationOptions": {"diagnosticMode": "workspace"},
    }
    wire.ask("initialize", given)
    wire.notify("initialized", {})


def _look_at_open_files_only(wire: Wire) -> None:
    settings = {"flowlint": {"diagnosticMode": "openFilesOnly"}}
    wire.notify("workspace/didChangeConfiguration", {"settings": settings})


def _pulled(wire: Wire, known: list[dict[str, str]]) -> list[dict[str, Any]]:
    answer = wire.ask("workspace/diagnostic", {"previousResultIds": known})
    items: list[dict[str, Any]] = answer["result"]["items"]
    return items


def test_an_editor_that_asks_gets_back_what_is_told_no_more(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    with serving(*SERVER) as (_, wire):
        _begin(wire, tmp_path, diagnostic={})
        items: list[dict[str, Any]] = []
        while not items:
            items = _pulled(wire, [])
        [told] = items
        assert [one["code"] for one in told["items"]] == ["FL105"]
        _look_at_open_files_only(wire)
        known = [{"uri": told["uri"], "value": told["resultId"]}]
        [taken_back] = _pulled(wire, known)
        assert (taken_back["uri"], taken_back["items"]) == (told["uri"], [])
        assert "resultId" not in taken_back
        # Files that are open are asked about one by one.
        wire.open(tmp_path / "flow.py", DANGLING)
        assert _pulled(wire, known) == []


@pytest.mark.parametrize("is_open", [False, True])
def test_an_editor_that_is_told_is_told_that_too(tmp_path: Path, is_open: bool) -> None:
    uri = (tmp_path / "flow.py").as_uri()

    def told() -> list[str]:
        message = wire.until(
            lambda one: (
                one.get("method") == "textDocument/publishDiagnostics"
                and one["params"]["uri"] == uri
            )
        )
        return [one["code"] for one in message["params"]["diagnostics"]]

    (tmp_path / "flow.py").write_text(DANGLING)
    with serving(*SERVER) as (_, wire):
        _begin(wire, tmp_path)
        if is_open:
            wire.open(tmp_path / "flow.py", DANGLING)
        assert told() == ["FL105"]
        _look_at_open_files_only(wire)
        assert told() == (["FL105"] if is_open else [])
