"""Changed definitions: what AgentsFlow itself refuses is an error, what it accepts is none.

The real models are loaded from a checkout of phenobarbital/ai-parrot in FLOWLINT_CHECKOUTS.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from agentsflow_mutations import Data, mutated

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

COUNT = 300
MODELS = "packages/ai-parrot/src/parrot/bots/flows/flow/definition.py"

ACCEPTED_AND_WRONG = {
    "invalid-expression": "a predicate that is no CEL never holds",
    "unknown-variable": "a predicate that names what there is not never holds",
    "duplicate-node": "of two nodes of one id only the last is kept",
    "missing-entry": "no node ever runs",
    "unknown-field": "the config of a decision is checked when it runs",
    "invalid-definition": "the config of a decision is checked when it runs",
    "edge-never-taken": "a predicate that is never true",
}
"""Errors that the models do not see, with what comes of them."""


def real_models() -> ModuleType:
    checkouts = os.environ.get("FLOWLINT_CHECKOUTS")
    path = Path(checkouts or "") / "phenobarbital+ai-parrot" / MODELS
    if not checkouts or not path.is_file():
        pytest.skip("FLOWLINT_CHECKOUTS names no folder with phenobarbital+ai-parrot")
    spec = importlib.util.spec_from_file_location("agentsflow_definition", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def errors_of(data: Data) -> list[tuple[str, str]]:
    Path("flow.json").write_text(json.dumps(data, indent=1))
    result = analyse_file("flow.json", ProjectFiles(), ".")
    return [(one.name, one.message) for one in result.findings if one.severity == "error"]


def says_flow(data: Data) -> bool:
    """Whether a file with this still says that it holds a flow of AgentsFlow."""
    nodes = data.get("nodes")
    if not isinstance(data.get("flow"), str) or not isinstance(nodes, list) or not nodes:
        return False
    return all(isinstance(one, dict) and {"id", "type"} <= one.keys() for one in nodes)


def test_verdicts_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = real_models()
    monkeypatch.chdir(tmp_path)
    unlike, refused = [], 0
    for change, data in mutated(COUNT):
        if not says_flow(data):
            continue
        errors = errors_of(data)
        try:
            models.FlowDefinition.model_validate(data)
        except ValueError as error:
            refused += 1
            if not errors:
                unlike.append((change, str(error), data))
        else:
            if not all(name in ACCEPTED_AND_WRONG for name, _ in errors):
                unlike.append((change, errors, data))
            if any("FlowDefinition(…) raises" in message for _, message in errors):
                unlike.append((change, errors, data))
    assert unlike == []
    # Both kinds have to be there, or the comparison says nothing.
    assert COUNT // 4 < refused < COUNT


def test_changed_definitions_never_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for change, data in mutated(80, seed=11):
        assert "internal-error" not in [name for name, _ in errors_of(data)], change
