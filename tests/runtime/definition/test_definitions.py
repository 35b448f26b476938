"""Definitions as data: what is taken, what is refused and how it is told."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from flowrt import Edge, Flow, FlowError, FlowValidationError, Node, Retry, Switch
from flowrt.authoring import Permissions, Region
from flowrt.definition.export import to_definition, to_dict
from flowrt.definition.load import from_dict, from_json, from_yaml, load_file
from flowrt.definition.model import FlowDefinition
from flowrt.definition.schema import EXAMPLE, definition_schema
from flowrt.registry import find_callable, register_callable, register_kind

Data = dict[str, Any]


async def first(state: Data) -> Data:
    return {**state, "first": True}


async def second(state: Data) -> Data:
    return {**state, "second": True}


def later(one: Any, other: Any) -> Any:
    return other


def is_urgent(state: Data) -> bool:
    return bool(state.get("urgent"))


for _name, _function in (
    ("def.first", first),
    ("def.second", second),
    ("def.urgent", is_urgent),
    ("def.later", later),
):
    if find_callable(_name) is None:
        register_callable(_name, _function)


def small(**more: Any) -> Data:
    return {
        "flowrt": 1,
        "name": "small",
        "entry": "a",
        "nodes": [{"name": "a", "run": "def.first"}, {"name": "b", "run": "def.second"}],
        "edges": [{"from": "a", "to": "b"}],
        **more,
    }


def refused(data: Data, **options: Any) -> FlowValidationError:
    with pytest.raises(FlowValidationError) as caught:
        from_dict(data, **options)
    return caught.value


def codes(error: FlowValidationError) -> list[str]:
    return sorted(finding.code for finding in error.findings)


def test_a_definition_becomes_a_flow_that_runs() -> None:
    flow = from_dict(small())
    assert asyncio.run(flow.run({})).state == {"first": True, "second": True}


def test_everything_that_can_be_written_arrives() -> None:
    body = {"nodes": [{"name": "x", "run": "def.first"}], "entry": "x", "routing": "all"}
    flow = from_dict(
        {
            "flowrt": 1,
            "name": "whole",
            "title": "The whole",
            "entry": "a",
            "nodes": [
                {
                    "name": "a",
                    "kind": "gate",
                    "timeout": "1m30s",
                    "heartbeat": "500ms",
                    "retry": {"attempts": 2, "delay": "2s", "jitter": 0.1},
                    "detail": "first",
                    "before": [{"type": "log", "message": "hello"}],
                },
                {"name": "r", "kind": "repeat", "config": {"over": "items"}, "body": body},
                {"name": "p", "kind": "parallel", "branches": {"left": body, "right": body}},
                {"name": "t", "kind": "attempt", "try": body, "catch": body, "join": "all"},
            ],
            "edges": [
                {"from": "a", "to": "r", "when": {"call": "def.urgent"}, "priority": 2},
                {"from": "a", "to": "p", "when": "state.n > 1", "prompt": {"text": "go"}},
                {"from": "a", "to": "t", "outcome": "failed"},
                {"from": "p", "switch": {"on": "$.x", "cases": {"1": "t"}, "default": "r"}},
            ],
            "max_steps": 20,
            "max_parallel": 3,
            "merge": {"n": "add", "m": {"call": "def.later"}},
            "permissions": {"mode": "approve-all", "explicit": True, "reason": "it pays"},
        }
    )
    region = Region([Node("x", first)], [], "x", "all")
    assert flow.nodes == (
        Node(
            "a",
            None,
            "gate",
            timeout=90.0,
            heartbeat=0.5,
            retry=Retry(2, 2.0, jitter=0.1),
            detail="first",
            before=({"type": "log", "message": "hello"},),
        ),
        Node("r", None, "repeat", config={"over": "items"}, regions={"body": region}),
        Node("p", None, "parallel", regions={"left": region, "right": region}),
        Node("t", None, "attempt", join="all", regions={"try": region, "catch": region}),
    )
    assert flow.edges == (
        Edge("a", "r", is_urgent, priority=2),
        Edge("a", "p", "state.n > 1", prompt={"text": "go"}),
        Edge("a", "t", outcome="failed"),
        Switch("p", "$.x", {"1": "t"}, default="r"),
    )
    assert (flow.title, flow.max_steps, flow.max_parallel) == ("The whole", 20, 3)
    assert flow.merge == {"n": "add", "m": later}
    assert flow.permissions == Permissions("approve-all", True, "it pays")


def test_null_is_nothing() -> None:
    data = small(title=None, max_steps=None, merge=None)
    data["nodes"][0] |= {"timeout": None, "retry": None, "kind": None}
    assert from_dict(data).nodes == from_dict(small()).nodes


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"nam": "x"}, "FL702", "The flow has a field `nam`"),
        ({"max_steps": "3"}, "FL701", "Field `max_steps` of the flow is to be a whole number"),
        ({"flowrt": 2}, "FL701", "The format version is 2"),
        ({"nodes": [{"run": "def.first"}]}, "FL701", "`nodes[0]` has no field `name`"),
        ({"nodes": [3]}, "FL701", "`nodes[0]` is to be a mapping"),
        (
            {"nodes": [{"name": "a", "run": "def.first", "timout": 3}]},
            "FL702",
            "did you mean `timeout`?",
        ),
        (
            {"nodes": [{"name": "a", "kind": "repeat", "boddy": {}}]},
            "FL702",
            "did you mean `body`?",
        ),
        (
            {"nodes": [{"name": "a", "timeout": "soon"}]},
            "FL701",
            'is to be a number of seconds or a text such as "30s"',
        ),
        ({"edges": [{"from": "a"}]}, "FL701", "`edges[0]` has no field `to`"),
        (
            {"edges": [{"from": "a", "switch": {"on": "$.x"}}]},
            "FL701",
            "`edges[0].switch` has no field `cases`",
        ),
        (
            {"edges": [{"from": "a", "to": "b", "when": 3}]},
            "FL701",
            "Field `when` of `edges[0]` is to be a text or a mapping",
        ),
        (
            {"edges": [{"from": "a", "to": "b", "when": {"cal": "x"}}]},
            "FL702",
            "`edges[0].when` has a field `cal`",
        ),
    ],
)
def test_a_wrong_shape_is_told_with_its_path(change: Data, code: str, words: str) -> None:
    error = refused(small(**change))
    assert code in codes(error)
    assert words in str(error)


def test_all_faults_of_shape_are_told_at_once() -> None:
    data = small(foo=1, max_steps="x")
    data["nodes"][0]["bar"] = 2
    assert codes(refused(data)) == ["FL701", "FL702", "FL702"]


def test_a_wrong_graph_is_told_with_functions_that_are_not_there() -> None:
    data = small()
    data["nodes"][0]["run"] = "def.nothing"
    data["edges"][0]["to"] = "c"
    error = refused(data)
    assert codes(error) == ["FL105", "FL106", "FL706"]
    assert "`def.nothing`" in str(error)
    assert str(error).count("\n") == 3


@pytest.fixture
def helper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "def_helper.py").write_text(
        "print('imported')\nasync def go(state):\n    return state\nnothing = 3\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "def_helper"
    sys.modules.pop("def_helper", None)


def test_functions_of_modules_are_only_taken_where_that_is_allowed(
    helper: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = small()
    data["nodes"][0]["run"] = "def_helper:go"
    error = refused(data)
    assert codes(error) == ["FL706"]
    assert "`def_helper` is not allowed" in str(error)
    assert capsys.readouterr().out == ""
    flow = from_dict(data, modules=[helper])
    assert flow.nodes[0].run is sys.modules[helper].go
    data["nodes"][0]["run"] = "def_helper:gone"
    assert "has no `gone`" in str(refused(data, modules=[helper]))
    data["nodes"][0]["run"] = "def_helper:nothing"
    assert codes(refused(data, modules=[helper])) == ["FL705"]


def test_configs_are_checked_before_anything_runs() -> None:
    data = small()
    data["nodes"][1] = {"name": "b", "kind": "shell", "config": {"command": "ls", "comand": 3}}
    assert codes(refused(data)) == ["FL702"]
    data["nodes"][1] = {"name": "b", "kind": "subflow"}
    assert "The config of node `b` has no field `flow`" in str(refused(data))
    data["nodes"][1] = {"name": "b", "run": "def.first", "after": [{"type": "logg"}]}
    assert "did you mean `log`?" in str(refused(data))


def test_durations_are_written_alike_wherever_they_stand() -> None:
    """`timeout: 30s` of a node, and the times in the configs of kinds and actions."""
    flow = from_dict(
        small(
            nodes=[
                {"name": "ask", "kind": "ask", "config": {"question": "?", "timeout": "15m"}},
                {"name": "rest", "kind": "wait",
                 "config": {"duration": "1h30m", "pause_above": "1m"}},
                {"name": "ls", "kind": "shell", "config": {"command": "ls", "timeout": "30s"}},
                {"name": "sync", "kind": "attempt",
                 "config": {"retry": {"delay": "50ms", "max_delay": "1m"}},
                 "try": {"entry": "first", "nodes": [{"name": "first", "run": "def.first"}]}},
            ],
            edges=[
                {"from": "ask", "to": "rest"},
                {"from": "rest", "to": "ls"},
                {"from": "ls", "to": "sync"},
            ],
            entry="ask",
        )
    )  # fmt: skip
    assert [finding.message for finding in flow.findings] == []
    error = refused(
        small(
            nodes=[{"name": "a", "kind": "ask", "config": {"question": "?", "timeout": "soon"}}],
            edges=[],
            entry="a",
        )
    )
    words = "Field `timeout` of the config of node `a` is to be a number of seconds or a text such"
    assert words in str(error)


def test_unknown_kinds_are_refused_and_registered_ones_need_a_dot() -> None:
    from flowrt.engine.context import Kind, Output

    async def nothing(_context: object) -> Output:
        return Output()

    data = small()
    data["nodes"][1] = {"name": "b", "kind": "acme.unheard"}
    assert codes(refused(data)) == ["FL703"]
    with pytest.raises(FlowError, match="needs a dot"):
        register_kind(Kind("unheard", nothing, "Does nothing."))


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ('{"flowrt": 1,\n "name": }', 2, 10, "value"),
        ("{", 1, 2, "property name"),
        ('{"a": "NaN",\n "b": NaN}', 2, 7, "NaN"),
        ('{"a": 1, "a": 2}', 1, 10, "the key `a` is written twice"),
        ('{"b": {"a": "a"},\n "a": "{", "\\u0061": 2}', 2, 12, "the key `a` is written twice"),
        ('{"a":' * 100_000, 1, 1001, "nested too deeply"),
    ],
)
def test_text_that_is_no_json(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(FlowValidationError) as caught:
        from_json(text)
    (finding,) = caught.value.findings
    assert (finding.code, finding.span.line, finding.span.column) == ("FL901", line, column)
    assert words.lower() in str(caught.value).lower()


@pytest.mark.parametrize("fault", [1, {"entry": 1}, {"entri": "b"}])
def test_a_place_deep_in_regions_can_be_read(fault: object) -> None:
    body: object = fault
    for _ in range(60):
        node = {"name": "b", "kind": "repeat", "config": {"over": [1]}, "body": body}
        body = {"entry": "b", "nodes": [node]}
    data = {"flowrt": 1, "name": "deep", **body}  # type: ignore[dict-item]
    for finding in refused(data).findings:
        assert len(finding.message) < 400
        assert "`nodes[0].body.nodes[0]" in finding.message


YAML = """
flowrt: 1
name: small
entry: a
nodes:
  - &a {name: a, run: def.first}
  - <<: *a
    name: b
  - {name: no, run: def.first}
