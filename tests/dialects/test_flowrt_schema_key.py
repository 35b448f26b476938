"""Definitions that name flowrt's schema under `$schema`, with and without the key `flowrt`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from flowrt.definition.building import parse_definition
from flowrt.definition.export import to_dict
from flowrt.definition.schema import definition_schema

from flowlint.pipeline import FileResult, analyse_file
from flowlint.project.files import ProjectFiles
from flowlint.project.scan import may_hold_flow

REST: dict[str, Any] = {
    "name": "triage",
    "entry": "sort",
    "nodes": [{"name": "sort", "run": "sort"}, {"name": "reply", "run": "reply"}],
    "edges": [{"from": "sort", "to": "reply"}],
}
ID = definition_schema()["$id"]


def analysed(folder: Path, name: str, held: object) -> FileResult:
    path = folder / name
    text = json.dumps(held) if name.endswith(".json") else yaml.safe_dump(held, sort_keys=False)
    path.write_text(text)
    assert may_hold_flow(text.encode(), name)
    return analyse_file(str(path), ProjectFiles(), str(folder))


@pytest.mark.parametrize(
    "address",
    [
        ID,
        f"{ID}#",
        "flowrt.schema.json",
        "../schemas/flowrt.schema.json#",
        "https://example.org/v1/flowrt.schema.json",
    ],
)
@pytest.mark.parametrize("name", ["flow.json", "flow.yaml"])
def test_the_schema_makes_a_flow_and_the_missing_key_is_told(
    name: str, address: str, tmp_path: Path
) -> None:
    bare = analysed(tmp_path, name, {"$schema": address, **REST})
    assert [graph.name for graph in bare.graphs] == ["triage"]
    assert [(one.name, one.severity) for one in bare.findings] == [("invalid-definition", "error")]
    assert "`flowrt`" in bare.findings[0].message
    whole = analysed(tmp_path, name, {"$schema": address, "flowrt": 1, **REST})
    assert ([graph.name for graph in whole.graphs], whole.findings) == (["triage"], ())


@pytest.mark.parametrize(
    "address", ["https://json-schema.org/draft/2020-12/schema", "my-flowrt.schema.json", 3, None]
)
def test_other_schemas_make_none(address: object, tmp_path: Path) -> None:
    result = analysed(tmp_path, "flow.json", {"$schema": address, "title": "flowrt", **REST})
    assert (result.graphs, result.findings) == ((), ())


def test_the_key_stays_in_a_definition() -> None:
    held = {"$schema": ID, "flowrt": 1, **REST}
    assert to_dict(parse_definition(held))["$schema"] == ID
