"""`flowrt check`, `graph` and `schema`; definitions as data."""

from __future__ import annotations

import json
from pathlib import Path

from flowrt_program import Flowrt, ran, write_flow

DEFINITION = """\
flowrt: 1
name: greet
entry: hello
nodes:
  - {name: hello, run: hello}
  - {name: again, run: "helpers:again"}
edges:
  - {from: hello, to: again}
"""
HELPERS = """\
from flowrt import register_callable


@register_callable("hello")
async def hello(state):
    return {**state, "said": ["hello"]}


async def again(state):
    return {**state, "said": [*state["said"], "again"]}
"""
NESTED = (
    'Node("each", kind="repeat", config={"over": [1, 2]},'
    ' regions={"body": Region([Node("one", one)], [], "one")}), Node("pick", a, kind="gate"),'
    ' Node("b", b), Node("c", b), Node("oops", b)'
)
EDGES = (
    'Edge("each", "pick"), Switch("pick", "$.a", {"1": "b"}, default="c"),'
    ' Edge("pick", "oops", outcome="failed")'
)


def test_a_right_flow_has_no_faults(flowrt: Flowrt, flow: str, tmp_path: Path) -> None:
    run = flowrt("check", flow)
    assert (run.code, run.out) == (0, "No faults found: flow demo in flow.py.\n")
    assert ran(tmp_path) == []