edges:
  - from: a
    switch:
      on: $.on
      cases: {true: b, 1: b, off: no}
"""


def test_yaml_means_what_it_says() -> None:
    flow = from_yaml(YAML)
    assert [node.name for node in flow.nodes] == ["a", "b", "no"]
    assert flow.edges == (Switch("a", "$.on", {"true": "b", "1": "b", "off": "no"}),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1", "expected"),
        ("a: 1\na: 2", "key `a` is written twice"),
        ("a: &x [*x]", "alias inside"),
        ("a: !!python/object/apply:os.system [ls]", "means nothing here"),
        ("a: !foo 3", "means nothing here"),
        ("? [1, 2]\n: 3", "key has to be a text"),
        ("a: 1\n---\nb: 2", "one document"),
        ("\n".join(f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9 or ['1'])}]" if n else
                   "x0: &x0 [1]" for n in range(9)), "too large"),
        ("a: '\x01'", "not allowed"),
    ],
)  # fmt: skip
def test_text_that_is_no_yaml(text: str, words: str) -> None:
    with pytest.raises(FlowError, match=words):
        from_yaml(text)


MODULE = """
from flowrt import Edge, Flow, Node


async def go(state):
    return state


def build():
    return Flow(nodes=[Node("a", go)], edges=[], entry="a", name="built")


