"""Of the flows in Python that the rules are tested on the same is told once they are data.

They are written as data by flowrt's own export, which names functions as `module:function`.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import flowrt.checking
import flowrt.flow
import pytest
from flowrt.definition import export
from flowrt.flow import Flow
from markdown_cases import Case, cases

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

RULES = Path(__file__).parent
FEWEST_COMPARED = 60

Told = tuple[str, str, str | None]

READ_IN_GUARDS = frozenset({"edge-never-taken", "shadowed-edge", "unroutable-gate"})
"""What is told from the bodies of functions: of those that data names, only heads are read."""

NAMED_BY_KEYS = {"malformed-region": "unknown-field"}
"""In data a region is a field of its node, and one that is misspelt an unknown field."""


def in_python() -> Iterator[Case]:
    """The cases that import flowrt's surface, or HydraFlow's, which is the same."""
    for path in sorted(RULES.glob("*/*.md")):
        for case in cases(path):
            if case.main == "flow.py" and "Flow(" in case.code and " import Edge, " in case.code:
                yield case


@contextmanager
def imported(folder: Path) -> Iterator[ModuleType | None]:
    """The module `flow` of a folder; None where it cannot be run."""
    known = set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        try:
            yield importlib.import_module("flow")
        except (ImportError, SyntaxError, TypeError):
            yield None
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - known:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]


def named(function: object) -> str | None:
    name = getattr(function, "__qualname__", "<none>")
    return None if "<" in name else f"{function.__module__}:{name}"


def as_data(flow: Flow) -> dict[str, Any] | None:
    """The flow as data, None where it holds what cannot be."""
    writer = export._Writer()
    graph = writer.graph(flow.nodes, flow.edges)
    head = {"flowrt": 1, "name": flow.name, "entry": flow.entry, "routing": flow.routing}
    held = {**head, **graph, "max_steps": flow.max_steps}
    return None if writer.faults else without_nothing(held)


def without_nothing(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: without_nothing(inner) for key, inner in value.items()}
        return {key: inner for key, inner in kept.items() if inner is not None}
    return [without_nothing(inner) for inner in value] if isinstance(value, list) else value


def told(name: str, folder: Path) -> Counter[Told]:
    findings = analyse_file(name, ProjectFiles(), str(folder)).findings
    return Counter((one.name, one.severity, one.node) for one in findings)


@pytest.fixture
def _unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """flowrt makes faulty flows too, and every function has a name."""
    monkeypatch.setattr(flowrt.checking, "check_flow", lambda **_: ())
    monkeypatch.setattr(flowrt.flow, "make_plan", lambda *_: None)
    monkeypatch.setattr(export, "name_of_callable", named)


@pytest.mark.usefixtures("_unchecked")
def test_code_and_data_are_told_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for number, case in enumerate(in_python()):
        folder = tmp_path / str(number)
        for name, text in case.files().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("from flows import", "from flowrt import"))
        monkeypatch.chdir(folder)
        with imported(folder) as module:
            flows = [one for one in vars(module or object).values() if isinstance(one, Flow)]
            data = as_data(flows[0]) if len(flows) == 1 else None
        if data is None:
            continue
        (folder / "data.json").write_text(json.dumps(data, indent=1))
        code, held = told("flow.py", folder), told("data.json", folder)
        compared += 1
        only_code = {rule for rule, _, _ in code - held} - READ_IN_GUARDS
        only_data = {rule for rule, _, _ in held - code}
        if only_code <= NAMED_BY_KEYS.keys():
            assert only_data == {NAMED_BY_KEYS[rule] for rule in only_code}, case.code
        assert only_code <= NAMED_BY_KEYS.keys(), case.code
    assert compared >= FEWEST_COMPARED
