"""What flowlint says of a definition without running it is what building it says."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flowrt import Flow, FlowValidationError
from flowrt.definition.load import from_json, from_yaml, load_file
from generated_flows import (
    GUARDS,
    Data,
    as_data_in_python,
    as_json,
    as_python,
    as_yaml,
    flows,
)
from generated_settings import register
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from misshapen_flows import misshapen

from flowlint.findings.model import Finding
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

MODULES = ("guards",)
Told = Counter[tuple[str, str, str | None, str]]


@pytest.fixture(scope="module", autouse=True)
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with the functions that generated flows name, and a kind that somebody added."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "guards.py").write_text(GUARDS)
    (folder / "pyproject.toml").write_text("")
    register()
    sys.path.insert(0, str(folder))
    sys.modules.pop("guards", None)
    yield folder
    sys.path.remove(str(folder))
    sys.modules.pop("guards", None)


def both_can_know(finding: Finding) -> bool:
    """Whether it is not told of a function or action that only who loads a flow can find."""
    unregistered = re.search(r"is a `[^`]*\.[^`]*`, which nobody registered", finding.message)
    return finding.code != "FL706" and unregistered is None


def told(findings: tuple[Finding, ...]) -> Told:
    """What is told, as far as both checkers can know it."""
    known = filter(both_can_know, findings)
    return Counter((f.code, f.severity, f.node, f.message) for f in known)


def static(project: Path, name: str, text: str) -> Told:
    (project / name).write_text(text, encoding="utf-8")
    return told(analyse_file(str(project / name), ProjectFiles(), str(project)).findings)


def built(build: Callable[[], Flow]) -> Told:
    try:
        return told(build().findings)
    except FlowValidationError as error:
        assert any(finding.severity == "error" for finding in error.findings)
        assert all(finding.code in str(error) for finding in error.findings)
        return told(error.findings)


def run_module(source: str) -> Flow:
    space: dict[str, Flow] = {}
    exec(compile(source, "flow.py", "exec"), space)
    return space["flow"]


FORMS = {
    "flow.json": (as_json, lambda text: from_json(text, modules=MODULES)),
    "flow.yaml": (as_yaml, lambda text: from_yaml(text, modules=MODULES)),
    "flow.py": (as_python, run_module),
    "data.py": (as_data_in_python, run_module),
}


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=flows())
def test_static_is_runtime(name: str, data: Data, project: Path) -> None:
    render, build = FORMS[name]
    text = render(data)
    assert static(project, name, text) == built(lambda: build(text))


def says_flow(data: Data) -> bool:
    """Whether flowlint takes a file for a flow; another tool may have something of that name."""
    return isinstance(data.get("flowrt"), int) and not isinstance(data["flowrt"], bool)


@pytest.mark.parametrize("name", ["flow.json", "flow.yaml", "data.py"])
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=misshapen())
def test_so_it_is_with_a_wrong_shape(name: str, data: Data, project: Path) -> None:
    assume(says_flow(data))
    render, build = FORMS[name]
    text = render(data)
    assert static(project, name, text) == built(lambda: build(text))


def placed(findings: tuple[Finding, ...]) -> Counter[tuple[int, int, str, str]]:
    """The same as `told`, with the place of each."""
    known = filter(both_can_know, findings)
    return Counter((f.span.line, f.span.column, f.code, f.message) for f in known)


@pytest.mark.parametrize("name", ["flow.json", "flow.yaml"])
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.one_of(flows(), misshapen()))
def test_both_name_the_same_places(name: str, data: Data, project: Path) -> None:
    assume(says_flow(data))
    path = project / name
    path.write_text(FORMS[name][0](data), encoding="utf-8")
    expected = analyse_file(str(path), ProjectFiles(), str(project)).findings
    try:
        found = load_file(str(path), modules=MODULES).findings
    except FlowValidationError as error:
        found = error.findings
    assert placed(found) == placed(expected)
    assert {finding.span.path for finding in found} <= {str(path)}
