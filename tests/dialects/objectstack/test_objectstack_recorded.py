"""What is told of flows, beside what was recorded that ObjectStack does with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flow_mutants import Flow
from recorded_flows import DEFINITIONS, RUNS, Recorded

from flowlint.findings.model import Finding
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

REFUSED = "registerFlow(…) raises"
PARSED = "defineFlow(…) raises"
GONE = ("active tombstone", "template tombstone", "fallbackNodeId", "wait onTimeout")
ALL = {**DEFINITIONS, **RUNS}


def findings(
    flow: Flow, folder: Path, form: str = "export const flow: Flow = {};"
) -> list[Finding]:
    imports = 'import { defineFlow, type Flow } from "@objectstack/spec/automation";\n'
    (folder / "flow.ts").write_text(imports + form.replace("{}", json.dumps(flow, indent=2)))
    return list(analyse_file("flow.ts", ProjectFiles(), str(folder)).findings)


@pytest.mark.parametrize("name", ALL)
def test_what_is_told_agrees(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recorded: Recorded = ALL[name]
    found = findings(recorded.flow, tmp_path)
    assert sorted(f"{one.severity} {one.name}" for one in found) == sorted(recorded.told)
    errors = [one.message for one in found if one.severity == "error"]
    assert any(REFUSED in message for message in errors) == (recorded.ran is None), errors


@pytest.mark.parametrize("name", GONE)
def test_what_is_gone_is_refused_where_the_flow_is_defined(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    form = "export const flow = defineFlow({});"
    found = findings(DEFINITIONS[name].flow, tmp_path, form)
    assert [(one.severity, one.name, PARSED in one.message) for one in found] == [
        ("error", "removed-api", True)
    ]
