"""A fault in the shape of a definition hides what hangs on it, and nothing else."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flowrt import FlowValidationError
from flowrt.definition.load import from_json, from_yaml
from flowrt.definition.model import FlowDefinition
from generated_flows import GUARDS, Data, as_json, flows
from generated_settings import register
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from misshapen_flows import places_in, whole_definitions
from pydantic import ValidationError

from flowlint.findings.model import Finding
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

RIGHT = """\
flowrt: 1
name: triage
entry: classify
nodes:
  - {name: classify, kind: gate, timeout: 30s}
  - {name: answer, kind: checkpoint}
  - {name: escalate, kind: checkpoint}
edges:
  - {from: classify, to: escalate, when: state.urgent}
  - {from: classify, to: answer}
max_steps: 10
"""


def told(text: str, tmp_path: Path) -> list[str]:
    """Line and rule of all that both checkers tell."""
    (tmp_path / "flow.yaml").write_text(text)
    path = str(tmp_path / "flow.yaml")
    static = analyse_file(path, ProjectFiles(), str(tmp_path)).findings
    with pytest.raises(FlowValidationError) as caught:
        from_yaml(text)
    found = sorted(f"{f.span.line} {f.name}" for f in caught.value.findings)
    assert found == sorted(f"{f.span.line} {f.name}" for f in static)
    return found


def changed(*changes: tuple[str, str]) -> str:
    text = RIGHT
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return text


UNKNOWN_ENTRY = ("entry: classify", "entry: clasify")
DANGLING = ("to: answer", "to: nobody")
CASES = {
    "a misspelt kind": (
        [("kind: gate", "knd: gate"), UNKNOWN_ENTRY, DANGLING, ("max_steps: 10", "max_steps: 0")],
        ["10 dangling-edge", "11 bad-limit", "3 unknown-entry", "5 unknown-field"],
    ),
    "an action without a type": (
        [
            ("kind: gate", "kind: gate, before: [{message: hello}]"),
            ("when: state.urgent", "outcome: faild"),
            ("timeout: 30s", "timeout: 0"),
        ],
        ["5 bad-limit", "5 invalid-definition", "5 kind-mismatch", "9 invalid-definition"],
    ),
    "where an unknown field may be the kind, nothing is said of the kind": (
        [("{name: answer, kind: checkpoint}", "{name: answer, type: checkpoint}")],
        ["6 unknown-field"],
    ),
    "another unknown field leaves the kind as it is": (
        [("{name: answer, kind: checkpoint}", "{name: answer, color: [red]}")],
        ["6 unknown-field", "6 wrong-callable"],
    ),
    "where a node has no name, any name may be its": (
        [("name: escalate", "nam: escalate")],
        ["7 invalid-definition", "7 unknown-field"],
    ),
    "a node without a name hides no other": (
        [("name: escalate", "nam: escalate"), ("name: answer", "name: classify")],
        ["6 duplicate-node", "7 invalid-definition", "7 unknown-field"],
    ),
    "a node without a name may be the one that a kind is told of": (
        [("name: escalate", "nam: escalate"), ("kind: gate", "kind: loop")],
        ["7 invalid-definition", "7 unknown-field"],
    ),
    "where an edge may be missing, any node may be reached": (
        [("from: classify, to: answer", "from: classify, too: answer")],
        ["10 invalid-definition", "10 unknown-field"],
    ),
    "an edge whose condition is in doubt leads where it leads": (
        [("when: state.urgent", "whn: state.urgent"), ("to: answer", "to: escalate")],
        ["6 unreachable-node", "9 unknown-field"],
    ),
    "a condition in doubt may be all": (
        [
            ("when: state.urgent", "whn: state.urgent"),
            ("to: answer}", "to: answer, when: state.x}"),
        ],
        ["9 unknown-field"],
    ),
    "an end in doubt is not the only fault of an edge": (
        [("when: state.urgent", "whn: state.urgent"), ("to: escalate", "to: nobody")],
        ["9 dangling-edge", "9 unknown-field"],
    ),
    "a misspelt entry is none that is missing": (
        [("entry: classify", "entyr: classify"), DANGLING],
        ["10 dangling-edge", "3 unknown-field"],
    ),
    "a misspelt list of edges hides what edges lead to": (
        [("edges:", "edgs:")],
        ["8 unknown-field"],
    ),
    "where the routing is in doubt, nothing is said of the order of edges": (
        [("max_steps: 10", "routng: all"), ("when: state.urgent", "priority: 1")],
        ["11 unknown-field"],
    ),
    "a region without its kind is told as one fault": (
        [("kind: gate, timeout: 30s", "knd: repeat, body: {entry: a, nodes: []}")],
        ["5 unknown-field"],
    ),
    "a region of a misspelt kind is told as one fault": (
        [("kind: gate, timeout: 30s", "kind: repeet, body: {entry: a, nodes: []}")],
        ["5 unknown-node-kind"],
    ),
    "a wrong case leaves the other cases": (
        [
            (
                "{from: classify, to: answer}",
                "{from: classify, switch: {on: $.x, cases: {a: 3, b: nobody}}}",
            )
        ],
        ["10 dangling-edge", "10 invalid-definition"],
    ),
    "of another version of the format nothing is known": (
        [("flowrt: 1", "flowrt: 2"), UNKNOWN_ENTRY, DANGLING],
        ["1 invalid-definition"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_only_what_hangs_on_a_fault_is_hidden(case: str, tmp_path: Path) -> None:
    changes, expected = CASES[case]
    assert told(changed(*changes), tmp_path) == sorted(expected)


@pytest.fixture(scope="module", autouse=True)
def functions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("functions")
    (folder / "guards.py").write_text(GUARDS)
    register()
    sys.path.insert(0, str(folder))
    sys.modules.pop("guards", None)
    yield
    sys.path.remove(str(folder))
    sys.modules.pop("guards", None)


def findings(data: Data) -> tuple[Finding, ...]:
    try:
        return from_json(as_json(data), modules=("guards",)).findings
    except FlowValidationError as error:
        return error.findings


ABSENT = "there is no such node"
ROUND = "it goes round"
NEEDED = ("flowrt", "name", "nodes", "from", "to", "switch", "on", "cases", "call", "type")


def fact(finding: Finding) -> tuple[str | None, ...]:
    """What a finding tells, in which words and with whatever else it may be told."""
    if finding.code in ("FL108", "FL109", "FL202", "FL203"):
        return ("an edge is never taken", finding.node)
    if finding.code in ("FL301", "FL302", "FL303"):
        return (ROUND, None)
    absent = re.search(r"`([^`]*)`, which is no node", finding.message)
    if absent is not None:
        return (ABSENT, absent[1])
    return (finding.code, finding.node, finding.message)


@st.composite
def slips(draw: st.DrawFn) -> tuple[Data, Data]:
    """A definition, right or wrong, and the same with a slip in its shape."""
    meant: Data = draw(st.one_of(whole_definitions(), flows()))
    data: Any = json.loads(json.dumps(meant))
    free = ("merge", "cases", "branches", "config")
    places = [place for place in places_in(data) if not set(place[:-1]) & set(free)]
    *outer, last = draw(st.sampled_from(places))
    holder: Any = data
    for part in outer:
        holder = holder[part]
    how = draw(st.sampled_from(("misname", "leave out", "another type", "more")))
    if how == "another type":
        held = holder[last]
        others = [other for other in (3, "text", [1], {"a": 1}) if type(other) is not type(held)]
        holder[last] = draw(st.sampled_from(others))
        return meant, data
    assume(isinstance(holder, dict))
    if how == "misname":
        holder[last[:-1] if len(last) > 3 else last + last[-1]] = holder.pop(last)
    elif how == "leave out":
        assume(last in NEEDED)
        del holder[last]
    else:
        name = draw(st.sampled_from(("foo", "comment", "id", "label", "typ")))
        holder[name] = draw(st.sampled_from((3, "text", [1], True, "gate", "first", "failed")))
    return meant, data


def is_of_shape(finding: Finding) -> bool:
    """Whether it is the slip itself that is told."""
    is_field = re.match(r"The flow has no|Field `|`[a-z]", finding.message)
    return finding.code == "FL702" or (finding.code == "FL701" and is_field is not None)


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(pair=slips())
def test_nothing_is_told_that_is_not_so_once_the_slip_is_mended(pair: tuple[Data, Data]) -> None:
    meant, data = pair
    try:
        FlowDefinition.model_validate(data)
    except ValidationError:
        wrong = findings(data)
    else:
        assume(False)
    right = {*map(fact, findings(meant))}
    told_first = {str(code)[:4] for code, *_ in right}
    for found in (fact(finding) for finding in wrong if not is_of_shape(finding)):
        # What else is wrong with the same edge, or on the same way, may be told alone.
        if found[0] == ABSENT and told_first & {"FL20", "FL60", "FL70"}:
            continue
        if found[0] == ROUND and any(code == ABSENT for code, *_ in right):
            continue
        assert found in right
