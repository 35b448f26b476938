"""What flowlint knows of flowrt without importing it is what flowrt is."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import flowrt
import pytest
from flowrt import authoring
from flowrt.definition import model
from flowrt.registry import BUILT_IN_KINDS, all_kinds
from pydantic import BaseModel

from flowlint.dialects.flowrt.model import PARAMETERS, REQUIRED
from flowlint.graph import reference, reference_fields

MODELS: dict[str, type[BaseModel]] = {
    "flow": model.FlowDefinition,
    "edge": model.EdgeDefinition,
    "switch edge": model.SwitchDefinition,
    "switch": model.SwitchCases,
    "call": model.CallDefinition,
    "retry": model.RetryDefinition,
    "region": model.RegionDefinition,
    "permissions": model.PermissionsDefinition,
}


def fields_of(cls: type[BaseModel]) -> dict[str, bool]:
    """The fields as they are written, and whether they have to be."""
    return {
        field.alias or name: field.is_required()
        for name, field in cls.model_fields.items()
        if name != "kind" or not field.is_required()
    }


def required(fields: Mapping[str, reference_fields.Field]) -> dict[str, bool]:
    return {name: field.required for name, field in fields.items()}


@pytest.mark.parametrize("part", MODELS)
def test_fields_are_those_of_the_models(part: Any) -> None:
    assert required(reference_fields.FIELDS[part]) == fields_of(MODELS[part])


@pytest.mark.parametrize(
    ("kind", "cls"),
    [
        (None, model.PlainNode),
        ("repeat", model.RepeatNode),
        ("parallel", model.ParallelNode),
        ("attempt", model.AttemptNode),
        ("acme.kind", model.OtherNode),
    ],
)
def test_fields_of_nodes_are_those_of_the_models(kind: str | None, cls: type[BaseModel]) -> None:
    found = required(reference_fields.known_fields(kind))
    assert found == {"kind": False, **fields_of(cls)}


@pytest.mark.parametrize("part", PARAMETERS, ids=lambda part: part.key)
def test_parameters_are_those_of_the_constructors(part: Any) -> None:
    cls = getattr(flowrt, part.key.removeprefix("flowrt."))
    positional, named = PARAMETERS[part]
    parameters = [p for p in inspect.signature(cls).parameters.values() if p.name != "self"]
    assert positional == tuple(p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD)
    assert sorted(named) == sorted(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)
    assert set(REQUIRED[part]) == {p.name for p in parameters if p.default is p.empty}


def test_kinds_are_those_of_the_registry() -> None:
    assert set(reference.KINDS) == set(BUILT_IN_KINDS)
    plain = set(get_args(model.PlainKind))
    assert set(reference.KINDS) == plain | set(reference_fields.REGION_FIELDS)
    for kind in all_kinds():
        if kind.name in reference.KINDS:
            facts = reference.KINDS[kind.name]
            known = ("*",) if facts.branches else (*facts.regions, *facts.optional)
            assert kind.regions == known


def test_choices_are_those_of_the_runtime() -> None:
    assert get_args(authoring.Routing) == reference.ROUTINGS
    assert get_args(authoring.Outcome) == reference.OUTCOMES
    assert get_args(authoring.Join) == reference.JOINS
    assert get_args(get_args(authoring.Merge)[0]) == reference.MERGES
    modes = {field.name: field.type for field in dataclasses.fields(authoring.Permissions)}["mode"]
    assert all(mode in str(modes) for mode in reference.PERMISSION_MODES)


def test_nothing_of_yaml_is_imported_where_no_such_file_may_hold_a_flow(tmp_path: Path) -> None:
    import subprocess

    (tmp_path / "flow.py").write_text("from flowrt import Flow\n")
    (tmp_path / "other.yaml").write_text("a: 1\n")
    (tmp_path / "other.json").write_text("{\n")
    code = (
        "import sys\n"
        "from flowlint.check import check\n"
        "result = check(['.'])\n"
        "assert not result.findings and result.checked == 3, result\n"
        "assert 'yaml' not in sys.modules\n"
        "assert not any(name.startswith('flowlint.languages.json') for name in sys.modules)\n"
        "assert 'pydantic' not in sys.modules and 'flowrt' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)
