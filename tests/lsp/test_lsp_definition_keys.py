"""Keys and values of flowrt's definitions that are data, by the schemas of its node kinds."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from marked import open_all
from pytest_lsp import LanguageClient

CURSOR = "¦"
NODES = '{"flowrt": 1, "name": "n", "entry": "a", "nodes": [\n  {"name": "a", "run": "m:a"},\n  '
YAML = "flowrt: 1\nname: n\nentry: a\nnodes:\n  - {name: a, run: 'm:a'}\n  - name: b\n"


async def offered(
    client: LanguageClient, folder: Path, name: str, text: str
) -> dict[str, types.CompletionItem]:
    document = open_all(client, folder, {name: text.replace(CURSOR, "")})[name]
    place = document.place(text.index(CURSOR))
    found = await client.text_document_completion_async(types.CompletionParams(document.id, place))
    return {} if found is None else {item.label: item for item in found.items}


@pytest.mark.parametrize(
    ("name", "text", "there", "missing"),
    [
        ("f.json", NODES + '{"kind": "¦"}]}', "wait repeat gate", "a"),
        ("f.json", NODES + '{"kind": "¦', "wait repeat gate", "a"),
        ("f.json", NODES + '{"kind": "wait", "config": {"¦"}}]}', "seconds signal", "over"),
        ("f.json", NODES + '{"config": {"seconds": 1, "¦"}, "kind": "wait"}]}', "into", "seconds"),
        ("f.json", NODES + '{"kind": "repeat", "¦', "name body config", "kind try"),
        ("f.json", NODES + '{"kind": "attempt", "¦', "name try catch", "kind body"),
        ("f.json", '{"flowrt": 1, "routing": "¦"}', "first all", "any"),
        ("f.json", NODES + '{"before": [{"type": "¦"}]}]}', "notify webhook", "wait"),
        ("f.yaml", YAML + "    kind: ¦\n", "wait repeat gate", "a"),
        ("f.yaml", YAML + "    kind: wait\n    config:\n      se¦\n", "seconds signal", "over"),
        ("f.yaml", YAML + "    ¦\n    kind: repeat\n", "run body config", "kind name"),
        ("f.json", NODES + '{"name": "b"}], "edges": [{"from": "a", "to": "¦"}]}', "a b", "wait"),
        ("f.json", '{"name": "none", "nodes": [{"kind": "¦"}]}', "", "wait"),
    ],
)
async def test_what_is_offered(
    vscode: LanguageClient, tmp_path: Path, name: str, text: str, there: str, missing: str
) -> None:
    found = await offered(vscode, tmp_path, name, text)
    assert set(there.split()) <= found.keys()
    assert not set(missing.split()) & found.keys()


async def test_what_is_needed_comes_first_and_is_described(
    vscode: LanguageClient, tmp_path: Path
) -> None:
    found = await offered(vscode, tmp_path, "f.json", NODES + '{"kind": "wait", "¦')
    first = next(iter(found.values()))
    assert (first.label, first.detail) == ("name", "required")
    assert first.documentation == "The name that edges use."
    assert isinstance(first.text_edit, types.TextEdit)
    assert first.text_edit.new_text == 'name"'
    assert found["timeout"].detail == "optional"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NODES + '{"name": "b", "ti¦meout": "3s", "run": "m:b"}]}', "`timeout` · optional"),
        (NODES + '{"name": "b", "kind": "wa¦it", "config": {"seconds": 1}}]}', "`wait` · one of"),
        (
            NODES + '{"name": "b", "kind": "wait", "config": {"sec¦onds": 1}}]}',
            "`seconds` · optional",
        ),
    ],
)
async def test_what_words_mean(
    vscode: LanguageClient, tmp_path: Path, text: str, expected: str
) -> None:
    document = open_all(vscode, tmp_path, {"f.json": text.replace(CURSOR, "")})["f.json"]
    place = document.place(text.index(CURSOR))
    found = await vscode.text_document_hover_async(types.HoverParams(document.id, place))
    assert found is not None and isinstance(found.contents, types.MarkupContent)
    assert found.contents.value.startswith(expected)
