"""Files that are no text in UTF-8: told where they plainly hold a flow, passed over where not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles
from flowlint.project.scan import may_hold_flow

FLOWRT = json.dumps(
    {"flowrt": 1, "name": "f", "entry": "a", "nodes": [{"name": "a", "run": "x:y"}]}
)
AGENTS = json.dumps({"flow": "f", "nodes": [{"id": "w", "type": "agent", "agent_ref": "ä"}]})
OTHER = json.dumps({"name": "other", "version": 1})


@pytest.mark.parametrize("name", ["flow.json", "flow.yaml", "flow.json5"])
@pytest.mark.parametrize(
    ("data", "is_told"),
    [
        (FLOWRT.encode("utf-16"), True),
        (b"\xfe\xff" + AGENTS.encode("utf-16-be"), True),
        (AGENTS.replace("\\u00e4", "ä").encode("latin-1"), True),
        (OTHER.encode("utf-16"), False),
        (OTHER.replace("other", "ä").encode("latin-1"), False),
        (b"\xff\xfe", False),
    ],
)
def test_only_flows_are_told(
    name: str, data: bytes, is_told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(data)
    found: list[str] = []
    if may_hold_flow(data, name):
        found = [one.name for one in analyse_file(name, ProjectFiles(), ".").findings]
    assert found == (["syntax-error"] if is_told else [])
