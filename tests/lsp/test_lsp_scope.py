"""Findings of open files or of the whole workspace: what the setting says, at any time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsp_client import SERVER
from lsp_flows import DANGLING
from serving import serving
from wire import Wire

_TOLD = "textDocument/publishDiagnostics"


def _begin(wire: Wire, folder: Path, *, workspace: object = None, **text_document: object) -> None:
    given = {
        "processId": None,
        "rootUri": folder.as_uri(),
        "capabilities": {"textDocument": text_document, "workspace": workspace},
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
        message = wire.until(lambda one: one.get("method") == _TOLD and one["params"]["uri"] == uri)
        return [one["code"] for one in message["params"]["diagnostics"]]

    (tmp_path / "flow.py").write_text(DANGLING)
    with serving(*SERVER) as (_, wire):
        _begin(wire, tmp_path)
        if is_open:
            wire.open(tmp_path / "flow.py", DANGLING)
        assert told() == ["FL105"]
        _look_at_open_files_only(wire)
        assert told() == (["FL105"] if is_open else [])


@pytest.mark.parametrize("name", ["flow.py", "my flöw #1, 100%.py"])
def test_nothing_is_told_of_what_is_closed_to_editors_that_ask(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(DANGLING)
    with serving(*SERVER) as (_, wire):
        _begin(wire, tmp_path, diagnostic={})
        _look_at_open_files_only(wire)
        uri = wire.open(tmp_path / name, DANGLING)

        def told() -> list[str]:
            answer = wire.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            return [one["code"] for one in answer["result"]["items"]]

        assert told() == ["FL105"]
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        # VS Code has forgotten by now that it asked, and shows what it was told.
        [taken_back] = _pulled(wire, [])
        assert (taken_back["uri"], taken_back["items"]) == (uri, [])
        assert told() == []


def test_what_is_closed_while_it_is_looked_at_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(DANGLING)
    with serving(*SERVER) as (_, wire):
        _begin(wire, tmp_path)
        _look_at_open_files_only(wire)
        closed = wire.open(tmp_path / "flow.py", DANGLING)
        wire.notify("textDocument/didClose", {"textDocument": {"uri": closed}})
        other = wire.open(tmp_path / "other.py", DANGLING)
        told: list[int] = []
        while True:
            message = wire.until(lambda one: one.get("method") == _TOLD)
            params = message["params"]
            if params["uri"] == closed:
                told.append(len(params["diagnostics"]))
            elif params["uri"] == other:
                break
        assert told[-1] == 0


def test_editors_may_take_their_time_to_ask_again(tmp_path: Path) -> None:
    refresh = "workspace/diagnostic/refresh"
    with serving(*SERVER) as (_, wire):
        _begin(wire, tmp_path, diagnostic={}, workspace={"diagnostics": {"refreshSupport": True}})

        def asked() -> int | str:
            while True:
                message = wire.receive()
                assert message is not None and message.get("method") != "window/logMessage"
                if message.get("method") == refresh:
                    number: int | str = message["id"]
                    return number

        first = asked()
        for _ in range(2):
            _look_at_open_files_only(wire)
            second = asked()
        for number in (first, second):
            wire.answer(number)
        wire.request("shutdown")
        while (message := wire.receive()) is not None and "result" not in message:
            assert message.get("method") != "window/logMessage", message


def test_a_declared_system_is_looked_for_in_files_that_are_not_open(tmp_path: Path) -> None:
    own = 'from acme import Flow\n\nflow = Flow(steps=["a"], routes=[("a", "b")], start="a")\n'
    declared = (
        '[[systems]]\nname = "acme"\nflow = "acme.Flow"\nentry = { argument = "start" }\n'
        'nodes = { argument = "steps", item = "name" }\nedges = { argument = "routes" }\n'
    )
    (tmp_path / "known.py").write_text(DANGLING)
    (tmp_path / "own.py").write_text(own)
    settings = tmp_path / "flowlint.toml"
    with serving(*SERVER) as (_, wire):
        _begin(wire, tmp_path, diagnostic={})
        while not (items := _pulled(wire, [])):
            continue
        assert [one["uri"] for one in items] == [(tmp_path / "known.py").as_uri()]
        settings.write_text(declared)
        changes = [{"uri": settings.as_uri(), "type": 1}]
        wire.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        while len(items := _pulled(wire, [])) < 2:
            continue
        assert sorted(one["uri"] for one in items)[1] == (tmp_path / "own.py").as_uri()
        assert [one["code"] for item in items for one in item["items"]] == ["FL105"] * 2
