"""What flowlint knows of flowrt without importing it is what flowrt is."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import flowrt
import pytest
from flowrt import authoring
from flowrt.definition import model
from flowrt.definition.building import parse_definition
from flowrt.errors import FlowValidationError
from flowrt.registry import BUILT_IN_KINDS, all_kinds
from generated_flows import Data, as_json, as_yaml, sound_graphs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from flowlint.dialects.flowrt.model import PARAMETERS, REQUIRED
from flowlint.graph import reference, reference_fields
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

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


def _places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in plain data."""
    found = [path] if path else []
    if isinstance(data, dict):
        found += [place for key in data for place in _places(data[key], (*path, key))]
    if isinstance(data, list):
        found += [place for n, inner in enumerate(data) for place in _places(inner, (*path, n))]
    return found


@st.composite
def misshapen(draw: st.DrawFn) -> Data:
    """A definition that is right but for some slips in its shape."""
    region = draw(sound_graphs())
    data: Data = {
        "flowrt": 1,
        "name": "flow",
        **draw(sound_graphs()),
        "merge": {"x": "last"},
        "permissions": {"mode": "deny-all"},
    }
    data["nodes"][0] = {
        **data["nodes"][0],
        "kind": "repeat",
        "config": {"over": "items"},
        "body": region,
        "retry": {"attempts": 2, "delay": "3s"},
        "timeout": "1m",
        "before": [{"type": "log", "message": "hello"}],
    }
    name = data["nodes"][0]["name"]
    switch = {"on": "$.x", "cases": {"y": name}, "default": name}
    data["edges"].insert(0, {"from": name, "switch": switch})
    data["edges"].append({"from": name, "to": name, "when": {"call": "def.urgent"}})
    for _ in range(draw(st.integers(0, 3))):
        *outer, last = draw(st.sampled_from(_places(data)))
        holder: Any = data
        for part in outer:
            holder = holder[part]
        how = draw(st.sampled_from(("remove", "replace", "add")))
        if how == "replace":
            others = (3, "text", None, True, [], {}, [1], {"a": 1}, 2.5)
            holder[last] = draw(st.sampled_from(others))
        elif how == "remove" and isinstance(holder, dict):
            del holder[last]
        elif isinstance(holder, dict):
            holder[draw(st.sampled_from(("nam", "x", "kin", "whn", "extra")))] = 1
    return data


SHAPE = ("FL701", "FL702")


@pytest.mark.parametrize("name", ["flow.json", "flow.yaml"])
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=misshapen())
def test_the_shape_is_judged_alike(name: str, data: Data, tmp_path: Path) -> None:
    try:
        parse_definition(data)
    except FlowValidationError as error:
        expected = Counter((f.code, f.message, f.help) for f in error.findings)
    else:
        expected = Counter()
    path = tmp_path / name
    path.write_text(as_json(data) if name == "flow.json" else as_yaml(data))
    result = analyse_file(str(path), ProjectFiles(), str(tmp_path))
    # Another tool may have something of that name; a number says that it is a flow.
    if not isinstance(data.get("flowrt"), int) or isinstance(data["flowrt"], bool):
        assert not result.graphs
        return
    (graph,) = result.graphs
    assert graph.malformed == bool(expected)
    if expected:
        assert Counter((f.code, f.message, f.help) for f in result.findings) == expected


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