class Thing:
    pass


data = {"flowrt": 1}
"""


def load(folder: Path, name: str, text: str, part: str = "") -> Flow:
    path = folder / name
    path.write_text(text)
    return load_file(f"{path}{part}")


def test_a_module_with_one_flow(tmp_path: Path) -> None:
    flow = load(tmp_path, "one.py", MODULE + "\nflow = build()\nagain = flow\n")
    assert flow.name == "built"


def test_a_flow_without_a_name_is_called_by_its_place(tmp_path: Path) -> None:
    """hydraflow.md a: there flows have no names, and here runs are listed by them."""
    unnamed = MODULE.replace(', name="built"', "")
    assert unnamed != MODULE
    assert load(tmp_path, "triage.py", unnamed + "\nflow = build()\n").name == "triage"
    phases = unnamed + "\nplan = build()\nreview = build()\n"
    assert load(tmp_path, "phases.py", phases, ":review").name == "review"
    assert load(tmp_path, "named.py", MODULE + "\nreview = build()\n").name == "built"


def test_a_module_with_several_flows_needs_a_name(tmp_path: Path) -> None:
    text = MODULE + "\na = build()\nb = build()\n"
    with pytest.raises(FlowError, match="name one of them"):
        load(tmp_path, "several.py", text)
    assert load(tmp_path, "several.py", text, ":b").name == "built"


def test_a_definition_in_a_module_is_built(tmp_path: Path) -> None:
    text = (
        "from flowrt.definition.model import FlowDefinition\n"
        f"d = FlowDefinition.model_validate({small()!r})\n"
    )
    assert load(tmp_path, "defined.py", text).name == "small"


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("", "`build` is a function; call it"),
        (":build", "`build` is a function; call it"),
        (":Thing", "`Thing` is a class"),
        (":data", "`data` is a dict; make it a flow with"),
        (":nothing", "has no `nothing`"),
    ],
)
def test_only_what_was_made_as_a_flow_is_taken(tmp_path: Path, part: str, words: str) -> None:
    with pytest.raises(FlowError, match=words):
        load(tmp_path, "none.py", MODULE, part)


def test_a_flow_that_looks_like_one_is_none(tmp_path: Path) -> None:
    text = "class Flow:\n    nodes = edges = ()\nflow = Flow()\n"
    with pytest.raises(FlowError, match="has no flow"):
        load(tmp_path, "alike.py", text)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.json", '{"name": "x"}', "it does not say `flowrt: 1`"),
        ("a.json", "[]", "it does not say `flowrt: 1`"),
        ("a.yaml", "", "it does not say `flowrt: 1`"),
        ("a.txt", "", "neither Python, JSON nor YAML"),
        ("raises.py", "1 / 0", "cannot be imported: ZeroDivisionError"),
        ("broken.py", "def", "cannot be imported: SyntaxError"),
    ],
)
def test_files_that_hold_no_flow(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(FlowError, match=words):
        load(tmp_path, name, text)


def test_a_file_with_several_documents(tmp_path: Path) -> None:
    text = "\n---\n".join(json.dumps(small(name=name)) for name in ("one", "two"))
    assert load(tmp_path, "two.yaml", text, ":two").name == "two"
    with pytest.raises(FlowError, match="several flows: name one of them, `one`, `two`"):
        load(tmp_path, "two.yaml", text)
    with pytest.raises(FlowError, match="has no flow `three`"):
        load(tmp_path, "two.yaml", text, ":three")


def test_errors_of_a_file_name_it(tmp_path: Path) -> None:
    with pytest.raises(FlowValidationError, match=r"wrong\.json: flow `small` has 1 error"):
        load(tmp_path, "wrong.json", json.dumps(small(entry="nobody")))


def test_a_flow_is_written_as_data_and_read_back() -> None:
    flow = Flow(
        nodes=[
            Node("a", first, retry=Retry(5), timeout=3),
            Node("t", kind="attempt", regions={"try": Region([Node("x", second)], [], "x")}),
            Node("p", kind="parallel", regions={"l": Region([Node("x", second)], [], "x")}),
        ],
        edges=[
            Edge("a", "t", is_urgent),
            Edge("a", "p", "state.x == 1", prompt="now"),
            Switch("a", "$.x", {"y": "t"}),
        ],
        entry="a",
        name="written",
        max_steps=9,
        merge={"x": "last"},
        permissions=Permissions("approve-reads"),
    )
    data = to_dict(flow)
    json.dumps(data)
    again = from_dict(data)
    assert (again.nodes, again.edges, again.name) == (flow.nodes, flow.edges, flow.name)
    assert (again.merge, again.permissions, again.max_steps) == (
        flow.merge,
        flow.permissions,
        flow.max_steps,
    )
    assert to_dict(to_definition(again)) == data


def test_what_has_no_name_cannot_be_written() -> None:
    async def nameless(state: Data) -> Data:
        return state

    flow = Flow(
        nodes=[Node("a", nameless, retry=Retry(on=(ValueError,))), Node("b", first)],
        edges=[Edge("a", "b", lambda state: True), Edge("a", "b", prompt=object())],
        entry="a",
    )
    with pytest.raises(FlowError) as caught:
        to_definition(flow)
    text = str(caught.value)
    assert "what node `a` runs is" in text
    assert "nameless`, which has no name: register it" in text
    assert "the guard of the edge from `a` to `b`" in text
    assert "names exceptions" in text
    assert "holds a object" in text


VALIDATOR = jsonschema_rs.validator_for(definition_schema())


@pytest.mark.parametrize("data", [EXAMPLE, small(), small(title=None, edges=None)])
def test_the_schema_takes_what_is_right(data: Data) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(data)] == []


@pytest.mark.parametrize(
    "change",
    [
        {"nam": 1},
        {"name": None},
        {"routing": "frist"},
        {"nodes": [{"name": "a"}]},
        {"nodes": [{"name": "a", "kind": "stpe", "run": "x"}]},
        {"nodes": [{"name": "a", "kind": "repeat", "config": {"over": "x"}}]},
        {"nodes": [{"name": "a", "kind": "shell", "config": {"comand": "ls"}}]},
        {"nodes": [{"name": "a", "kind": "subflow"}]},
        {"edges": [{"from": "a"}]},
        {"edges": [{"from": "a", "to": "b", "outcome": "faild"}]},
        {"nodes": [{"name": "a", "run": "x", "timeout": "soon"}]},
    ],
)
def test_the_schema_refuses_what_is_wrong(change: Data) -> None:
    assert not VALIDATOR.is_valid(small(**change))


def test_the_schema_describes_every_field() -> None:
    schema = definition_schema()
    parts = {"flow": schema, **schema["$defs"]}
    bare = [
        f"{name}.{field}"
        for name, part in parts.items()
        # What others register describes itself, or does not.
        if not name.startswith("config.") and name.count(".") < 2
        for field, about in part.get("properties", {}).items()
        if "description" not in about and "$ref" not in json.dumps(about)
    ]
    assert bare == []


def test_the_model_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="nam"):
        FlowDefinition.model_validate(small(nam=1))
