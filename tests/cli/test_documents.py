"""Files of data that settings say to be flows, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import RunFlowlint

from flowls.session.session import Session

FLOWS = '[documents]\n"flows/**/*.json" = "agentsflow"\n"flows/*.yaml" = "flowrt"\n'
AGENTS = json.dumps(
    {
        "flow": "release",
        "nodes": [{"id": "draft", "type": "agent", "agent_ref": "writer"}],
        "edges": [],
    }
)


@pytest.fixture
def flowlint(flowlint_inside: RunFlowlint, tmp_path: Path) -> RunFlowlint:
    """No process of its own: there are many runs here."""
    (tmp_path / "flows" / "deep").mkdir(parents=True)
    (tmp_path / "flowlint.toml").write_text(FLOWS)
    return flowlint_inside


def findings(flowlint: RunFlowlint, *arguments: str) -> list[tuple[str, str, int]]:
    run = flowlint("check", "--format", "json", *arguments)
    found = [
        (one["path"], one["code"], one["range"]["start"]["line"]) for one in json.loads(run.out)
    ]
    return sorted(found)


@pytest.mark.parametrize("more", [(), ("--no-cache",)])
def test_what_is_said_to_be_a_flow_and_is_none_is_told(
    flowlint: RunFlowlint, tmp_path: Path, more: tuple[str, ...]
) -> None:
    (tmp_path / "flows" / "deep" / "other.json").write_text('{"version": 3}')
    (tmp_path / "flows" / "broken.json").write_text('{"flow": "x",\n "nodes": [')
    (tmp_path / "flows" / "agents.json").write_text(AGENTS)
    (tmp_path / "flows" / "agents.yaml").write_text(AGENTS)
    (tmp_path / "package.json").write_text('{"version": 3}')
    expected = [
        ("flows/agents.yaml", "FL704", 1),
        ("flows/broken.json", "FL901", 2),
        ("flows/deep/other.json", "FL704", 1),
    ]
    assert findings(flowlint, *more) == expected
    assert findings(flowlint, *more) == expected
    (tmp_path / "flowlint.toml").write_text("")
    assert [one for one in findings(flowlint, *more) if one[1] == "FL704"] == []


def test_the_last_pattern_counts(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flows" / "agents.json").write_text(AGENTS)
    (tmp_path / "flowlint.toml").write_text(f'{FLOWS}"agents.*" = "flowrt"\n')
    assert findings(flowlint) == [("flows/agents.json", "FL704", 1)]


def test_rules_are_ignored_in_it_as_in_others(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flows" / "other.json").write_text('{"version": 3}')
    ignored = '[per-file-ignores]\n"flows/other.json" = ["not-a-flow"]\n'
    (tmp_path / "flowlint.toml").write_text(FLOWS + ignored)
    assert findings(flowlint) == []


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ('"langgraph"', "`langgraph` has no flows in files of data"),
        ('"agentflow"', "did you mean `agentsflow`?"),
        ("true", "has to be a name in quotes"),
    ],
)
def test_only_systems_with_data_can_be_named(
    flowlint: RunFlowlint, tmp_path: Path, value: str, told: str
) -> None:
    (tmp_path / "flowlint.toml").write_text(f'[documents]\n"*.json" = {value}\n')
    run = flowlint("check", ".")
    assert run.code == 2
    assert run.err.startswith("error: flowlint.toml:2: ")
    assert told in run.err


def test_the_server_tells_it_too(flowlint: RunFlowlint, tmp_path: Path) -> None:
    del flowlint
    path = str(tmp_path / "flows" / "other.json")
    session = Session([str(tmp_path)])
    session.open(path, b'{"version": 3}')
    assert [one.code for one in session.findings(path).findings] == ["FL704"]
    session.open(path, AGENTS.encode())
    assert [one.code for one in session.findings(path).findings] == []