def test_every_finding_is_shown_with_its_code(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("a", a), Node("a", b)', edges='Edge("a", "bb")')
    run = flowrt("check", "flow.py")
    assert (run.code, run.err) == (1, "")
    assert "FL104 [duplicate-node] error: " in run.out
    assert "FL105 [dangling-edge] error: " in run.out
    assert run.out.endswith("Found 2 faults in flow.py.\n")
    data = json.loads(flowrt("check", "flow.py", "--format", "json").out)
    assert [finding["code"] for finding in data] == ["FL104", "FL105"]


def test_every_finding_in_a_definition_has_its_place(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text(
        "flowrt: 1\nname: wrong\nentry: nobody\nnodes:\n"
        "  - {name: a, knd: gate}\n  - name: b\n    kind: checkpoint\n    timeout: 0\nedges:\n"
        "  - {from: a, to: b}\n"
    )
    run = flowrt("check", "wrong.yaml")
    assert run.code == 1
    assert [line.partition("] ")[0] for line in run.out.splitlines() if "[" in line] == [
        "wrong.yaml:3:8: FL101 [unknown-entry",
        "wrong.yaml:5:15: FL702 [unknown-field",
        "wrong.yaml:8:14: FL802 [bad-limit",
    ]
    data = json.loads(flowrt("check", "wrong.yaml", "--format", "json").out)
    assert [(finding["path"], finding["range"]["start"]) for finding in data] == [
        ("wrong.yaml", {"line": 3, "column": 8}),
        ("wrong.yaml", {"line": 5, "column": 15}),
        ("wrong.yaml", {"line": 8, "column": 14}),
    ]
    assert "\n  wrong.yaml:5:15: FL702 unknown-field: " in flowrt("run", "wrong.yaml").err


def test_places_in_json_are_those_of_characters(flowrt: Flowrt, tmp_path: Path) -> None:
    nodes = '[{"na\\u006de": "é\\"{", "kind": "end", "config":\r\n {}, "timeout": -1.5e0}]'
    text = f'{{"flowrt": 1, "name": "n",\n "entry": "é\\"{{", "nodes": {nodes}}}'
    (tmp_path / "places.json").write_bytes(text.encode())
    out = flowrt("check", "places.json").out
    assert out.startswith("places.json:3:17: FL802 [bad-limit] error: ")


def test_a_flow_made_in_code_has_the_place_of_its_call(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "made.py").write_text(
        "from flowrt import Edge, Flow, Node, from_dict\n\n\n"
        "def make(entry):\n"
        '    return Flow(nodes=[Node("a", kind="end")], edges=[],\n'
        "                entry=entry)\n\n\n"
        'flow = make("b")\n'
    )
    assert flowrt("check", "made.py").out.startswith("made.py:5:12: FL101 [unknown-entry] ")
    (tmp_path / "data.py").write_text(
        "from flowrt import from_dict\n\n"
        'flow = from_dict({"flowrt": 1, "name": "d", "entry": "b", "nodes": []})\n'
    )
    assert flowrt("check", "data.py").out.startswith("data.py:3:8: FL103 [empty-flow] ")


def test_a_broken_definition_names_its_file_and_place(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "flow.json").write_text('{"flowrt": 1,\n "name" }')
    run = flowrt("run", "flow.json")
    assert run.code == 2
    assert "flow.json" in run.err
    assert "line 2" in run.err or ":2" in run.err


def test_a_definition_with_functions_of_a_module(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "flow.yaml").write_text(DEFINITION)
    (tmp_path / "helpers.py").write_text(HELPERS)
    without = flowrt("run", "flow.yaml")
    assert without.code == 2
    assert "FL706 undefined-callable" in without.err
    run = flowrt("run", "flow.yaml", "--module", "helpers")
    assert run.code == 0, run.err
    assert run.state == {"said": ["hello", "again"]}
    missing = flowrt("run", "flow.yaml", "--module", "nowhere")
    assert missing.code == 2
    assert "the module `nowhere` cannot be imported" in missing.err


def test_a_function_that_is_not_there_is_told_with_its_node_and_what_may_be_meant(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    (tmp_path / "names.py").write_text(
        "from flowrt import register_callable\n\n\n"
        '@register_callable("answer")\nasync def answer(state):\n    return state\n'
    )
    nodes = "[{name: one, run: answr}, {name: two, run: unlike}]"
    edges = "[{from: one, to: two, when: {call: nswer}}, {from: one, to: two}]"
    (tmp_path / "flow.yaml").write_text(
        f"flowrt: 1\nname: f\nentry: one\nnodes: {nodes}\nedges: {edges}\n"
    )
    out = flowrt("check", "flow.yaml", "--module", "names").out
    for said in (
        "Node `one` names the function `answr`, which is registered nowhere: the flow cannot be "
        "loaded.\n  help: did you mean `answer`?\n",
        "Node `one` names the function `nswer`, which is registered nowhere: the flow cannot be "
        "loaded.\n  help: did you mean `answer`?\n",
        "Node `two` names the function `unlike`, which is registered nowhere: the flow cannot be "
        "loaded.\n  help: register it with `register_callable`",
    ):
        assert said in out


def test_a_run_of_a_definition_remembers_its_modules(flowrt: Flowrt, tmp_path: Path) -> None:
    ask = DEFINITION.replace('run: "helpers:again"', "kind: checkpoint")
    (tmp_path / "flow.yaml").write_text(ask)
    (tmp_path / "helpers.py").write_text(HELPERS)
    assert flowrt("run", "flow.yaml", "--module", "helpers", "--run-id", "r1").code == 3
    assert flowrt("resume", "r1", "--signal", "again").state == {"said": ["hello"]}


def test_a_graph_for_mermaid(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes=NESTED, edges=EDGES)
    run = flowrt("graph", "flow.py")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith('flowchart TD\n    subgraph flow["demo"]\n')
    assert '["each: body"]' in run.out
    assert '-->|"1"|' in run.out
    assert '-->|"(else)"|' in run.out
    assert '-->|"failed"|' in run.out
    assert '{"pick"}' in run.out
    assert ran(tmp_path) == []


def test_a_graph_as_data(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes=NESTED, edges=EDGES)
    graph = json.loads(flowrt("graph", "flow.py", "--format", "json").out)["graphs"][0]
    assert graph["entry"] == ["each"]
    body = graph["nodes"][0]["regions"]["body"]
    assert [node["name"] for node in body["nodes"]] == ["one"]
    assert {"source": "pick", "target": "c", "kind": "case", "label": "(else)"} in graph["edges"]
    assert graph["exits"] == ["b", "c", "oops"]


def test_the_schema_accepts_what_runs(flowrt: Flowrt, tmp_path: Path) -> None:
    import jsonschema_rs

    run = flowrt("schema")
    assert run.code == 0
    schema = json.loads(run.out)
    accepts = jsonschema_rs.validator_for(schema).is_valid
    definition = {
        "flowrt": 1,
        "name": "wait",
        "entry": "ok",
        "nodes": [{"name": "ok", "kind": "checkpoint"}],
    }
    assert accepts(definition)
    assert not accepts({**definition, "nodes": [{"nam": "ok"}]})
    (tmp_path / "flow.json").write_text(json.dumps(definition))
    assert flowrt("run", "flow.json").code == 3


def test_flows_of_the_same_file_can_be_run_inside(flowrt: Flowrt, tmp_path: Path) -> None:
    source = 'inner = Flow(name="inner", nodes=[Node("one", one)], edges=[], entry="one")\n'
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("sub", kind="subflow", config={"flow": "inner", "into": "result"})',
        functions=source,
    )
    several = flowrt("run", "flow.py")
    assert several.code == 2
    assert "several flows" in several.err
    run = flowrt("run", "flow.py:flow")
    assert run.code == 0, run.err
    assert run.state["result"] == {"n": 1}
    assert "flow `inner` of sub" in run.err
